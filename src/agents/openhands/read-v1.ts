import { fieldsOf, isObject, jsonOrText, type ElementPlace, type SourceElement } from '../../session/entry.ts'
import type { ContentBlock, Message, UserAnswer } from '../../session/message.ts'
import { readAnthropicBlocks } from '../apis/anthropic-blocks.ts'
import type { EntrySink, SessionReader, ValueReader } from '../reader.ts'
import { AnswerBuffer } from '../shared/answer-buffer.ts'
import { thinkingBlocks, toolCall, toolResult } from '../shared/messages.ts'
import { saidAlone } from '../shared/user-answers.ts'
import { asText, type Fields } from '../shared/values.ts'
import { CondensedEvents } from './events.ts'

/** Conversations of OpenHands' software agent SDK: its events, as lines or as a list. */
export const openhandsV1Reader: SessionReader = {
  detect: ({ values }) => values.some(isEvent),
  describe: describeEvent,
  open: (sink) => new EventsReader(sink),
}

const READ_KINDS = new Set([
  ...['MessageEvent', 'ActionEvent', 'ObservationEvent', 'AgentErrorEvent', 'UserRejectObservation', 'Condensation'],
])

/** Events without a part in the conversation. */
const SILENT_KINDS = new Set([
  ...['SystemPromptEvent', 'CondensationSummaryEvent', 'CondensationRequest', 'ConversationStateUpdateEvent'],
  ...['PauseEvent', 'TokenEvent', 'ConversationErrorEvent', 'LLMCompletionLogEvent'],
])

function isEvent(value: unknown): boolean {
  const kind = asText(fieldsOf(value)['kind'])
  return READ_KINDS.has(kind) || SILENT_KINDS.has(kind)
}

const isOfUser = ({ kind, source, llm_message: message }: Fields): boolean =>
  kind === 'MessageEvent' && source === 'user' && fieldsOf(message)['role'] === 'user'

/** Whether a message has the name of its sender: another agent that delegates (software agent SDK, November 2026). */
const hasSender = ({ sender }: Fields): boolean => asText(sender) !== ''

const SHOWN_KINDS = new Set<unknown>([
  ...['MessageEvent', 'ActionEvent', 'ObservationEvent', 'AgentErrorEvent', 'UserRejectObservation'],
  'CondensationSummaryEvent',
])

/** Instructions stay before a summary. A condensation forgets events, and the summaries of earlier condensations, by their ids. */
function describeEvent(event: Fields): Pick<SourceElement, 'kind' | 'id'> {
  const { kind, llm_message: message, summary } = event
  const id = asText(event['id'])
  if (kind === 'SystemPromptEvent' || fieldsOf(message)['role'] === 'system') return { kind: 'instruction', id }
  if (kind === 'Condensation') return typeof summary === 'string' ? { kind: 'summary', id: id && `${id}-summary` } : {}
  return SHOWN_KINDS.has(kind) ? { kind: 'shown', id } : {}
}

class EventsReader implements ValueReader {
  readonly #sink: EntrySink
  readonly #answers: AnswerBuffer
  readonly #events = new CondensedEvents()
  #responseId = ''
  /** Whether a person writes to the agent, and not only other agents or programs with a name. */
  #hasUser = false

  constructor(sink: EntrySink) {
    this.#sink = sink
    this.#answers = new AnswerBuffer(sink)
  }

  read(value: unknown, place: ElementPlace): void {
    const event = fieldsOf(value)
    const kind = asText(event['kind'])
    if (kind === 'Condensation') {
      const { forgotten_event_ids: ids, summary } = event
      const forgotten = Array.isArray(ids) ? ids.map(asText) : []
      this.#events.condense(forgotten, asText(summary) === '' ? undefined : { event, place })
    } else if (READ_KINDS.has(kind)) this.#events.add(asText(event['id']), { event, place })
    else if (!SILENT_KINDS.has(kind)) this.#sink.ignore('entryTypes', kind)
  }

  end(): void {
    this.#hasUser = this.#events.all().some(({ event }) => isOfUser(event) && !hasSender(event))
    for (const { event, place } of this.#events.all()) this.#readEvent(event, place)
    this.#answers.close()
  }

  #readEvent(event: Fields, place: ElementPlace): void {
    const id = asText(event['id']) || undefined
    switch (event['kind']) {
      case 'Condensation':
        this.#answers.close()
        this.#sink.add({ type: 'compaction', id, summary: asText(event['summary']) }, place)
        return
      case 'MessageEvent':
        this.#answers.close()
        for (const message of this.#readMessage(event)) this.#sink.add({ type: 'message', id, message }, place)
        return
      case 'ActionEvent':
        this.#readAction(event, { id, place })
        return
      default:
        this.#answers.add({ type: 'message', id, message: this.#readResult(event) }, place)
    }
  }

  #readMessage(event: Fields): Message[] {
    const { role, content, reasoning_content: reasoning } = fieldsOf(event['llm_message'])
    const blocks = [...thinkingBlocks(reasoning), ...this.#readContent(content)]
    if (blocks.length === 0 || role === 'system') return []
    if (role === 'assistant') return [{ role, content: blocks }]
    // A message of another agent to a sub-agent is its task; in a session of a user, it is not the user's.
    const isUsers = isOfUser(event) && !(this.#hasUser && hasSender(event))
    return [{ role: isUsers ? 'user' : 'custom', content: blocks }]
  }

  /** Parallel calls are events of their own, with the same response of the model. */
  #readAction(event: Fields, node: { id: string | undefined; place: ElementPlace }): void {
    const responseId = asText(event['llm_response_id'])
    if (this.#answers.open === undefined || responseId === '' || responseId !== this.#responseId)
      this.#answers.begin(node)
    this.#responseId = responseId
    const { kind: _kind, ...values } = fieldsOf(event['action'])
    const call = fieldsOf(event['tool_call'])
    const json = asText(call['arguments'])
    this.#answers.extend([
      ...thinkingBlocks(event['reasoning_content']),
      ...this.#readContent(event['thought']),
      toolCall(
        asText(event['tool_call_id']) || call['id'],
        asText(event['tool_name']) || call['name'],
        withSummary(json === '' ? values : jsonOrText(json), event),
      ),
    ])
  }

  #readResult(event: Fields): Message {
    const { observation, error, rejection_reason: reason } = event
    const { content, is_error: isError, exit_code: ownCode, metadata } = fieldsOf(observation)
    const exitCode = ownCode ?? fieldsOf(metadata)['exit_code']
    const shown = isObject(observation) ? this.#readContent(content) : asText(error) || asText(reason)
    return toolResult(event['tool_call_id'], shown, {
      name: event['tool_name'],
      isError: isError === true || !isObject(observation) || (typeof exitCode === 'number' && exitCode !== 0),
      exitCode,
      answers: event['kind'] === 'UserRejectObservation' ? readRejection(event) : [],
    })
  }

  #readContent(content: unknown): ContentBlock[] {
    return readAnthropicBlocks(content, this.#sink.ignore).blocks
  }
}

/** Returns the arguments of a call with what the model says of it: an argument that OpenHands keeps beside those of its tool. */
const withSummary = (values: unknown, { summary }: Fields): unknown =>
  isObject(values) && asText(summary) !== '' ? { ...values, summary: values['summary'] ?? summary } : values

/** The reason where the user gives none. */
const NO_REASON = 'User rejected the action'

/** Returns the user's reason; a hook of the user rejects actions too. */
const readRejection = ({ rejection_reason: reason, rejection_source: source = 'user' }: Fields): UserAnswer[] =>
  source === 'user' && reason !== NO_REASON ? saidAlone(reason) : []
