import type { Format } from './format.ts'
import { isResponsesItem, ResponsesReader } from './responses-items.ts'

/** Items of OpenAI's Responses API: a request (`input`), a reply (`output`), or a list of items. */
export const RESPONSES: Format = {
  id: 'responses',
  detect: ({ values }) => values.some(isResponsesItem),
  open: (sink) => new ResponsesReader(sink),
}
