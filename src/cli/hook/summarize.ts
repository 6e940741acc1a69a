import type { Client } from '../../client/client.ts'
import { PrecisError } from '../../client/precis-error.ts'
import { untilAborted } from '../../runtime/abort.ts'
import { splitText } from '../../text/shorten.ts'
import { writerNamed } from '../commands-that-write.ts'
import { CliError } from '../exit.ts'
import { describeLate } from '../describe-late.ts'
import { readSession } from '../find-session.ts'
import { preparedFor } from '../prepared/use-prepared.ts'
import { hasWriter, optionTextOf } from '../read-arguments.ts'
import { writeRecallLine } from '../recall-line.ts'
import { sayDegraded } from '../say-remarks.ts'
import { withService, type ServiceChoice } from '../service.ts'
import { namedSessionOf, summaryQueryOf, windowQueryOf, type AgentEvent } from './agent-event.ts'

/** How long an agent waits for a model, unless `PRECIS_DEADLINE_MS` says otherwise: its own limit is likely three minutes. */
const DEADLINE_MS = 120_000

/** How much longer the work of this process may take. */
const GRACE_MS = 30_000

/** The window for which a summary is chosen where the agent keeps no messages: a prepared one counts only if it has nearly all. */
const NARROW_WINDOW = 20_000

const TOO_LONG = '[The rest of the summary is too long for this hook.]'

/** Writes the summary of a session that its agent is about to compact, and keeps it until the compaction is over. */
export async function summarize(event: AgentEvent): Promise<void> {
  const { hooks, notes, cli } = event
  const { maxCharacters = Infinity, parts: most = 1 } = hooks.context ?? {}
  // An older summary must not be shown if this one fails.
  notes.forgetParts()
  const summary = await summaryText(event)
  if (summary === undefined) return
  const head = headOf(event)
  const room = maxCharacters - titleOf(head, 1, most).length - TOO_LONG.length - 1
  const texts = splitText(summary, room)
  const parts = texts.slice(0, most)
  if (texts.length > most) parts.push(`${parts.pop() ?? ''}\n${TOO_LONG}`)
  notes.keepParts(parts.map((text, index) => titleOf(head, index + 1, parts.length) + text))
  if (hooks.instructions !== undefined) await cli.terminal.print(`${hooks.instructions}\n`)
}

/** Prints a summary that the agent adds to the prompt of its own compaction. */
export async function add(event: AgentEvent): Promise<void> {
  const summary = await summaryText(event)
  if (summary === undefined) return
  const text = `${COPY}\n\n${summary}`
  await event.cli.terminal.printJson({ context: [text.slice(0, event.hooks.context?.maxCharacters)] })
}

const COPY =
  'A summary of this conversation follows, which was written with checks of its facts. Take everything in it over into your ' +
  'summary, word for word where it names files, commands, errors and decisions, and add what the newest messages say.'

/** Prints the compaction itself, as JSON. */
export async function replace(event: AgentEvent): Promise<void> {
  const document = await readSession(namedSessionOf(event), event.cli)
  const reply = await askService(event, async (client) => {
    const recall = recallLineOf(event)
    const query = {
      ...summaryQueryOf(event),
      ...windowQueryOf(event),
      ...(recall !== undefined && { recall }),
    }
    return client.compact(document, { query })
  })
  if (reply === undefined) return
  const { summary, firstKeptEntryId, tokensBefore, details } = reply
  await event.cli.terminal.printJson({ summary, firstKeptEntryId, tokensBefore, details })
}

async function summaryText(event: AgentEvent): Promise<string | undefined> {
  const query = { ...summaryQueryOf(event), contextWindow: NARROW_WINDOW }
  const document = await readSession(namedSessionOf(event), event.cli)
  const reply = await askService(event, (client) => client.compactTo('text', document, { query }))
  return reply && new TextDecoder().decode(reply.body).trim()
}

/** Returns how the agent can look things up; undefined if its user wants no such line. */
function recallLineOf(event: AgentEvent): string | undefined {
  return event.values['no-recall'] === true ? undefined : writeRecallLine(namedSessionOf(event), event.cli)
}

function headOf(event: AgentEvent): string {
  const recall = recallLineOf(event)
  return recall === undefined ? '' : ` To look up what it replaces: ${recall}`
}

/** Returns what stands before a part. The first one says how to look things up. */
const titleOf = (head: string, number: number, count: number): string =>
  `Summary of the conversation before the compaction (part ${number} of ${count}).${number === 1 ? head : ''}\n\n`

/**
 * Runs a request. If no model can write in time, code picks the sentences, unless the user wants an error.
 * @returns undefined if there is nothing to compact yet, which is no fault
 * @throws what the request throws
 */
async function askService<T>(event: AgentEvent, ask: (client: Client) => Promise<T>): Promise<T | undefined> {
  const { values, cli } = event
  const deadlineMs = Number(cli.env['PRECIS_DEADLINE_MS'] ?? '') || DEADLINE_MS
  const late = AbortSignal.timeout(deadlineMs + GRACE_MS)
  const env = { PRECIS_ON_FAILURE: 'embedded', ...cli.env, PRECIS_DEADLINE_MS: String(deadlineMs) }
  const onDegraded = sayDegraded({
    // Agents show one line of what a hook says.
    say: (line) => cli.terminal.say(line.replaceAll('\n', ' ')),
  })
  const askIn = (choice: ServiceChoice): Promise<T> =>
    withService(choice, (client) => untilAborted(ask(client), late)).catch((error: unknown) => {
      if (late.aborted) throw new CliError('service', 'No summary was written in time.', { cause: error })
      throw error
    })
  const local = { ...preparedFor(values, cli), onDegraded }
  try {
    return await askIn({ ...writerNamed(values, cli), env, local, mustProve: true })
  } catch (error) {
    if (!(error instanceof PrecisError)) throw error
    if (error.type.startsWith('nothing-')) return undefined
    const isModels = optionTextOf(values, 'url') === undefined && hasWriter(values)
    if (!isModels || env.PRECIS_ON_FAILURE !== 'embedded') throw error
    const reply = await askIn({ env })
    // Only now: of a file that is no session, code can write none either, and the fault is not the model's.
    onDegraded((await describeLate(error, values)) ?? error.detail)
    return reply
  }
}
