import { Problem, type Fault } from '../../errors.ts'
import { invalidBody } from '../../ingest/compile-validator.ts'
import { MAX_FAULTS } from '../../schemas/find-faults.ts'
import type { ResponsesRequest } from '../../schemas/responses.ts'

/**
 * Returns the items of a request.
 * @throws Problem if it has none, if a message has an unknown role, or if it refers to a response that is stored elsewhere
 */
export function inputItemsOf({
  input,
  previous_response_id: previousId,
}: Pick<ResponsesRequest, 'input' | 'previous_response_id'>) {
  if (typeof previousId === 'string')
    throw wrongField(
      '/previous_response_id',
      'must be null: this service stores no responses',
      `as \`input\`${AGENTS_SDK}`,
    )
  if (input === undefined || input === null)
    throw wrongField('/input', 'is required', `as a text or as items${AGENTS_SDK}`)
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }]
  const faults = input.flatMap((item, index) => (hasUnknownRole(item) ? [roleFault(item, index)] : []))
  if (faults.length > 0) throw invalidBody(faults.slice(0, MAX_FAULTS))
  return input
}

/** The default of `OpenAIResponsesCompactionSession` (@openai/agents 0.20) sends only the id of a response. */
const AGENTS_SDK = " (in OpenAI's Agents SDK: `compactionMode: 'input'`)"

/** The roles of messages in OpenAI's Responses API (its reference, "Create a model response": `EasyInputMessage`). */
const ITEM_ROLES = ['user', 'assistant', 'system', 'developer']

/**
 * Returns whether an item is a message that the model would never read. Items of an unknown type are no messages: newer clients
 * may send some. A message needs no type, and a reference to an item (`{"id": ...}`) has none either.
 */
function hasUnknownRole({ type, role, content }: Readonly<Record<string, unknown>>): boolean {
  const isMessage = type === 'message' || ((type ?? undefined) === undefined && (role ?? content) !== undefined)
  return isMessage && !ITEM_ROLES.some((one) => one === role)
}

const roleFault = ({ role }: Readonly<Record<string, unknown>>, index: number): Fault => ({
  pointer: `/input/${index}/role`,
  detail: role === undefined ? 'is required' : `must be ${ITEM_ROLES.map((one) => `"${one}"`).join(' or ')}`,
})

const wrongField = (pointer: string, detail: string, how: string): Problem =>
  new Problem('invalid-request', `Send the whole conversation ${how}.`, { faults: [{ pointer, detail }] })
