import { findLastingDemands, isOver, readDemands } from '../extract/demands.ts'
import { beginsWithError } from '../extract/error-lines.ts'
import { newestWordings } from '../extract/newest-wordings.ts'
import { isProjectRule } from '../extract/project-rules.ts'
import { SaidLines } from '../extract/said-lines.ts'
import { isBan } from '../extract/bans.ts'
import { isForRequest, saidLater, withoutLater } from '../extract/demand-notes.ts'
import { withLaterWords } from '../extract/later-on-demands.ts'
import { isLastingDemand } from '../extract/words.ts'
import type { WorkItem } from '../extract/work-item.ts'
import type { Message } from '../session/message.ts'
import { HEADINGS, NO_CONTENT } from '../text/summary-headings.ts'
import { eachThatFits } from '../text/that-fit.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { isWordForWord, readQuotedRequests } from './requests.ts'
import { EMPTY_SUMMARY, insertInSection, linesInSection, type Summary } from './summary.ts'

/**
 * Adds the user's demands that still hold and that a summary lacks, since a model may forget them: the lasting ones of the
 * previous summary, and those in the summarized messages, in the user's words. A demand that the summary states in other
 * words is not added. The newest demands are added first, as far as there is room.
 */
export function carryConstraints(summary: Summary, sources: ConstraintSources): { summary: Summary; restored: number } {
  const carried = constraintsIn(sources.previousSummary).filter(
    (line) =>
      (isLastingDemand(withoutLater(line)) || isForRequest(line)) &&
      !isOver(line, sources.messages, sources.items) &&
      !beginsWithError(line) &&
      !isProjectRule(line),
  )
  const asked = quotedIn(sources.previousSummary).flatMap(findLastingDemands)
  // A demand that is only elsewhere would be lost at the next compaction, which reads the constraints and these requests.
  const stated = [...constraintsIn(summary), ...constraintsIn(sources.saidElsewhere)]
  const said = new SaidLines(stated)
  const allowed = new SaidLines(stated.flatMap((line) => saidLater(line) ?? (isBan(line) ? [] : [line])))
  const quoted = [...quotedIn(summary), ...quotedIn(sources.saidElsewhere)]
  const { standing, said: sentences } = readDemands(sources.messages, sources.items)
  const lacking = withLaterWords(newestWordings([...carried, ...asked, ...standing]), sentences).filter((one) => {
    const later = saidLater(one)
    const demand = withoutLater(one)
    // A ban does not state that the user has allowed it later.
    const isStated = later === undefined ? said.stateDemand(demand) : allowed.stateDemand(later)
    return !isStated && !quoted.some((request) => isWordForWord(request, demand))
  })
  const newest = lacking
    .slice(-MAX_RESTORED)
    .reverse()
    .map((statement) => `- ${statement}`)
  const lines = eachThatFits(newest, sources.maxTokens, (line) => estimateTextTokens(`${line}\n`)).reverse()
  if (lines.length === 0) return { summary, restored: 0 }
  return {
    summary: insertInSection(summary, HEADINGS.constraints, { lines, after: HEADINGS.goal }),
    restored: lines.length,
  }
}

interface ConstraintSources {
  /** The previous summary, without tags and evidence. */
  previousSummary?: Summary | undefined
  /** The text beside the summary, whose constraints count as stated. */
  saidElsewhere?: Summary | undefined
  /** The summarized messages. */
  messages: readonly Message[]
  /** The work of these. */
  items?: readonly WorkItem[] | undefined
  /** The limit of the added text. */
  maxTokens: number
}

/** A summary that lacks more demands of the user was asked to; the newest count most. */
const MAX_RESTORED = 12

const quotedIn = (summary = EMPTY_SUMMARY): string[] => readQuotedRequests(summary)

/** Returns the list items of all sections with the heading: the summary of a split turn may have its own. */
function constraintsIn(summary = EMPTY_SUMMARY): string[] {
  return linesInSection(summary, HEADINGS.constraints)
    .filter((line) => /^[-*] /.test(line) && !line.startsWith(NO_CONTENT, 2))
    .map((line) => line.slice(2).trim())
    .filter((item) => item !== '')
}
