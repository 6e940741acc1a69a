import { collectCourse } from '../extract/collect-course.ts'
import { cutRequest, excerptOf, USER_SHARE } from '../extract/cut-request.ts'
import { isSmallTalk } from '../extract/user-text.ts'
import { quoteSectionLines } from '../text/sections.ts'
import { GOAL_LABELS, HEADINGS } from '../text/summary-headings.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { carryConstraints } from './constraints.ts'
import { addCourse } from './course-list.ts'
import { settleWork, withoutRepeatedAnswers, withoutRepeatedFailures } from './proven-lines.ts'
import { findLatestRequest, findOpenQuestion, REQUEST_LABEL, wordForWordIn } from './requests.ts'
import { writeEvidence } from './evidence-section.ts'
import { collectEvidence, withoutStated, type Evidence } from './evidence.ts'
import type { Summary } from './summary.ts'
import { EMPTY_SUMMARY, findMissingSections, insertInSection, mergeTexts, readSummary } from './summary.ts'
import { collectUserMessages, quoteMessage, quotesWithout, writeUserMessages } from './user-messages.ts'
import type { SummaryInputs } from './summary-inputs.ts'
import { withNamedWords } from './failure-news.ts'
import { withoutWaiting } from './waiting-steps.ts'

/** A summary with the content that code added to the model's text. */
export interface Essentials {
  summary: string
  /** Left out where the user has not asked for anything. */
  latestRequest?: 'kept' | 'restored' | 'cut' | 'missing'
  /** The number of constraints that were added. */
  constraintsRestored: number
  /** The tokens of the section of evidence; 0 without one. */
  evidenceTokens: number
  /** The files that were deleted, and are not there again. */
  deletedFiles: readonly string[]
}

/**
 * Merges the texts of history and turn prefix, and adds what no compaction may lose: the newest request and an open
 * question word for word, the user's demands and other messages, and the evidence of failures.
 * @param written the model's texts; without new history the previous summary stays unchanged (planning rule 8)
 */
export function restoreEssentials(written: Texts, inputs: SummaryInputs): Essentials {
  const maxTokens = Math.floor(inputs.limitTokens * MAX_ADDED_SHARE)
  const span = [...inputs.history, ...inputs.turnPrefix]
  const newest = findLatestRequest(span, inputs.earlierRequest)
  const [following] = written.turnPrefix === undefined ? inputs.kept : inputs.turnPrefix
  const settled = (text: Summary): Summary => settleWork(text, inputs.work, isExtract(written))
  const history = written.history && withoutWaiting(settled(written.history), following)
  const turnPrefix = written.turnPrefix && settled(written.turnPrefix)
  const { texts, latestRequest } = keepRequests({ history, turnPrefix }, inputs, newest)
  const { texts: carried, restored } = carryIn(texts, inputs, maxTokens)
  const evidence = collectEvidence({ messages: span, runs: inputs.runs }, inputs.evidence)
  const merged = mergeTexts(carried, inputs)
  const evidenceRoom = Math.floor(inputs.limitTokens * MAX_EVIDENCE_SHARE * laterShare(inputs))
  const proven = writeEvidence(withoutStated(evidence, merged), { maxTokens: evidenceRoom })
  const { text, messages } = isExtract(written)
    ? fitMessages(inputs, newest, { merged, proven, evidence })
    : { text: merged, messages: writeOtherMessages(inputs, newest, { isExtract: false }) }
  // An extract has the course already, and a form without sections has no lists.
  const section =
    isExtract(written) || !inputs.hasSections
      ? withNamedWords(proven, text)
      : addCourse(proven, collectCourse({ messages: span, runs: inputs.runs }), evidenceRoom)
  return {
    summary: [text, messages, section].filter(Boolean).join('\n\n'),
    ...{ evidenceTokens: estimateTextTokens(section), deletedFiles: evidence.deleted },
    ...(latestRequest === undefined ? {} : { latestRequest }),
    constraintsRestored: restored,
  }
}

/** Answers that leave the messages come back to the text, so that one pass may not be enough. */
const MAX_FITTING_PASSES = 3

/** Returns an extract without what code repeats below it, and the user's other messages, fewer of them where all of it exceeds the limit. */
function fitMessages(
  inputs: SummaryInputs,
  newest: string | undefined,
  { merged, proven, evidence }: { merged: string; proven: string; evidence: Evidence },
): { text: string; messages: string } {
  const own = withNamedWords(withoutRepeatedFailures(merged, proven, evidence.failures))
  const write = (maxTokens?: number): { text: string; messages: string } => {
    const messages = writeOtherMessages(inputs, newest, { isExtract: true, maxTokens })
    return { text: withoutRepeatedAnswers(own, messages), messages }
  }
  let fitted = write()
  for (let pass = 0; pass < MAX_FITTING_PASSES; pass++) {
    const excess = estimateTextTokens([fitted.text, fitted.messages, proven].join('\n\n')) - inputs.limitTokens
    if (excess <= 0 || fitted.messages === '') break
    fitted = write(estimateTextTokens(fitted.messages) - excess)
  }
  return fitted
}

/** The maximum share of the limit for added constraints: a twentieth of the reserve. The limit is 0.8 of the reserve. */
const MAX_ADDED_SHARE = 0.05 / 0.8

/** That for evidence: a tenth of the reserve has room for 31 failures of a real session of 1 MB. */
const MAX_EVIDENCE_SHARE = 0.1 / 0.8

/** The texts of a summary, and who wrote each. */
interface Texts {
  history: (Summary & { model?: string }) | undefined
  turnPrefix: (Summary & { model?: string }) | undefined
}

const isExtract = ({ history, turnPrefix }: Texts): boolean => (turnPrefix ?? history)?.model === 'embedded'

/**
 * Returns how much of its room a section gets that every compaction adds to: half of it from the second compaction on. Otherwise
 * summaries grow with each of them, by old messages and checks, until an agent's context begins half full.
 */
const laterShare = ({ previousSummary }: SummaryInputs): number => (previousSummary === undefined ? 1 : 1 / 2)

/** Adds the newest request and an open question where the texts do not have them word for word. */
function keepRequests(
  texts: Texts,
  inputs: SummaryInputs,
  newest: string | undefined,
): { texts: Texts } & Pick<Essentials, 'latestRequest'> {
  const { history, turnPrefix, limitTokens } = inputs
  const request = newest === undefined ? undefined : cutRequest(newest, Math.floor(limitTokens * USER_SHARE))
  // A question in a message that stays needs no second place.
  const isKept = findOpenQuestion(inputs.kept) !== undefined
  const question = isKept ? undefined : findOpenQuestion([...history, ...turnPrefix, ...inputs.kept])
  if (request === undefined && question === undefined) return { texts }
  const isWordForWord = wordForWordIn(mergeTexts(texts, inputs))
  const kept = { ...texts }
  if (request !== undefined && !request.kept.every(isWordForWord)) {
    // The request of a split turn is with the beginning of that turn: an older one is the goal of the history.
    const isOfTurn = findLatestRequest(turnPrefix) === newest
    const at = texts.history === undefined || (isOfTurn && texts.turnPrefix !== undefined) ? 'turnPrefix' : 'history'
    kept[at] = addRequest(kept[at] ?? EMPTY_SUMMARY, request.text, newest ?? '')
  }
  if (question !== undefined && !isWordForWord(question)) {
    // Without new history the previous summary stays unchanged: the question is added to the turn's text.
    const at = texts.history === undefined ? 'turnPrefix' : 'history'
    const lines = [`- ${quoteSectionLines(question)}`]
    kept[at] = insertInSection(kept[at] ?? EMPTY_SUMMARY, HEADINGS.context, { lines })
  }
  const isChanged = kept.history !== texts.history || kept.turnPrefix !== texts.turnPrefix
  return { texts: kept, latestRequest: request?.isCut === true ? 'cut' : isChanged ? 'restored' : 'kept' }
}

/**
 * Adds the request in the place of an excerpt of it; else below the goal, or below what stands for it in a text of
 * another form.
 */
function addRequest(summary: Summary, quoted: string, whole: string): Summary {
  const { text } = summary
  const excerpt = excerptOf(whole)
  const at = excerpt === whole.trim() ? -1 : text.indexOf(`\n${excerpt}\n`)
  if (at >= 0) {
    const before = text.slice(0, at + 1)
    const label = before.endsWith(`${GOAL_LABELS.newest}\n`) ? '' : `${REQUEST_LABEL}\n\n`
    // The excerpt may have headings.
    return readSummary(`${before}${label}${quoteMessage(quoted)}${text.slice(at + 1 + excerpt.length)}`)
  }
  const goals = [HEADINGS.goal, HEADINGS.originalRequest]
  const heading = goals.find((one) => findMissingSections(summary, [one]).length === 0) ?? HEADINGS.context
  return insertInSection(summary, heading, { lines: [REQUEST_LABEL, '', quoteMessage(quoted)] })
}

/**
 * Writes the messages of the user besides the newest request: those of the span, and those of the summary before it. The goal of an extract
 * has the question to which the newest request is the answer.
 */
function writeOtherMessages(
  inputs: SummaryInputs,
  newest: string | undefined,
  { isExtract, maxTokens = Infinity }: { isExtract: boolean; maxTokens?: number | undefined },
): string {
  const { history, turnPrefix, runs, earlierRequest, userMessages, retainedTexts = [], limitTokens } = inputs
  if (!inputs.hasSections) return ''
  const earlier = [...(earlierRequest === undefined ? [] : [earlierRequest]), ...userMessages.texts]
  const all = [
    ...collectUserMessages({ messages: [...history, ...turnPrefix], runs }),
    ...earlier.filter((text) => !isSmallTalk(text)).map((text) => ({ text, quoted: text })),
  ]
  const said = newest === undefined ? [] : [newest]
  return writeUserMessages(
    {
      texts: quotesWithout(all, { texts: [...said, ...retainedTexts], answers: isExtract ? said : [] }),
      leftOut: userMessages.leftOut,
    },
    Math.floor(Math.min(maxTokens, limitTokens * USER_SHARE * laterShare(inputs))),
  )
}

/** Adds lasting demands. The next compaction covers the turn's beginning, so the demands in it must be stated now. */
function carryIn(texts: Texts, inputs: SummaryInputs, maxTokens: number): { texts: Texts; restored: number } {
  const { history, turnPrefix, previousSummary } = inputs
  const at = texts.history === undefined ? 'turnPrefix' : 'history'
  const { summary, restored } = carryConstraints(texts[at] ?? EMPTY_SUMMARY, {
    ...{ messages: [...history, ...turnPrefix], items: inputs.work?.items },
    saidElsewhere: at === 'history' ? texts.turnPrefix : previousSummary,
    maxTokens,
    // Without new history the previous summary stays unchanged.
    previousSummary: at === 'history' ? previousSummary : undefined,
  })
  return { texts: { ...texts, [at]: summary }, restored }
}
