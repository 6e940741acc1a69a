import type { RawCompactionEntry, RawEntry } from '../schemas/entry.ts'
import type { RawMessage } from '../schemas/message.ts'
import { defined } from '../text/defined.ts'
import { fieldsOf, type CompactionFields, type ElementPlace, type FileLists, type UnlinkedEntry } from './entry.ts'
import { ACKNOWLEDGEMENT, readCompactionText } from './message-text.ts'
import type { ContentBlock, Message, UserAnswer } from './message.ts'
import { readContent, readMessage } from './read-message.ts'

/** Reads one checked entry: its ids, its message, and the fields that the planning rules need. */
export function readEntry(raw: RawEntry, { index, range }: ElementPlace): UnlinkedEntry {
  const { type, id, parentId } = raw
  // Not written as a copy of the place: fields that are added to a copy take ten times as long (V8 of Node 20).
  const entry: UnlinkedEntry = { index, range, id, parentId, type }
  if (raw.type === 'message') entry.role = raw.message.role
  const message = raw['excludeFromContext'] === true ? undefined : readEntryMessage(raw)
  if (message !== undefined) entry.message = message
  if (raw.type === 'compaction') entry.compaction = readCompaction(raw)
  if (raw.type === 'compaction' || raw.type === 'branch_summary') {
    // Other lists are those of an extension, which wrote the summary (planning rule 9).
    const files = raw.fromHook === true || raw.fromExtension === true ? undefined : readFileLists(raw.details)
    if (files !== undefined) entry.files = files
  }
  const selectedModel = readSelectedModel(raw)
  if (selectedModel !== undefined) entry.selectedModel = selectedModel
  return entry
}

/** Reads one checked message of the messages form as an entry without ids. */
export function readMessageEntry(raw: RawMessage, { index, range }: ElementPlace): UnlinkedEntry {
  const { role } = raw
  const entry: UnlinkedEntry = { index, range, id: undefined, parentId: undefined, type: 'message', role }
  const message = readMessage(raw)
  const summary = message?.role === 'user' ? readCompactionText(plainTextOf(message)) : undefined
  if (summary !== undefined) return { ...entry, type: 'compaction', compaction: { summary, isOpaque: false } }
  const isAcknowledgement = message?.role === 'assistant' && plainTextOf(message) === ACKNOWLEDGEMENT
  if (message !== undefined && !isAcknowledgement) entry.message = message
  return entry
}

/** Returns the text of a message that has nothing else; '' for other messages. */
const plainTextOf = ({ content }: { content: readonly ContentBlock[] }): string =>
  content.length === 1 && content[0]?.type === 'text' ? content[0].text : ''

/** Lines of a session file that are not entries: the header of pi and oh-my-pi, and oh-my-pi's padded title. */
const FILE_LINES = new Set<string>(['session', 'title'])

/** Returns whether a line of a session file is not an entry, wherever it is in the file. */
export const isFileLine = ({ type }: RawEntry): boolean => FILE_LINES.has(type)

/** Returns the model that an entry selects: pi writes `{provider, modelId}`, oh-my-pi `{model: "provider/id"}`. */
function readSelectedModel(raw: RawEntry): string | undefined {
  // No schema checks the fields of `model_change`.
  if ((raw.type as string) !== 'model_change') return undefined
  const { model, provider, modelId } = fieldsOf(raw)
  if (typeof model === 'string') return model
  if (typeof modelId !== 'string') return undefined
  return typeof provider === 'string' ? `${provider}/${modelId}` : modelId
}

/** Returns the message that an entry adds to the context (planning rule 2). */
function readEntryMessage(raw: RawEntry): Message | undefined {
  switch (raw.type) {
    case 'message':
      return withAnswers(readMessage(raw.message), raw.message)
    case 'custom_message':
      return { role: 'custom', content: readContent(raw.content) }
    case 'branch_summary':
      return { role: 'branchSummary', summary: raw.summary }
    default:
      return undefined
  }
}

/**
 * The tools that ask the user, whose details have the answers: that of oh-my-pi, those of pi's examples, and those of other agents, whose
 * names extensions keep.
 */
const ASK_TOOLS: ReadonlySet<string> = new Set([
  ...['ask', 'question', 'questionnaire'],
  ...['AskUserQuestion', 'ask_user_question', 'ask_user', 'ask_question', 'ask_followup_question'],
])

/** Adds what the user said in a result. Only entries mark it: in a list of messages, it looks like an output. */
function withAnswers(message: Message | undefined, raw: RawMessage): Message | undefined {
  if (message?.role !== 'toolResult') return message
  const isAsk = ASK_TOOLS.has(message.toolName) && !message.isError
  const answers = isAsk ? readAskDetails(raw['details']) : []
  return answers.length === 0 ? message : { ...message, userAnswers: answers }
}

/** Returns the answers in the details of the tool `ask` of oh-my-pi (18.2), and of such tools of pi's extensions. */
function readAskDetails(details: unknown): UserAnswer[] {
  const { results } = fieldsOf(details)
  const list: unknown[] = Array.isArray(results) ? results : readQuestionnaire(details)
  return list.flatMap((one) => {
    const { question, selectedOptions, customInput, answer } = fieldsOf(one)
    const chosen: unknown[] = Array.isArray(selectedOptions) ? selectedOptions : []
    const said = [...chosen, customInput, answer].filter(isText).filter((text) => text.trim() !== '')
    return said.length === 0 ? [] : [{ question: isText(question) ? question : '', answer: said.join('; ') }]
  })
}

/** Returns the answers of pi's example `questionnaire`, which has the questions apart; the details of another tool are one answer. */
function readQuestionnaire(details: unknown): unknown[] {
  const { answers, questions, cancelled } = fieldsOf(details)
  if (!Array.isArray(answers) || !Array.isArray(questions)) return [details]
  const asked = new Map(questions.map((one: unknown) => [fieldsOf(one)['id'], fieldsOf(one)['prompt']]))
  return cancelled === true
    ? []
    : answers.map((one: unknown) => ({ question: asked.get(fieldsOf(one)['id']), answer: fieldsOf(one)['label'] }))
}

const isText = (value: unknown): value is string => typeof value === 'string'

function readCompaction(raw: RawCompactionEntry): CompactionFields {
  const preserveData = raw.preserveData ?? undefined
  const firstKeptEntryId = raw.firstKeptEntryId ?? idOfLine(raw.firstKeptEntryIndex)
  return {
    summary: raw.summary,
    isOpaque: (preserveData?.['openaiRemoteCompaction'] ?? null) !== null,
    ...defined({ firstKeptEntryId, preserveData }),
  }
}

/** Session version 1 counts the header line as 0, so the first entry is line 1 (planning rule 1). */
function idOfLine(line: number | null | undefined): string | undefined {
  return line === null || line === undefined ? undefined : `e${line - 1}`
}

/** Returns the files in the details of a summary; undefined if they have no list, which says other things than an empty one. */
export function readFileLists(details: unknown): FileLists | undefined {
  const { readFiles, modifiedFiles } = fieldsOf(details)
  if (!Array.isArray(readFiles) && !Array.isArray(modifiedFiles)) return undefined
  return { readFiles: stringsOf(readFiles), modifiedFiles: stringsOf(modifiedFiles) }
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
