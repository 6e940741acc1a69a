import { findWork } from '../../extract/find-work.ts'
import { copyRuns, type PairedMessages } from '../../extract/runs.ts'
import { readClientText, readUserText } from '../../extract/user-text.ts'
import { sliceWork, type SessionWork } from '../../extract/work-item.ts'
import type { WorkContext } from '../../jobs/protocol.ts'
import { readEarlierWork } from '../../model/embedded/earlier-work.ts'
import { parseSummary } from '../../model/embedded/parse-summary.ts'
import { HISTORY_SHARE, limitTokens, withOwnLimits, type CompactionSettings } from '../../plan/settings.ts'
import type { HistoryGuidance } from '../../prompt/build-prompts.ts'
import { assignSegments, buildTasks, type Assignment, type SegmentText } from '../../prompt/build-tasks.ts'
import type { Segments, SummaryKind } from '../../prompt/task.ts'
import type { Redaction } from '../../redact/redaction.ts'
import type { FileLists } from '../../session/entry.ts'
import type { Message } from '../../session/message.ts'
import type { RecallNote, ReplacedPart } from '../../summary/looking-up.ts'
import type { SummaryInputs } from '../../summary/summary-inputs.ts'
import { defined } from '../../text/defined.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import type { PreparedRequest } from './pipeline.ts'
import { readPreviousSummary, redactGuidance, type SummaryMaterial } from './summary-material.ts'
import type { TranscriptPart } from './transcript-part.ts'

/** The material of a summary in our own form, without secrets. */
interface SummarySource {
  /** Default: `history`. */
  kind?: SummaryKind
  texts: Segments<SegmentText>
  kept: readonly Message[]
  /** The messages of the texts and the kept ones with secrets, in this order, and their runs. */
  session: PairedMessages
  files: FileLists
  /** Without file tags; empty if there is none. */
  previousSummary: string
  /** The rules of the project that the session shows. */
  rules?: readonly string[]
  /** The titles of tasks from before the texts, with secrets, by their ids. */
  taskTitles?: ReadonlyMap<string, string>
  redaction: Redaction
  /** The caller's instructions, with secrets. */
  request: HistoryGuidance & { settings?: CompactionSettings | undefined }
  /** Left out where the reply has no short summary. */
  withShortSummary?: boolean
  /** The part that the summary replaces, for a request that says how to look it up. */
  replaced?: (() => ReplacedPart) | undefined
  /** The part of the texts that a model reads; left out for all, with the budget of the request. */
  part?: TranscriptPart | undefined
  /** The numbers of the entries of the texts' messages, from 1. */
  entryNumbers?: readonly number[]
  /** Facts for code, in addition or instead. */
  others?: (previous: PreviousSummary) => Partial<SummaryInputs>
}

export type PreviousSummary = ReturnType<typeof readPreviousSummary>

type SummaryContext = Omit<WorkContext, 'nowMs' | 'summarizerWindow'>

/** Returns what is needed to write a summary and to check it: the prompts, and the messages that it is about. */
export function prepareSummary(source: SummarySource, service: SummaryContext): PreparedRequest<SummaryMaterial> {
  const { kind = 'history', kept, files, redaction, request, withShortSummary, others, part } = source
  const { settings = {} } = request
  const context = withOwnLimits(service, { transcriptTokens: part?.transcriptTokens ?? settings.transcriptTokens })
  const { templates } = context
  const maxSummaryTokens = maxTokensOf(context)
  const previous = readPreviousSummary(source.previousSummary)
  const previousSummary = previous.previousSummary?.text
  const isEmbedded = context.windowLimitTokens === undefined
  const texts = textsToWrite(source, { previousSummary, isEmbedded })
  const earlier = part?.earlier && redaction.text(part.earlier.summary)
  const guidance = {
    ...redactGuidance(request, redaction, context.additions),
    previousSummary: earlier ?? previousSummary,
  }
  const { history, turnPrefix } = source.texts
  const messages = { history: history?.messages ?? [], turnPrefix: turnPrefix?.messages ?? [], kept }
  const runs = copyRuns(source.session, Object.values(messages).flat(), redaction.uncounted().text)
  const previousParts = previousSummary === undefined ? undefined : parseSummary(previousSummary)
  const work = readWork({ ...messages, runs }, previousParts, source)
  const carriedTokens = estimateTextTokens(source.previousSummary) - estimateTextTokens(previousSummary ?? '')
  const newWork = part?.earlier === undefined ? work : sliceWork(work, part.earlier.messages, Infinity)
  const assignments = assignSegments(texts, { kind, guidance, runs, work: newWork, settings, maxSummaryTokens })
  // A model reads the text of the earlier summary.
  noteEarlier(assignments, carriedTokens, isEmbedded && earlier === undefined ? previousParts : undefined)
  const inputs = {
    ...previous,
    ...messages,
    runs,
    work,
    limitTokens: limitTokens(HISTORY_SHARE, settings, maxSummaryTokens),
    hasSections: guidance.style !== 'continuation',
    ...others?.(previous),
  }
  const recallNote = noteOnRecall(source)
  const options = { texts, guidance, templates, limits: { ...context, partTokens: part?.partTokens }, withShortSummary }
  return {
    material: defined({ assignments, guidance, inputs, files, recallNote, redaction: redaction.state() }),
    writeTasks: () => buildTasks(assignments, options),
  }
}

/** Notes what is known of the earlier summary beside its text. */
function noteEarlier({ history }: Segments<Assignment>, carriedTokens: number, parts: ParsedSummary | undefined): void {
  if (history?.source.form === 'messages')
    history.source = { ...history.source, ...defined({ carriedTokens, previousParts: parts }) }
}

/** Returns the note on how to look up what a summary replaces; undefined if redaction would change a command in it. */
function noteOnRecall({ request: { settings }, replaced, redaction }: SummarySource): RecallNote | undefined {
  const how = settings?.recall
  if (how === undefined || redaction.uncounted().text(how) !== how) return undefined
  return defined({ how, replaced: replaced?.() })
}

/**
 * Returns the upper limit of a summary. What code picks from a session is the summary itself: without a model, the budget of the
 * transcript limits that.
 */
const maxTokensOf = ({ maxSummaryTokens, transcriptTokens = Infinity, windowLimitTokens }: SummaryContext): number =>
  windowLimitTokens === undefined ? Math.min(maxSummaryTokens, transcriptTokens) : maxSummaryTokens

/** Returns the work of the summarized messages, with the numbers of the entries that show its states. */
function readWork(
  { history, turnPrefix, kept, runs }: Pick<SummaryInputs, 'history' | 'turnPrefix' | 'kept' | 'runs'>,
  previousParts: ParsedSummary | undefined,
  { entryNumbers = [], rules = [], taskTitles = new Map(), redaction }: SummarySource,
): SessionWork {
  const [first] = kept
  const isRequest = first !== undefined && readUserText(first) !== undefined
  const earlier = previousParts && readEarlierWork(previousParts)
  const titles = Array.from(taskTitles, ([id, title]) => [id, redaction.text(title)] as const)
  const work = findWork(
    { messages: [...history, ...turnPrefix], runs },
    {
      earlier: earlier && { ...earlier, titles: new Map(titles) },
      next: turnPrefix.length > 0 ? 'rest' : isRequest ? 'request' : undefined,
      kept,
    },
  )
  const items = work.items.map((item) => {
    const entry = entryNumbers[item.provenAt ?? -1]
    return entry === undefined ? item : { ...item, entry }
  })
  return { ...work, items, ...(rules.length > 0 && { rules }) }
}

/** Returns the texts to write: after an earlier summary, what came after it is one text. */
function textsToWrite(
  { texts, part }: Pick<SummarySource, 'texts' | 'part'>,
  { previousSummary, isEmbedded }: { previousSummary: string | undefined; isEmbedded: boolean },
): Segments<SegmentText> {
  const { history } = asOneText(texts)
  if (part?.earlier !== undefined && history !== undefined)
    return { history: { ...history, messages: history.messages.slice(part.earlier.messages) } }
  return isEmbedded ? asOneText(texts) : asWholeSession(texts, previousSummary)
}

/**
 * Returns the texts to write. The beginning of a turn that nothing comes before is a whole session: it gets the form, the limit
 * and the guidance of one, and there is nothing to join (planning rule 8). What a client writes before the first request, as Codex does,
 * is no history of its own.
 */
const asWholeSession = (texts: Segments<SegmentText>, previousSummary: string | undefined): Segments<SegmentText> =>
  previousSummary === undefined && (texts.history?.messages ?? []).every(isOfClient) ? asOneText(texts) : texts

const isOfClient = (message: Message): boolean =>
  (message.role === 'user' || message.role === 'custom') && readClientText(message.content).trim() === ''

/**
 * Returns the beginning of a turn and what comes before it as one text. What happened in the turn is newer than an earlier summary and
 * the history: in two texts, the first one would still say what the second one knows better (planning rule 8).
 */
const asOneText = ({ history, turnPrefix }: Segments<SegmentText>): Segments<SegmentText> =>
  turnPrefix === undefined
    ? defined({ history })
    : { history: { ...turnPrefix, messages: [...(history?.messages ?? []), ...turnPrefix.messages] } }
