import { fieldsOf, type ElementPlace } from '../../session/entry.ts'
import { readCompactedSummary } from '../own-summary.ts'
import type { ListReader, ValueReader, ListSink } from '../reader.ts'
import { asText } from '../shared/values.ts'
import { isResponsesItem, ResponsesReader } from './responses-items.ts'

/** Items of OpenAI's Responses API: a request (`input`), a reply (`output`), or a list of items. */
export const responsesReader: ListReader = {
  detect: ({ values }) => values.some(isResponsesItem),
  open: (sink) => new ItemsReader(sink),
}

/** Reads items, with the compactions of this service. Those of other services are encrypted, and count as absent. */
class ItemsReader implements ValueReader {
  readonly #sink: ListSink
  readonly #items: ResponsesReader

  constructor(sink: ListSink) {
    this.#sink = sink
    this.#items = new ResponsesReader(sink)
  }

  read(value: unknown, place: ElementPlace): void {
    const item = fieldsOf(value)
    const summary = readCompactedSummary(item)
    if (summary === undefined) {
      this.#items.read(value, place)
      return
    }
    this.#items.end()
    this.#sink.add({ type: 'compaction', id: asText(item['id']), summary }, place)
  }

  end(): void {
    this.#items.end()
  }
}
