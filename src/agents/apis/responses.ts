import { fieldsOf } from '../../session/entry.ts'
import { readCompactedSummary } from '../own-summary.ts'
import type { ListReader, ListSink, ValueReader } from '../reader.ts'
import { asText } from '../shared/values.ts'
import { isResponsesItem, ResponsesReader } from './responses-items.ts'

/** Items of OpenAI's Responses API: a request (`input`), a reply (`output`), or a list of items. */
export const responsesReader: ListReader = {
  detect: ({ values }) => values.some(isResponsesItem),
  open: openItems,
}

/** Reads items, with the compactions of this service. Those of other services are encrypted, and count as absent. */
function openItems(sink: ListSink): ValueReader {
  const items = new ResponsesReader(sink)
  const end = (): void => items.end()
  return {
    read: (value, place) => {
      const item = fieldsOf(value)
      const summary = readCompactedSummary(item)
      if (summary === undefined) {
        items.read(value, place)
        return
      }
      end()
      sink.add({ type: 'compaction', id: asText(item['id']), summary }, place)
    },
    end,
  }
}
