import { numberOf, optionTextOf, type Values } from './read-arguments.ts'

/** The window that is assumed if neither the user nor the agent nor the session names one: that of several models of agents. */
export const DEFAULT_WINDOW = 200_000

/** The context window that was named, or the one that counts if the session names none either. */
export type WindowQuery = { contextWindow: number } | { defaultContextWindow: number }

/** Returns the context window of the agent's model, in tokens, for a request. @param named by the agent @throws CliError */
export function windowOf(values: Values, named?: number): WindowQuery {
  const contextWindow = named ?? numberOf(values, 'window', { least: 1 })
  return contextWindow === undefined ? { defaultContextWindow: DEFAULT_WINDOW } : { contextWindow }
}

/** Returns what the user says of the writing of a summary. @throws CliError */
export const writingOf = (values: Values) => ({
  // The least that the service accepts.
  transcriptTokens: numberOf(values, 'budget', { least: 1000 }),
  customInstructions: optionTextOf(values, 'focus'),
})

/** Returns what the user says of a compaction. @throws CliError */
export const compactionOf = (values: Values) => ({
  ...windowOf(values),
  ...writingOf(values),
  keepRecentTokens: numberOf(values, 'keep'),
})
