import type { Entry } from '../session/entry.ts'
import type { AssistantMessage } from '../session/message.ts'

/**
 * Tells whether a session still uses the model that wrote a message: no later model change names another one. A message
 * that does not tell its model counts as the current one's.
 * @param later the entries after the message. pi writes `{provider, modelId}`, oh-my-pi `{model: "provider/id"}`
 */
export function usesModelOf({ provider, model }: AssistantMessage, later: readonly Entry[]): boolean {
  const change = later.findLast(({ type }) => type === 'model_change')?.raw
  if (change === undefined || model === undefined) return true
  const current = change['model'] ?? (change['provider'] === undefined ? change['modelId'] : idOf(change))
  return current === model || current === `${provider ?? ''}/${model}`
}

const idOf = ({ provider, modelId }: Record<string, unknown>): string => `${String(provider)}/${String(modelId)}`
