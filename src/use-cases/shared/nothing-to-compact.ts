import { Problem } from '../../errors.ts'
import type { CompactionPlan } from '../../plan/plan-compaction.ts'
import type { CompactionSettings } from '../../plan/settings.ts'
import { startRedaction } from '../../redact/redaction.ts'
import type { Ignored } from '../../schemas/ignored.ts'
import type { Entry } from '../../session/entry.ts'
import { reportIgnored } from '../../summary/report.ts'
import { counted } from '../../text/numbers.ts'
import { oneLine } from '../../text/shorten.ts'

/** Returns the problem of a request without messages to summarize. */
export const nothingToCompact = (detail: string): Problem => new Problem('nothing-to-compact', detail)

/** A session in which nothing can be summarized. */
interface UnusedSession {
  entries: readonly Entry[]
  branch: readonly Entry[]
  settings?: CompactionSettings | undefined
  /** The name of the text that was planned. */
  name?: 'session' | 'transcript'
}

/** Returns why the plan of a session has no cut, with numbers, and what the client can do. */
export const explainNoCut = (plan: CompactionPlan, session: UnusedSession): string =>
  explainNoMessages(session) ?? explainKept(plan, session)

/** Returns why a session without a message has none, and what the client can do; undefined if it has one. */
export function explainNoMessages({ entries }: Pick<UnusedSession, 'entries'>): string | undefined {
  if (entries.some(hasMessage)) return undefined
  return entries.length === 0
    ? 'The session is empty: it has no entries and no messages. Send a session with messages.'
    : `The session has ${counted(entries.length, 'entry', 'entries')}, but none with a message that can be summarized. Send messages of the user or the assistant.`
}

/** The summary of fewer tokens would hardly be shorter than they are. */
export const WORTH_LOWERING_TOKENS = 1000

function explainKept(
  { tokensKept, kept, keep: { asked }, previousCompaction }: CompactionPlan,
  { branch, settings = {}, name = 'session' }: UnusedSession,
): string {
  if (!branch.some(hasMessage))
    return `The branch up to \`leafId\` has ${counted(branch.length, 'entry', 'entries')}, none with a message, so there is nothing to compact. Name another leaf.`
  if (kept.length === 0)
    return 'The session has no messages after its last compaction, so there is nothing to compact yet. Compact later.'
  const what =
    previousCompaction === undefined ? `the whole ${name} has` : 'the messages after the last compaction have'
  const tokens = counted(tokensKept, 'token')
  if (tokensKept <= asked) {
    const setting = settings.keepRecentTokens === undefined ? `${asked} (the default)` : asked
    const remedy =
      tokensKept < WORTH_LOWERING_TOKENS
        ? 'Compact later.'
        : `Lower it, to ${Math.floor(tokensKept / 200) * 100} for example, or compact later.`
    return `\`keepRecentTokens\` is ${setting}, and ${what} ${tokens}: there is nothing to compact yet. ${remedy}`
  }
  return `Although ${what} ${tokens}, there is nothing to compact yet: the newest message stays whatever its size, a tool call stays with its results, and no message is before them. Compact later.`
}

/**
 * Returns a sentence that names unknown parts of the request, which may be the cause; an empty text if there are none.
 * @param redact whether secrets are replaced
 */
export function hintAtIgnored(ignored: Ignored | undefined, redact: boolean): string {
  if (ignored === undefined) return ''
  const shown = reportIgnored(ignored, startRedaction(redact))
  const parts = GROUPS.flatMap(([group, one]) => nameSome(Object.keys(shown[group] ?? {}), one))
  return parts.length === 0 ? '' : ` Ignored, because their names are unknown: ${parts.join('; ')}.`
}

const GROUPS = [
  ['fields', 'field'],
  ['settings', 'setting'],
  ['query', 'query parameter'],
  ['entryTypes', 'entry type'],
  ['roles', 'role'],
  ['blocks', 'block type'],
] as const

const MAX_NAMES = 5

/** Returns the first names of a kind: ``2 fields (`a`, `b`)``. */
function nameSome(names: readonly string[], one: string): string[] {
  if (names.length === 0) return []
  const some = names.slice(0, MAX_NAMES).map((name) => `\`${oneLine(name)}\``)
  const more = names.length > MAX_NAMES ? ', ...' : ''
  return [`${counted(names.length, one)} (${some.join(', ')}${more})`]
}

const hasMessage = ({ message }: Entry): boolean => message !== undefined
