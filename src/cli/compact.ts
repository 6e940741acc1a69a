import type { Agent } from '../agents/agent.ts'
import { AGENTS } from '../agents/agents.ts'
import { isFormatId } from '../agents/detect-format.ts'
import type { CompactionReply } from '../client/client.ts'
import { isObject, parseJson } from '../session/entry.ts'
import { withoutControls } from '../text/controls.ts'
import type { Cli } from './cli.ts'
import { writerNamed } from './commands-that-write.ts'
import { databaseWith } from './databases.ts'
import { sentencesAbout, warnOfKept } from './describe-compaction.ts'
import { editorOf } from './edit-text.ts'
import { CliError } from './exit.ts'
import { findNamedSession, readSession, type NamedSession } from './find-session.ts'
import { openPage } from './open-page.ts'
import { preparedFor } from './prepared/use-prepared.ts'
import { optionTextOf, type Values } from './read-arguments.ts'
import { writeRecallLine } from './recall-line.ts'
import { commandIn, continueWithFile, describeNewSession, undoWith } from './resume.ts'
import { sayDegraded, sayEncrypted, sayUnread } from './say-remarks.ts'
import { compactionOf } from './request-query.ts'
import { orPrinted, requestEdited, requestSummary, type SummaryQuery, type SummaryRequest } from './request-summary.ts'
import { withService } from './service.ts'
import type { Terminal } from './terminal.ts'
import { holdFile, refuseForm, writeIntoFile, type HeldFile } from './write-back.ts'

/** `precis compact`: compacts a session, prints the summary, and writes it back if that was asked for. */
export async function compact(values: Values, [argument = '']: readonly string[], cli: Cli): Promise<void> {
  if (values['open'] === true) return openPage(values, argument, cli)
  const reply = optionTextOf(values, 'reply')
  const form = reply === 'text' || reply === 'json' ? undefined : reply
  const writes = values['write'] === true
  if (writes && form !== undefined) throw new CliError('usage', `--write and --reply ${form} exclude each other.`)
  if ('no-recall' in cli.given && !writes)
    throw new CliError('usage', '--no-recall needs --write: other summaries do not have it.')
  const edits = values['edit'] === true
  if (edits) refuseEditing(values, cli)
  const local = { ...preparedFor(values, cli), onDegraded: sayDegraded(cli.terminal) }
  const source = findNamedSession(argument, cli)
  const recall = writes && values['no-recall'] !== true ? writeRecallLine(source, cli) : undefined
  const query = { ...queryOf(values, reply), recall }
  if (writes && source.kind === 'stdin') throw new CliError('usage', '--write needs a file or an id, not "-".')
  const held = writes && source.kind === 'file' ? await holdFile(source.path) : undefined
  const document = held?.bytes ?? (await readSession(source, cli))
  const { env, terminal } = cli
  const writer = writerNamed(values, cli)
  if (Object.values(writer).every((one) => one === undefined) && (env['PRECIS_MODEL'] ?? '') !== '')
    terminal.say('No model writes: PRECIS_MODEL counts for the service. Use --model NAME.')
  await withService({ ...writer, env, local }, async (client) => {
    const request: SummaryRequest = { document, query, client, terminal }
    if (form !== undefined) await printForm(form, request, cli)
    else {
      if (held !== undefined) await refuseOtherFile(request)
      const result = edits ? await requestEdited(request, cli) : await requestSummary(request, writes)
      const warning = writes ? warnOfKept(result) : undefined
      if (warning !== undefined) terminal.say(warning)
      const print = () => printSummary(result, { reply, terminal })
      const write = async () => writeInto({ source, held }, result, cli)
      const next = writes ? await orPrinted(terminal, print, write) : []
      await printSummary(result, { reply: writes && reply === undefined ? 'none' : reply, terminal, said: warning })
      for (const line of next) terminal.say(line)
    }
  })
}

/** @throws CliError for --edit where nothing can be edited, before a model is paid */
function refuseEditing(values: Values, cli: Cli): void {
  if (values['write'] !== true)
    throw new CliError('usage', '--edit needs --write: other summaries can be edited as files.')
  if (optionTextOf(values, 'url') !== undefined) throw new CliError('usage', '--edit and --url exclude each other.')
  editorOf(cli)
}

const queryOf = (values: Values, reply: string | undefined): SummaryQuery => ({
  ...compactionOf(values),
  prepared: optionTextOf(values, 'prepared'),
  format: optionTextOf(values, 'format'),
  ...(reply === 'json' && { details: 'full' }),
})

/** Prints a session in another form, as bytes. */
async function printForm(form: string, { client, document, query, terminal }: SummaryRequest, cli: Cli): Promise<void> {
  terminal.show('Compacting ...')
  const { headers, body } = await client.compactTo(form, document, { query })
  const mode = headers.get('x-precis-native')
  if (mode !== null) terminal.say(`Form: ${mode} (docs/cli.md says what to do with it)`)
  else for (const line of describeNewSession(form, body, cli)) terminal.say(line)
  await terminal.printDocument(body)
}

/**
 * Refuses, before a model is paid, a session whose compaction belongs into another file: that of Cline. Its sessions are one JSON
 * document, and a plan of a session in lines takes as long as its compaction. @throws CliError
 */
async function refuseOtherFile({ client, document, query: { format } }: SummaryRequest): Promise<void> {
  if (beginsWithLine(document)) return
  const { report } = await client.plan(document, { query: { format } })
  const agent: Agent | undefined = isFormatId(report?.format) ? AGENTS[report.format] : undefined
  if (agent?.appender?.isBeside === true) refuseForm(document, 'sidecar')
}

/** Whether the first line of several is a JSON object: then the document is one of lines. */
function beginsWithLine(document: Buffer): boolean {
  const end = document.indexOf('\n')
  return end >= 0 && end < document.length - 1 && isObject(parseJson(document.toString('utf8', 0, end)))
}

async function printSummary(
  result: CompactionReply,
  { reply, terminal, said }: { reply: string | undefined; terminal: Terminal; said?: string | undefined },
): Promise<void> {
  if (reply === 'json') await terminal.printJson(result)
  else if (reply !== 'none') await terminal.print(`${withoutControls(result.summary).trimEnd()}\n`)
  sayUnread(result.report, terminal)
  sayEncrypted(result, terminal)
  for (const line of sentencesAbout(result)) if (line !== said) terminal.say(line)
}

interface Target {
  source: NamedSession
  held: HeldFile | undefined
}

/** Writes a compaction into its session. Returns what the user can do next. */
function writeInto({ source, held }: Target, { native, report }: CompactionReply, cli: Cli): string[] {
  if (native === undefined)
    throw new CliError(
      'service',
      'The service did not return what to write into this session. Its version is too old for --write.',
    )
  // The reply names the formats of other agents.
  const { format = 'pi' } = report
  const database = source.kind === 'database' ? databaseWith(source.id) : undefined
  if (source.kind === 'database' && database !== undefined) {
    const folder = database.write(source.id, native.body, cli.env)
    return [database.written, commandIn(folder, database.command(source.id), cli)]
  }
  if (held === undefined || source.kind !== 'file')
    throw new Error('A session that is written to has been read before.')
  writeIntoFile(held, native)
  const { path } = held
  const written = `Written into ${path}. ${undoWith(source, cli.command)}`
  return [written, ...continueWithFile(format, { path, body: native.body }, cli)]
}
