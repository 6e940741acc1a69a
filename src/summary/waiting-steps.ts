import { readUserText } from '../extract/user-text.ts'
import type { Message } from '../session/message.ts'
import { LIST_MARK, SENTENCE_END } from '../text/list-marks.ts'
import { headingName, type Section } from '../text/sections.ts'
import { HEADINGS, NO_CONTENT } from '../text/summary-headings.ts'
import { summaryOf, type Summary } from './summary.ts'

/** The sections that say what is to be done, or what the agent waits for. */
const SECTIONS = new Set(
  [HEADINGS.goal, HEADINGS.inProgress, HEADINGS.pending, HEADINGS.blocked, HEADINGS.nextSteps].map(headingName),
)

const WAIT = String.raw`^[*_]{0,2}(?:(?:otherwise|then|now|next)[,:]?\s)?(?:(?:the agent|i|we)\s)?(?:(?:is|am|are)\s)?(?:now\s)?(?:wait(?:s|ing)?\s(?:for|on)|await(?:s|ing)?)\s(?:the\s|a\s|any\s)?`

const WAIT_GERMAN = String.raw`^(?:(?:der agent|ich|wir)\s)?(?:wartet?|warten)\sauf\s(?:d(?:ie|en|as)\s|eine?n?\s)?`

/** A sentence that says nothing but that the user has to write something. */
const FOR_WORDS = new RegExp(
  String.raw`${WAIT}(?:user(?:['’]s)?)?(?:\s?(?:next|new|further|following))?(?:\s?(?:requests?|messages?|instructions?|inputs?|tasks?|turn|prompt|command))?[.!]?[*_]{0,2}$|${WAIT_GERMAN}(?:nächsten?\s)?(?:nachricht|anfrage|anweisung|auftrag|eingabe|nutzer|benutzer)(?:\sdes\s(?:nutzers|benutzers))?[.!]?$`,
  'i',
)

/** The beginning of a step by which the user has to decide something. */
const FOR_DECISION = new RegExp(
  String.raw`${WAIT}(?:user\b|(?:confirmation|approval|decision|answer|reply|response|feedback|go-ahead|permission)\b(?!\s(?:of|from|by)\s(?!the\suser\b)))|^(?:the\s)?user\s(?:decides|chooses|confirms|(?:has|needs|is)?\s?to\s(?:decide|choose|confirm|answer|approve)|(?:must|should|will)\s(?:decide|choose|confirm|answer|approve))\b|${WAIT_GERMAN}(?:nutzer|benutzer|antwort|bestätigung|entscheidung|freigabe)(?![\p{L}])(?!\s(?:von|der|des)\s(?!nutzers|benutzers))`,
  'iu',
)

/** What is said of a step that waits for the user, who may have decided since. */
const WRITTEN_SINCE = ' (the user has written since)'

/**
 * Returns a summary of messages after which the user has written: without sentences that the agent waits for the user's next message, and
 * with a note on the steps that wait for a word of the user, since only a reader can say whether it was given.
 * @param following the message after those that are summarized
 */
export function withoutWaiting(summary: Summary, following: Message | undefined): Summary {
  if (following === undefined || readUserText(following) === undefined) return summary
  const sections = summary.sections.map((section) =>
    SECTIONS.has(section.heading?.name ?? '') ? withoutWaits(section) : section,
  )
  return sections.every((section, at) => section === summary.sections[at]) ? summary : summaryOf(sections)
}

function withoutWaits(section: Section): Section {
  const isGoal = section.heading?.name === headingName(HEADINGS.goal)
  const lines = section.lines.flatMap((line, at) => {
    // The lines below an item would belong to the item before it.
    const hasMore = /^\s+\S/.test(section.lines[at + 1] ?? '')
    const left = isGoal && LIST_MARK.exec(line)?.[0].trim() !== '' ? line : withoutWait(line)
    if (left === undefined) return hasMore ? [line + WRITTEN_SINCE] : []
    return [isGoal || left !== line ? left : noted(left)]
  })
  if (lines.length === section.lines.length && lines.every((line, at) => line === section.lines[at])) return section
  return { ...section, lines: lines.some((line) => line.trim() !== '') ? lines : [NO_CONTENT, ...lines] }
}

/** Returns a line without the sentences that only wait; undefined if it has no other ones. */
function withoutWait(line: string): string | undefined {
  const [mark = ''] = LIST_MARK.exec(line) ?? []
  const sentences = line.slice(mark.length).split(SENTENCE_END)
  const left = sentences.filter((sentence) => !FOR_WORDS.test(sentence.trim()))
  if (left.length === sentences.length) return line
  return left.length === 0 ? undefined : mark + left.join(' ')
}

/** Returns a line with a note if it waits for a word of the user. */
function noted(line: string): string {
  const step = line.replace(LIST_MARK, '').replace(/^[*_]{1,2}/, '')
  return FOR_DECISION.test(step) && !line.endsWith(WRITTEN_SINCE) ? line.trimEnd() + WRITTEN_SINCE : line
}
