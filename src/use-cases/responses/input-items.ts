import { Problem, type Fault } from '../../errors.ts'
import { invalidBody } from '../../ingest/compile-validator.ts'
import { MAX_FAULTS } from '../../schemas/find-faults.ts'
import type { ResponsesRequest } from '../../schemas/responses.ts'
import { fieldsOf } from '../../session/entry.ts'

/**
 * Returns the items of a request.
 * @throws Problem if it has none, if a message has an unknown role, or if it refers to what is stored elsewhere
 */
export function inputItemsOf({ input, ...fields }: Pick<ResponsesRequest, 'input' | keyof typeof REFERENCES>) {
  for (const [name, stored] of Object.entries(REFERENCES))
    if ((fieldsOf(fields)[name] ?? undefined) !== undefined)
      throw wrongField(`/${name}`, `must be null: this service stores no ${stored}`, `as \`input\`${AGENTS_SDK}`)
  if (input === undefined || input === null)
    throw wrongField('/input', 'is required', `as a text or as items${AGENTS_SDK}`)
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }]
  const faults = input.flatMap((item, index) => [
    ...(isReference(item) ? [referenceFault(index)] : []),
    ...(hasUnknownRole(item) ? [roleFault(item, index)] : []),
  ])
  if (faults.length > 0) throw invalidBody(faults.slice(0, MAX_FAULTS))
  return input
}

/** The fields that refer to a part of the request which OpenAI's servers store. */
const REFERENCES = { previous_response_id: 'responses', conversation: 'conversations', prompt: 'prompts' }

type Item = Readonly<Record<string, unknown>>

/** Returns whether an item stands for one that is stored elsewhere; it needs no type (`ItemReferenceParam`). */
const isReference = ({ type, id, ...others }: Item): boolean =>
  type === 'item_reference' || ((type ?? undefined) === undefined && typeof id === 'string' && isEmpty(others))

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0

const referenceFault = (index: number): Fault => ({
  pointer: `/input/${index}`,
  detail: 'must be the item itself, not a reference to it: this service stores no items',
})

/** The default of `OpenAIResponsesCompactionSession` (@openai/agents 0.20) sends only the id of a response. */
const AGENTS_SDK = " (in OpenAI's Agents SDK: `compactionMode: 'input'`)"

/** The roles of messages in OpenAI's Responses API (its reference, "Create a model response": `EasyInputMessage`). */
const ITEM_ROLES = ['user', 'assistant', 'system', 'developer']

/**
 * Returns whether an item is a message that the model would never read. Items of an unknown type are no messages: newer clients
 * may send some. A message needs no type, and a reference to an item (`{"id": ...}`) has none either.
 */
function hasUnknownRole({ type, role, content }: Item): boolean {
  const isMessage = type === 'message' || ((type ?? undefined) === undefined && (role ?? content) !== undefined)
  return isMessage && !ITEM_ROLES.some((one) => one === role)
}

const roleFault = ({ role }: Item, index: number): Fault => ({
  pointer: `/input/${index}/role`,
  detail: role === undefined ? 'is required' : `must be ${ITEM_ROLES.map((one) => `"${one}"`).join(' or ')}`,
})

const wrongField = (pointer: string, detail: string, how: string): Problem =>
  new Problem('invalid-request', `Send the whole conversation ${how}.`, { faults: [{ pointer, detail }] })
