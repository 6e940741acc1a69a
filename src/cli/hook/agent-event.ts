import type { AgentHooks, HookedAgentName, HookedSession } from '../../agents/hooks.ts'
import type { Fields } from '../../agents/shared/values.ts'
import { fieldsOf } from '../../session/entry.ts'
import type { Cli } from '../cli.ts'
import type { NamedSession } from '../find-session.ts'
import { numberOf, optionTextOf, type Values } from '../read-arguments.ts'
import type { SessionNotes } from './session-notes.ts'

/** An event of an agent, and what counts for it. */
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
    transcriptTokens: numberOf(values, 'budget', { least: 1000 }),
    customInstructions:
      typeof customInstructions === 'string' && customInstructions !== ''
        ? customInstructions
        : optionTextOf(values, 'focus'),
  }
}

/** The window that is assumed if neither the agent nor the user names one. */
const DEFAULT_WINDOW = 200_000

type WindowSource = Pick<AgentEvent, 'input' | 'values'>

/** Returns the context window that the agent or the user names. */
const namedWindow = ({ input, values }: WindowSource): number | undefined =>
  countOf(fieldsOf(input['settings'])['contextWindow']) ?? numberOf(values, 'window', { least: 1 })

/** Returns the context window of the agent's model, in tokens, before the session is read: that may name another one. */
export const windowOfEvent = (event: WindowSource): number => namedWindow(event) ?? DEFAULT_WINDOW

/** Returns the same for a request. */
export function windowQueryOf(event: WindowSource): { contextWindow: number } | { defaultContextWindow: number } {
  const contextWindow = namedWindow(event)
  return contextWindow === undefined ? { defaultContextWindow: DEFAULT_WINDOW } : { contextWindow }
}

const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined

/** Prints a text as the agents read it that give it to their models. */
export async function printContext({ event, cli }: AgentEvent, text: string | undefined): Promise<void> {
  if (text === undefined) return
  const hookSpecificOutput = { hookEventName: event, additionalContext: text }
  await cli.terminal.print(`${JSON.stringify({ hookSpecificOutput })}\n`)
}
