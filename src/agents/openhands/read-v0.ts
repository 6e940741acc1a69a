import { fieldsOf, isObject, jsonOrText, type ElementPlace, type SourceElement } from '../../session/entry.ts'
import { textBlocks, type ContentBlock, type Message } from '../../session/message.ts'
import type { EntrySink, SessionReader, ValueReader } from '../reader.ts'
import { AnswerBuffer } from '../shared/answer-buffer.ts'
import { imageBlock, modelFact, thinkingBlocks, toolCall, toolResult, type AnswerFacts } from '../shared/messages.ts'
import { asText, countsOf, listOf, type Fields } from '../shared/values.ts'
import { CondensedEvents } from './events.ts'

/** Trajectories of OpenHands 0.x: a list of actions and observations. */
export const openhandsV0Reader: SessionReader = {
  detect: ({ values }) => values.some(isEvent),
  describe: describeEvent,
  open: (sink) => new TrajectoryReader(sink),
}

const SOURCES = new Set<unknown>(['user', 'agent', 'environment'])

function isEvent(value: unknown): boolean {
  const { id, source, action, observation } = fieldsOf(value)
  const isNamed = typeof action === 'string' || typeof observation === 'string'
  return typeof id === 'number' && SOURCES.has(source) && isNamed
}

/** Actions and observations without a part in the conversation. */
const SILENT = new Set([
  ...['system', 'recall', 'change_agent_state', 'agent_state_changed', 'condensation_request', 'null', 'pause'],
  ...['resume', 'stop', 'loop_recovery', 'think'],
])

/** Instructions stay before a summary. A condensation forgets events by their ids, which are numbers. */
function describeEvent({ id, action, observation }: Fields): Pick<SourceElement, 'kind' | 'id'> {
  const number = typeof id === 'number' ? { id } : {}
  if (action === 'system') return { kind: 'instruction', ...number }
  const isShown = action !== 'condensation' && typeof (action ?? observation) === 'string'
  return { ...(isShown ? { kind: 'shown' } : {}), ...number }
}

class TrajectoryReader implements ValueReader {
  readonly #sink: EntrySink
  readonly #answers: AnswerBuffer
  readonly #events = new CondensedEvents()
  #responseId: unknown
  /** Where the newest summary is. Answers before it that are not forgotten were kept: their usage is that of the old context. */
  #summaryIndex = -1
  /** The text of the model in this response, besides calls. */
  #written = new Set<string>()

  constructor(sink: EntrySink) {
    this.#sink = sink
    this.#answers = new AnswerBuffer(sink)
  }

  read(value: unknown, place: ElementPlace): void {
    const event = fieldsOf(value)
    const { id, action, observation, args } = event
    if (action === 'condensation') {
      const hasSummary = asText(fieldsOf(args)['summary']) !== ''
      if (hasSummary) this.#summaryIndex = place.index
      this.#events.condense(this.#forgottenIds(fieldsOf(args)), hasSummary ? { event, place } : undefined)
    } else if (typeof (action ?? observation) === 'string') this.#events.add(idOf(id), { event, place })
    else this.#sink.ignore('entryTypes', '')
  }

  end(): void {
    for (const { event, place } of this.#events.all()) this.#readEvent(event, place)
    this.#answers.close()
  }

  #forgottenIds(args: Fields): Iterable<string> {
    const { forgotten_event_ids: ids, forgotten_events_start_id: first, forgotten_events_end_id: last } = args
    if (Array.isArray(ids)) return ids.map(idOf)
    return typeof first === 'number' && typeof last === 'number' ? this.#events.idsBetween(first, last) : []
  }

  #readEvent(event: Fields, place: ElementPlace): void {
    const { action, observation, args, source } = event
    const id = idOf(event['id']) || undefined
    if (action === 'condensation') {
      this.#answers.close()
      this.#sink.add({ type: 'compaction', id, summary: asText(fieldsOf(args)['summary']) }, place)
    } else if (observation !== undefined) {
      const message = readObservation(event)
      if (message !== undefined) this.#answers.add({ type: 'message', id, message }, place)
    } else if (source === 'agent') this.#readAction(event, { id, place })
    else {
      const message = source === 'user' ? readUserAction(event) : undefined
      if (message === undefined) return
      this.#answers.close()
      this.#sink.add({ type: 'message', id, message }, place)
    }
  }

  /** Calls of one response of the model are events of their own. */
  #readAction(event: Fields, node: { id: string | undefined; place: ElementPlace }): void {
    const content = readAction(event)
    if (content.length === 0) return
    const response = fieldsOf(fieldsOf(event['tool_call_metadata'])['model_response'])
    const isSame = typeof response['id'] === 'string' && response['id'] === this.#responseId
    this.#responseId = response['id']
    if (!isSame || this.#answers.open === undefined) {
      this.#answers.begin(node)
      this.#written = new Set()
    }
    // The text of the response is repeated with each of its calls.
    const added = content.filter((block) => block.type === 'toolCall' || this.#isNew(JSON.stringify(block)))
    const { usage, ...facts } = describe(response)
    this.#answers.extend(added, node.place.index < this.#summaryIndex ? facts : { ...facts, ...(usage && { usage }) })
  }

  #isNew(block: string): boolean {
    const isNew = !this.#written.has(block)
    this.#written.add(block)
    return isNew
  }
}

const idOf = (id: unknown): string => (typeof id === 'number' ? String(id) : asText(id))

function readUserAction({ action, args, message }: Fields): Message | undefined {
  const { command, content, image_urls: urls } = fieldsOf(args)
  if (action === 'run') return { role: 'bashExecution', command: asText(command), output: '', cancelled: false }
  const addresses = Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : []
  const images = addresses.map((url) => imageBlock({ image_url: { url } }))
  const blocks = [...textBlocks(asText(content) || message), ...images]
  return action === 'message' && blocks.length > 0 ? { role: 'user', content: blocks } : undefined
}

/** Returns the text of an action of the agent, and its call as the model wrote it. */
function readAction(event: Fields): ContentBlock[] {
  const action = asText(event['action'])
  const metadata = fieldsOf(event['tool_call_metadata'])
  const { thought, content, final_thought: final, ...values } = fieldsOf(event['args'])
  if (SILENT.has(action) && action !== 'think') return []
  if (action === 'message' || action === 'finish')
    return textBlocks(asText(final) || asText(content) || asText(thought) || event['message'])
  const [choice] = listOf(fieldsOf(metadata['model_response'])['choices'])
  const { content: text, reasoning_content: reasoning, tool_calls: calls } = fieldsOf(choice?.['message'])
  const written = [...thinkingBlocks(reasoning), ...textBlocks(text)]
  if (action === 'think') return [...written, ...thinkingBlocks(thought)]
  const call = listOf(calls).find(({ id }) => id === metadata['tool_call_id'])
  const json = asText(fieldsOf(call?.['function'])['arguments'])
  const own = { ...values, ...(content === undefined ? {} : { content }) }
  return [
    ...written,
    ...(asText(text) === '' ? textBlocks(thought) : []),
    toolCall(
      asText(metadata['tool_call_id']) || idOf(event['id']),
      asText(metadata['function_name']) || action,
      json === '' ? own : jsonOrText(json),
    ),
  ]
}

/** Returns the result of a call. It is joined to its call by the call's id, or by the event that caused it. */
function readObservation({ observation, tool_call_metadata: call, cause, content, extras }: Fields) {
  if (SILENT.has(asText(observation))) return undefined
  const { metadata, exit_code: ownCode } = fieldsOf(extras)
  const exitCode = fieldsOf(metadata)['exit_code'] ?? ownCode
  return toolResult(asText(fieldsOf(call)['tool_call_id']) || idOf(cause), asText(content), {
    name: fieldsOf(call)['function_name'],
    isError: observation === 'error' || (typeof exitCode === 'number' && exitCode !== 0),
    exitCode,
  })
}

function describe({ model, usage }: Fields): AnswerFacts {
  const count = countsOf(usage)
  const counts = { input: count('prompt_tokens'), output: count('completion_tokens'), cacheRead: 0, cacheWrite: 0 }
  return { ...modelFact(model), ...(isObject(usage) ? { usage: counts } : {}) }
}
