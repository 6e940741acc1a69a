import { PrecisError } from '../client/client.ts'
import { Problem, PROBLEMS } from '../errors.ts'
import type { SessionCopies } from '../mcp/host.ts'
import { describeUnknownTerms } from '../recall/unknown-terms.ts'
import type { RecallPassage, RecallReply } from '../schemas/recall.ts'
import { withoutControls } from '../text/controls.ts'
import { count, counted, countedUnits } from '../text/numbers.ts'
import { findReplaced } from './backups.ts'
import type { Cli } from './cli.ts'
import { describeError } from './describe-error.ts'
import { CliError } from './exit.ts'
import { nameOfSource, readSession, type NamedSession } from './find-session.ts'
import { numberOf, optionTextOf, optionTextsOf, type Values } from './read-arguments.ts'
import { chooseRecalled } from './recalled-session.ts'
import { sayUnread } from './say-remarks.ts'
import type { Terminal } from './terminal.ts'

/** `precis recall`: looks up what compactions of a session have replaced, in this process. */
export async function recallInSession(values: Values, positionals: readonly string[], cli: Cli): Promise<void> {
  const { terminal, env } = cli
  const { source, words } = await chooseRecalled(values, positionals, cli)
  const query = queryOf(values, words)
  if (Object.keys(query).every((name) => !LOOKED_UP.includes(name)))
    throw new CliError(
      'usage',
      'Nothing to look up. Give words, or --entry, --kind, --tool, --path, --before or --after.',
    )
  if ('around' in query && !('entryIds' in query))
    throw new CliError('usage', '--around adds the neighbours of entries. Name an entry with --entry.')
  const body = await readSession(source, cli)
  const { recallFile } = await import('../use-cases/recall/work.ts')
  const file = { body, isLines: true, copies: readCopies(source, body, cli) }
  const lookUp = (asked: typeof query): RecallReply =>
    inOwnTerms(nameOfSource(source), () => recallFile({ ...file, query: asked }, env['PRECIS_REDACT'] !== 'false'))
  const reply = lookUp(query)
  sayUnread(reply.report, terminal)
  if (values['json'] === true) await terminal.printJson(reply)
  else if (reply.passages.length > 0)
    await terminal.print(reply.passages.map((passage) => writePassage(passage, terminal)).join('\n'))
  sayWhatElse(reply, { query, inAll: () => lookUp({ ...query, scope: 'all' }) }, cli)
}

/** Fields that say what to look up. */
const LOOKED_UP: readonly string[] = ['query', 'entryIds', 'kinds', 'tool', 'path', 'before', 'after']

/** Returns the fields of the API that the options stand for. */
function queryOf(values: Values, words: readonly string[]): Record<string, unknown> {
  const [entryIds, kinds] = [optionTextsOf(values, 'entry'), optionTextsOf(values, 'kind')]
  const query = words.join(' ')
  const fields = {
    ...(query.trim() !== '' && { query }),
    ...(entryIds.length > 0 && { entryIds }),
    ...(kinds.length > 0 && { kinds }),
    around: numberOf(values, 'around', { most: 50 })?.toString(),
    maxTokens: numberOf(values, 'max-tokens', { least: 100, most: 50_000 })?.toString(),
    offset: numberOf(values, 'offset')?.toString(),
    ...Object.fromEntries(SAME_NAME.map((name) => [name, optionTextOf(values, name)])),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

const SAME_NAME = ['tool', 'path', 'before', 'after', 'order', 'scope', 'format'] as const

/** Returns what writing back has replaced in a file: only its backups still have it. */
function readCopies(source: NamedSession, body: Buffer, { terminal }: Cli): SessionCopies['copies'] {
  if (source.kind !== 'file') return []
  const { copies, unread } = findReplaced(source.path, body)
  if (unread.length > 0) terminal.say(`Not searched, because it could not be read: ${unread.join(', ')}`)
  return copies
}

/** The options that stand for fields, by the pointers of their faults. */
const OPTIONS: readonly (readonly [pointer: RegExp, option: string])[] = [
  [/^\/?entryIds\b.*/, '--entry'],
  [/^\/?query\b.*/, 'What to look up'],
  [/^\/?(before|after|tool|path)\b.*/, '--$1'],
]

/** Runs a look-up. @throws CliError that names the fault of an option, or that of the session */
function inOwnTerms(session: string, lookUp: () => RecallReply): RecallReply {
  try {
    return lookUp()
  } catch (cause) {
    if (!(cause instanceof Problem)) throw cause
    const { type, status, message: detail, faults } = cause
    const [fault] = faults
    const option = OPTIONS.find(([pointer]) => fault !== undefined && pointer.test(fault.pointer))
    if (fault !== undefined && option !== undefined)
      throw new CliError('usage', `${fault.pointer.replace(...option)} ${fault.detail}.`, { cause })
    const error = new PrecisError({ type, title: PROBLEMS[type].title, status, detail, errors: [...faults] })
    const { code, message } = describeError(error, { session })
    throw new CliError(code, message, { cause })
  }
}

/** Returns a note with the options in the place of the fields that they stand for. */
const inOptions = (note: string): string =>
  note.replace(
    /`(entryIds|kinds|tool|path|before|after|offset)`/g,
    (_field, name: string) => `--${OPTION_NAMES[name] ?? name}`,
  )

const OPTION_NAMES: Readonly<Record<string, string>> = { entryIds: 'entry', kinds: 'kind' }

interface LookUp {
  query: Readonly<Record<string, unknown>>
  /** Looks the same up in the whole session. */
  inAll: () => RecallReply
}

/** Says what a look-up has found beside what it shows. @throws CliError if it shows nothing */
function sayWhatElse(reply: RecallReply, lookUp: LookUp, { terminal }: Cli): void {
  const { nextOffset, searched, passages } = reply
  if (searched.note !== undefined) terminal.say(inOptions(searched.note))
  if (passages.length === 0) throw new CliError('nothingFound', describeNothing(reply, lookUp))
  const more = nextOffset === undefined ? '' : ` More: --offset ${nextOffset}`
  terminal.say(`${describeMatches(reply)}${describeUnknown(reply)}${more}`)
}

/** Returns why nothing is shown. The note has said what was searched, if that was not everything. */
function describeNothing(reply: RecallReply, { query, inAll }: LookUp): string {
  const { searched, matches, scope } = reply
  if (matches.some > 0) return 'Nothing is left to show.'
  const filters = LOOKED_UP.filter((name) => name in query && name !== 'query')
  if (filters.join() === 'entryIds' && !('query' in query)) return 'These entries have no text to show.'
  const where = filters.length > 0 ? 'what passes' : counted(searched.entries, 'entry', 'entries')
  return `Nothing was found in ${where}.${describeUnknown(reply)}${scope === 'all' ? '' : describeRest(inAll())}`
}

/** Returns what there is in the rest of the session, which the agent still sees. */
const describeRest = ({ matches: { some } }: RecallReply): string =>
  ` Only what compactions have replaced was searched: the rest of the session has ${some === 0 ? 'nothing of it either.' : `${countedUnits(some)} with it, which --scope all shows.`}`

/**
 * Returns a passage as a reader of the command line sees it: a line that says what it is, and its text, indented. No line of a session
 * can look like the first one.
 */
function writePassage(passage: RecallPassage, { paint }: Pick<Terminal, 'paint'>): string {
  const { entryIds, kind, tool, time, position, lead, text, cutBefore, cutAfter, outcome, copies } = passage
  const head = [tool === undefined ? kind : `${kind} (${tool})`, position, time?.replace(/\.\d+Z$/, 'Z')]
  const ids = `id ${entryIds.join(' ')}${copies === undefined ? '' : `, older copies: ${copies.join(' ')}`}`
  const lines = [
    ...(lead === undefined ? [] : [lead]),
    ...(cutBefore > BLANKS ? [`[${counted(cutBefore, 'character')} before]`] : []),
    text,
    ...(cutAfter > BLANKS ? [`[${counted(cutAfter, 'character')} after]`] : []),
    ...(outcome === undefined ? [] : ['', outcome]),
  ]
  const first = paint('bold', oneLine([...head.filter((part) => part !== undefined), ids].join(', ')))
  return `${first}\n${lines.map(indent).join('\n')}\n`
}

/** So few characters between two parts of a text are line ends. */
const BLANKS = 2

/** Ids and names of tools are texts of a session too. */
const oneLine = (text: string): string => withoutControls(text).replace(/\s+/g, ' ')

/** A separator of Unicode may end a line for a reader too. */
const indent = (text: string): string =>
  withoutControls(text)
    .split(/[\n\u2028\u2029]/)
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')

/** Returns how many messages and calls match, also those that are not shown. */
function describeMatches({ passages, matches: { all, some, allByKind, someByKind } }: RecallReply): string {
  const shown = `${counted(passages.length, 'passage')} of `
  if (all === some) return `${shown}${countedUnits(all)}${describeKinds(allByKind)}.`
  if (all === 0)
    return `${shown}${countedUnits(some)} with some of the words, none with all${describeKinds(someByKind)}.`
  return `${shown}${countedUnits(some)}; ${count(all)} with all words${describeKinds(allByKind)}.`
}

function describeKinds(kinds: Readonly<Record<string, number>>): string {
  const parts = Object.entries(kinds).map(([kind, number]) => `${kind} ${count(number)}`)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** Returns what was not found of a query, as a sentence after another one; empty if all was. */
const describeUnknown = ({ unknownTerms }: RecallReply): string =>
  unknownTerms.length === 0 ? '' : ` ${describeUnknownTerms(unknownTerms, JSON.stringify)}`
