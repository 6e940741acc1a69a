import { linesOf, listOf, valuesOf, type Replay, type Values } from './replay-trees.ts'

const shown = (values: readonly Values[], isSummary: (value: Values, text: string) => boolean): string[] =>
  values.map((value) => {
    const text = JSON.stringify(value)
    return isSummary(value, text) ? `SUMMARY ${text}` : text
  })

const PREFIX = 'Another language model started to solve this problem'

/** Codex: its items in order; a compaction replaces all before it by its history, a rollback removes the newest turns. */
export const replayCodex: Replay = (document) => {
  let items: Values[] = []
  const isUsers = (item: Values): boolean =>
    item['role'] === 'user' && !/environment_context|language model/.test(JSON.stringify(item))
  for (const { type, payload } of linesOf(document)) {
    const { num_turns: turns, message, replacement_history: history } = valuesOf(payload)
    if (type === 'response_item') items.push(valuesOf(payload))
    if (type === 'event_msg' && valuesOf(payload)['type'] === 'thread_rolled_back')
      for (let left = Number(turns); left > 0; left--) items = items.slice(0, items.findLastIndex(isUsers))
    if (type !== 'compacted') continue
    const summary = { role: 'user', content: [{ text: PREFIX + String(message) }] }
    items = Array.isArray(history) ? listOf(history) : [summary, ...items.filter(isUsers)]
  }
  // Codex adds its instructions and its environment again.
  const own = items.filter(
    (item) => item['role'] !== 'developer' && !JSON.stringify(item).includes('<environment_context>'),
  )
  return shown(own, (_, text) => text.includes(PREFIX))
}

/** Gemini CLI 0.61: records by id, the last of each counts; `$set.messages` replaces all, `$rewindTo` removes the end. */
export const replayGemini: Replay = (document) => {
  const lines = document.includes('"messages": [') ? [JSON.parse(document) as Values] : linesOf(document)
  let records = new Map<unknown, Values>()
  for (const [at, line] of lines.entries()) {
    const { $set: change, $rewindTo: target, id, type, messages } = line
    const list = valuesOf(change)['messages'] ?? messages
    if (Array.isArray(list)) records = new Map(listOf(list).map((record) => [record['id'], record]))
    else if (target !== undefined) {
      const ids = [...records.keys()]
      for (const gone of ids.slice(Math.max(0, ids.indexOf(target)))) records.delete(gone)
    } else if (type !== undefined) records.set(id ?? `line ${at}`, line)
  }
  const messages = [...records.values()].filter(({ type }) => type === 'user' || type === 'gemini')
  return shown(messages, (_, text) => text.includes('<state_snapshot>')).map(withoutId)
}

const withoutId = (text: string): string => text.replace(/^(SUMMARY )?\{"id":"[^"]*",/, '$1{')

/** opencode 1.18: the newest finished summary, the messages from its tail on up to its request, and those after it. */
export const replayOpencode: Replay = (document) => {
  const posted = JSON.parse(document) as Values | Values[]
  const messages = listOf(Array.isArray(posted) ? posted : posted['messages'])
  const infoOf = (message: Values | undefined): Values => valuesOf(message?.['info'])
  const isSummary = (message: Values): boolean => {
    const { summary, finish, error } = infoOf(message)
    return summary === true && finish !== undefined && error === undefined
  }
  const answer = messages.findLastIndex(isSummary)
  const markerOf = (message: Values): Values | undefined =>
    listOf(message['parts']).find(({ type }) => type === 'compaction')
  const ask = messages.findIndex((message) => infoOf(message)['id'] === infoOf(messages[answer])['parentID'])
  const tail = messages[ask] && markerOf(messages[ask])?.['tail_start_id']
  const from = messages.findIndex((message) => infoOf(message)['id'] === tail)
  const kept = answer < 0 || from < 0 ? [] : messages.slice(from, ask)
  const list = [...(answer < 0 ? [] : messages.slice(answer, answer + 1)), ...kept, ...messages.slice(answer + 1)]
  return shown(
    list.filter((message, at) => at === 0 || !(isSummary(message) || markerOf(message) !== undefined)),
    isSummary,
  )
}

const EVENTS = new Set<unknown>([
  ...['SystemPromptEvent', 'MessageEvent', 'ActionEvent', 'ObservationEvent', 'AgentErrorEvent'],
  ...['UserRejectObservation', 'CondensationSummaryEvent'],
])

/** OpenHands' SDK: each condensation removes the events that it names, and puts its summary at an offset, as an event. */
export const replayOpenhandsV1: Replay = (document) => {
  let view: Values[] = []
  for (const event of document.trimStart().startsWith('[') ? listOf(JSON.parse(document)) : linesOf(document)) {
    const { kind, id, forgotten_event_ids: ids, summary, summary_offset: offset } = event
    if (EVENTS.has(kind)) view.push(event)
    if (kind !== 'Condensation') continue
    view = view.filter((one) => !(ids as unknown[]).includes(one['id']))
    if (summary !== undefined && offset !== undefined)
      view.splice(Number(offset), 0, { kind: 'CondensationSummaryEvent', id: `${String(id)}-summary`, summary })
  }
  return shown(
    view.filter(({ kind }) => kind !== 'SystemPromptEvent'),
    ({ kind }) => kind === 'CondensationSummaryEvent',
  )
}

/** OpenHands 0.x: events that any condensation names are gone, and the newest summary stands at its offset. */
export const replayOpenhandsV0: Replay = (document) => {
  const events = listOf(JSON.parse(document))
  const condensations = events.filter(({ action }) => action === 'condensation').map(({ args }) => valuesOf(args))
  const isForgotten = (id: unknown): boolean =>
    condensations.some(
      ({ forgotten_event_ids: ids, forgotten_events_start_id: first, forgotten_events_end_id: last }) =>
        Array.isArray(ids) ? ids.includes(id) : Number(first) <= Number(id) && Number(id) <= Number(last),
    )
  const view = events.filter(({ id, action, observation }) => {
    const isShown = action !== 'condensation' && observation !== 'agent_state_changed'
    return isShown && !isForgotten(id)
  })
  const { summary, summary_offset: offset } = condensations.findLast((one) => one['summary'] !== undefined) ?? {}
  if (summary !== undefined) view.splice(Number(offset), 0, { observation: 'condense', content: summary })
  return shown(
    view.filter(({ action }) => action !== 'system'),
    ({ observation }) => observation === 'condense',
  )
}

/** Roo Code and Kilo Code: messages of an existing summary or truncation are left out, and all before the newest summary. */
export const replayRoo: Replay = (document) => {
  const messages = listOf(JSON.parse(document))
  const parents = new Set(messages.flatMap(({ condenseId, truncationId }) => [condenseId, truncationId]))
  parents.delete(undefined)
  const own = messages.filter(
    ({ condenseParent, truncationParent }) => !parents.has(condenseParent) && !parents.has(truncationParent),
  )
  const list = own.slice(
    Math.max(
      0,
      own.findLastIndex(({ isSummary }) => isSummary === true),
    ),
  )
  return shown(list, ({ isSummary }) => isSummary === true)
}

/** Cline 3: the messages of the file or of its compacted copy. */
export const replayCline: Replay = (document) => {
  const messages = listOf(valuesOf(JSON.parse(document))['messages'])
  const isSummary = ({ metadata }: Values): boolean => valuesOf(metadata)['kind'] === 'compaction_summary'
  return shown(messages.slice(Math.max(0, messages.findLastIndex(isSummary))), isSummary)
}

/** ATIF 1.7: the newest compaction replaces all steps before it. The numbers of steps, and whether they are copies, do not count. */
export const replayAtif: Replay = (document) => {
  const steps = listOf(valuesOf(JSON.parse(document))['steps'])
  const isSummary = ({ extra }: Values): boolean => valuesOf(extra)['context_management'] !== undefined
  return shown(
    steps
      .slice(Math.max(0, steps.findLastIndex(isSummary)))
      .filter((step) => step['source'] !== 'system' || isSummary(step))
      .map(({ step_id: _id, is_copied_context: _copied, ...step }) => step),
    isSummary,
  )
}

/** Lists of messages: a client sends the whole list. */
export const replayMessages: Replay = (document) => {
  const posted = document.trimStart().startsWith('[') ? listOf(JSON.parse(document)) : documentOf(document)
  return shown(
    posted.filter(({ role }) => role !== 'system' && role !== 'developer').map(withoutCompactions),
    (_, text) => text.includes('compacted into this summary') || text.includes('<state_snapshot>'),
  )
}

/** A block of Anthropic's API by which the server would leave out all before it. */
const withoutCompactions = (message: Values): Values =>
  Array.isArray(message['content'])
    ? { ...message, content: listOf(message['content']).filter(({ type }) => type !== 'compaction') }
    : message

function documentOf(document: string): Values[] {
  if (/^\{[^\n]*\}\n./.test(document)) return linesOf(document)
  const { messages, input, contents } = valuesOf(JSON.parse(document))
  return listOf(messages ?? input ?? contents)
}
