import type { AgentHooks, HookedAgentName, HookedSession } from '../../agents/hooks.ts'
import type { Fields } from '../../agents/shared/values.ts'
import { fieldsOf } from '../../session/entry.ts'
import type { Cli } from '../cli.ts'
import type { NamedSession } from '../find-session.ts'
import { numberOf, type Values } from '../read-arguments.ts'
import { windowOf, writingOf, type WindowQuery } from '../request-query.ts'
import type { SessionNotes } from './session-notes.ts'

export interface AgentEvent {
  agent: HookedAgentName
  hooks: AgentHooks
  /** The name of the event. */
  event: string
  /** What the agent says of it. */
  input: Fields
  session: HookedSession
  values: Values
  cli: Cli
  notes: SessionNotes
}

/** Returns the session of an event as the commands name sessions. */
export const namedSessionOf = ({ session: { id, path } }: AgentEvent): NamedSession =>
  path === undefined ? { kind: 'database', id } : { kind: 'file', path }

/** Of the tokens that are reserved for an answer, a summary may take 0.8: so it fits into its parts at some 4 characters a token. */
const RESERVED_PER_CHARACTER = 0.31

/** Returns the settings of a summary: a preparation and the compaction that uses it have the same ones. */
export function summaryQueryOf({ hooks: { format, context, isKeeping }, values, input }: AgentEvent) {
  const { keepRecentTokens, reserveTokens } = fieldsOf(input['settings'])
  const { customInstructions } = input
  const reserved = context && Math.floor(context.parts * context.maxCharacters * RESERVED_PER_CHARACTER)
  return {
    format,
    keepRecentTokens: isKeeping === true ? (countOf(keepRecentTokens) ?? numberOf(values, 'keep')) : 1,
    reserveTokens: countOf(reserveTokens) ?? reserved,
    ...writingOf(values),
    ...(typeof customInstructions === 'string' && customInstructions !== '' && { customInstructions }),
  }
}

/** Returns the context window of the agent's model for a request. */
export const windowQueryOf = ({ input, values }: AgentEvent): WindowQuery =>
  windowOf(values, countOf(fieldsOf(input['settings'])['contextWindow']))

/** Returns the same in tokens, before the session is read: that may name another one. */
export function windowOfEvent(event: AgentEvent): number {
  const query = windowQueryOf(event)
  return 'contextWindow' in query ? query.contextWindow : query.defaultContextWindow
}

const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined

/** Prints a text as the agents read it that give it to their models. */
export async function printContext({ event, cli }: AgentEvent, text: string | undefined): Promise<void> {
  if (text === undefined) return
  const hookSpecificOutput = { hookEventName: event, additionalContext: text }
  await cli.terminal.print(`${JSON.stringify({ hookSpecificOutput })}\n`)
}
