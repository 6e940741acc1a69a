import { BLANKS } from '../recall/excerpts.ts'
import type { BriefPassage, BriefReply } from '../recall/look-up-briefly.ts'
import type { RecalledPassage } from '../recall/passage.ts'
import type { Excerpt } from '../recall/text-spans.ts'
import { describeUnknownTerms } from '../recall/unknown-terms.ts'
import type { KnownSession } from './known-session.ts'
import { counted, countedUnits } from '../text/numbers.ts'
import { PASSAGE_NAMES } from './tools.ts'
import { quoteInLine, quoteLines, quoteName, roomBelow } from './quote.ts'

/** The written parts of a reply. */
interface Shown {
  /** The text before the passages. */
  head: string
  /** How many passages were skipped. */
  offset: number
}

type Timeline = KnownSession['timeline']

/** Returns the passages of a reply as text: as many as fit, and where the others begin. */
export function writePassages(reply: BriefReply, timeline: Timeline, shown: Shown): string {
  const { passages, total, nextOffset, areOthersWorse } = reply
  const { head, offset } = shown
  if (passages.length === 0 && total > 0)
    return `${head}\nThis look-up finds only ${counted(total, 'passage')}: lower "offset".`
  const writer = new PassageWriter(timeline)
  let [text, end] = ['', '']
  let written = 0
  for (const passage of passages) {
    const [block, below] = [writer.write(passage), writer.end()]
    if (text.length + block.length + below.length > roomBelow(head) && written > 0) break
    text += block
    end = below
    written += 1
  }
  const hasMore = written < passages.length || nextOffset !== undefined
  const which = areOthersWorse && written === passages.length ? ', which match much less' : ''
  const more = hasMore ? `\n\nThere are more passages${which}: call again with "offset": ${offset + written}.` : ''
  return head + text + end + more
}

/** More older copies than a reader looks up. */
const MAX_COPIES = 3

/** Writes passages one after the other: what the one before has said is not said again. */
class PassageWriter {
  readonly #timeline: Timeline
  #last: BriefPassage | undefined
  #heading = ''

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  /** Returns a passage, after the end of the one before. */
  write(brief: BriefPassage): string {
    const { passage, pieces } = brief
    const last = this.#last?.passage
    const shownEnd = endOfAll(this.#last?.pieces ?? [])
    if (last !== undefined && isNextPart(passage, last, shownEnd)) {
      this.#last = brief
      return writePieces(pieces, shownEnd)
    }
    const before = this.end()
    this.#last = brief
    if (last !== undefined && isOutputOf(passage, last)) return `${before}\n|${writePieces(pieces, 0)}`
    const lead = passage.lead === '' ? '' : `\n${quoteLines(passage.lead)}`
    return `${before}\n${this.#above(passage)}\n${this.#name(passage, last)}${lead}${writePieces(pieces, 0)}`
  }

  /** Returns what stands below the last passage: how much of it is left out, what came of it, and where nearly the same is. */
  end(): string {
    if (this.#last === undefined) return ''
    const { passage, pieces, outcome, copies } = this.#last
    const rest = leftOut(lengthOf(passage) - endOfAll(pieces))
    const came = outcome.length === 0 ? '' : `\n|${writePieces(outcome, 0)}`
    const cut = outcome.length === 0 ? '' : leftOut((passage.outcome ?? '').trimEnd().length - endOfAll(outcome))
    if (copies.length === 0) return rest + came + cut
    const ids = copies.slice(0, MAX_COPIES).map((place) => this.#id(place))
    const more = copies.length > MAX_COPIES ? ` and ${copies.length - MAX_COPIES} more` : ''
    return `${rest}${came}${cut}\n(nearly the same in older entries: ${ids.join(', ')}${more})`
  }

  /** Returns the line for the day and the compaction, if they are others than those of the passage before. */
  #above({ places: [place = 0] }: RecalledPassage): string {
    const { isLeft, side, compaction } = this.#timeline.locate(place)
    const where = compaction === 0 ? '' : `${side === 'at' ? '' : `${side} `}compaction:${compaction}`
    const day = this.#time(place)?.slice(0, 10) ?? ''
    const heading = [day, isLeft ? 'on a branch that was left' : where].filter(Boolean).join(', ')
    if (heading === this.#heading) return ''
    this.#heading = heading
    return `\n--- ${heading === '' ? 'without a time' : heading}`
  }

  #name(passage: RecalledPassage, last: RecalledPassage | undefined): string {
    const [place = 0] = passage.places
    const name = `[id ${this.#id(place)}] ${nameOf(passage)}`
    if (last?.places[0] === place && last.isSideChain === passage.isSideChain) return name
    const { number, isLeft } = this.#timeline.locate(place)
    const time = this.#time(place)?.slice(11, 19)
    const chain = passage.isSideChain === true ? 'side chain' : ''
    return [name, `entry ${number}${isLeft ? ' of the file' : ''}`, chain, time].filter(Boolean).join(' · ')
  }

  #id(place: number): string {
    return quoteName(this.#timeline.shortIdOf(place))
  }

  #time(place: number): string | undefined {
    const time = this.#timeline.timeOf(place)
    return time === undefined ? undefined : new Date(time).toISOString()
  }
}

const isSameCall = (one: RecalledPassage, other: RecalledPassage): boolean =>
  one.tool === other.tool && one.places.join() === other.places.join()

const lengthOf = ({ before, text, after }: RecalledPassage): number => before + text.length + after

/** Whether a passage is a later part of the same text as another one. Without a gap, the text above says what its lead does. */
const isNextPart = (passage: RecalledPassage, last: RecalledPassage, shownEnd: number): boolean =>
  isSameCall(passage, last) &&
  (passage.lead === last.lead || passage.before - shownEnd <= BLANKS) &&
  lengthOf(passage) === lengthOf(last) &&
  passage.before >= last.before + last.text.length &&
  passage.before > 0

/** Whether a passage is the output of the call that another one is: its lead would say the call again. */
const isOutputOf = (passage: RecalledPassage, last: RecalledPassage): boolean =>
  passage.tool !== undefined &&
  passage.lead !== '' &&
  isSameCall(passage, last) &&
  passage.kinds.includes('output') &&
  !last.kinds.includes('output')

const endOf = ({ start, text }: Excerpt): number => start + text.length

const endOfAll = (pieces: readonly Excerpt[]): number => {
  const last = pieces.at(-1)
  return last === undefined ? 0 : endOf(last)
}

/** Returns pieces of a text, each on lines of its own, with how much is left out before each. */
function writePieces(pieces: readonly Excerpt[], shownBefore: number): string {
  let end = shownBefore
  const lines = pieces.map((piece) => {
    const gap = leftOut(piece.start - end)
    end = endOf(piece)
    return `${gap}\n${quoteLines(piece.text)}`
  })
  return lines.join('')
}

const leftOut = (characters: number): string => (characters > BLANKS ? `\n(… ${characters} characters)` : '')

/** Returns who said a passage, or what a tool did: only words of the user are called so. */
const nameOf = ({ kinds: [kind], tool }: RecalledPassage): string =>
  tool === undefined ? PASSAGE_NAMES[kind] : `${PASSAGE_NAMES[kind]} (${quoteName(tool)})`

/** Returns what a look-up has found, in numbers. */
export function writeCounts(
  { matches, unknownTerms, scope, searched, beyond }: Omit<BriefReply, 'passages' | 'total'>,
  hasQuery: boolean,
): string {
  const where = scope === 'all' ? 'of the whole session' : 'that a summary has replaced'
  const lines = [`Searched: ${searched.entries} entries ${where}.`]
  if (searched.note !== undefined) lines.push(searched.note)
  const { all, some, allByKind, someByKind } = matches
  if (!hasQuery) lines.push(`Found: ${countOf(all, allByKind)}.`)
  else {
    lines.push(`With all words: ${countOf(all, allByKind)}.`)
    if (some > all) lines.push(`With some of them: ${countOf(some, all === 0 ? someByKind : {})}.`)
  }
  if (unknownTerms.length > 0) lines.push(describeUnknownTerms(unknownTerms, (term) => quoteInLine(term, 100)))
  if (beyond !== undefined) lines.push(beyond)
  if (some === 0 && scope === 'replaced') lines.push(WIDER)
  return lines.join(' ')
}

const WIDER = 'Only what a summary has replaced was searched: "scope": "all" also searches the rest of the session.'

function countOf(count: number, byKind: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(byKind).sort(([, one], [, other]) => other - one)
  const detail = kinds.map(([kind, number]) => `${kind} ${number}`).join(', ')
  return `${countedUnits(count)}${detail === '' ? '' : ` (${detail})`}`
}
