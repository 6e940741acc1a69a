import { fieldsOf, type SourceElement } from '../../session/entry.ts'
import { asText, type Fields } from '../shared/values.ts'

/** Events that are shown to the model. */
const SHOWN_KINDS = new Set<unknown>([
  ...['MessageEvent', 'ActionEvent', 'ObservationEvent', 'AgentErrorEvent', 'UserRejectObservation'],
  'CondensationSummaryEvent',
])

/** Instructions stay before a summary. A condensation forgets events, and the summaries of earlier condensations, by their ids. */
export function describeEventV1(event: Fields): Pick<SourceElement, 'kind' | 'id'> {
  const { kind, llm_message: message, summary } = event
  const id = asText(event['id'])
  if (kind === 'SystemPromptEvent' || fieldsOf(message)['role'] === 'system') return { kind: 'instruction', id }
  if (kind === 'Condensation') return typeof summary === 'string' ? { kind: 'summary', id: id && `${id}-summary` } : {}
  return SHOWN_KINDS.has(kind) ? { kind: 'shown', id } : {}
}

/** Instructions stay before a summary. A condensation forgets events by their ids, which are numbers. */
export function describeEventV0({ id, action, observation }: Fields): Pick<SourceElement, 'kind' | 'id'> {
  const number = typeof id === 'number' ? { id } : {}
  if (action === 'system') return { kind: 'instruction', ...number }
  const isShown = action !== 'condensation' && typeof (action ?? observation) === 'string'
  return { ...(isShown ? { kind: 'shown' } : {}), ...number }
}
