import { FenceReader } from '../../text/close-marks.ts'
import { oneLine } from '../../text/shorten.ts'
import { joinParts, partsOf, type Place } from './line-parts.ts'
import { besideQuotes, changeQuotes, quotesIn, withoutStateQuotes } from './quotes.ts'
import { NAME_CHARACTERS, nameOfSaid, shortName } from './request-name.ts'

/** Shorter texts, with the mark at their end, may be the same by chance. */
const MIN_CHARACTERS = NAME_CHARACTERS + 1
const MIN_COMPARED = MIN_CHARACTERS - 2

/** What is left of a line says something from this length on. */
const MIN_REST_CHARACTERS = 24

/** The mark of an item, with its box; of a line about a command, also the command and how it ended. */
const MARK =
  /^\s*(?:>\s?)*(?:[-*+] |\d{1,3}[.)] )?(?:\[[ xX]\] )?(?:`.{1,300}?`: (?:(?:ok|exit code \d{1,3}|failed \([^()]{1,40}\))(?:, )?|(?=printed: )))?/
const ENDED = /(?:`: ok|\)), $/

/** What is said of a failure at the end of its line: without it, the failure is current. */
const LATER = / \((?:\d{1,4} times; )?(?:passed later|not seen again later)\)$/

/** What is said at the end of a line about what happened since: it belongs to the words before it. */
const SINCE = / \((?:said earlier; )?since then: [^()]{1,400}\)(?=[.!?]?$)/

/** The files of a turn, and what is said of it at the end of its line: they belong to no sentence. */
const NOTES_AT_END =
  / (?:\[[^[\]]{1,600}\]|\((?:edited last|for the newest request|its turn goes on below|said to be done|answered|not known to be done)[^()]{0,300}\))(?: \([^()]{1,300}\))?$/

const MARKS_AROUND = /^[`*"]+|(?<![`*".!?…:;,])[`*".!?…:;,]+$/g

/** The text of a summary so far, of which no sentence and no line is to be said again. */
export class SaidOnce {
  #text = ''
  /** The newest request, which the goal has until there is a newer one. */
  #request = ''
  readonly #units = new Set<string>()

  /** Adds a text, whose lines and sentences count as said. */
  add(text: string): void {
    this.#text += this.#read(text)
  }

  /** Adds the newest request: its sentences need no second place, but a quote of it stays. */
  addRequest(text: string): void {
    this.#request += this.#read(text)
  }

  /** Adds what a text quotes, but for a sentence that a quote has only in part: the rest of it was not said. */
  addQuotes(text: string): void {
    for (const quote of text.split('\n').flatMap(quotesIn)) {
      const whole = quote.endsWith('…') ? quote.slice(0, partsOf(quote).at(-1)?.start) : quote
      if (whole !== '') this.#text += this.#readLine(whole)
    }
  }

  /** Returns a text in which the words that its states quote are names where all of them were said. */
  withNamedQuotes(text: string): string {
    const isSaid = (words: string): boolean =>
      words.length >= MIN_CHARACTERS &&
      partsOf(words).every(({ start, end }) => this.#text.includes(plain(words.slice(start, end))))
    const name = (words: string): string => (isSaid(words) ? shortName(words) : words)
    return text
      .split('\n')
      .map((line) => changeQuotes(line, name))
      .join('\n')
  }

  /** Returns the lines of a text as they are compared, and notes what they say. */
  #read(text: string): string {
    const lines = text.split('\n').map((line) => oneLine(withoutStateQuotes(line).replace(MARK, '')).replace(SINCE, ''))
    return lines.map((line) => this.#readLine(line)).join('')
  }

  #readLine(whole: string): string {
    const body = plain(whole)
    for (const unit of [body, ...partsOf(whole).map(({ start, end }) => plain(whole.slice(start, end)))])
      if (unit.length >= MIN_COMPARED) this.#units.add(unit)
    return `${body}\n`
  }

  /**
   * Returns a text without the parts of at least 40 characters that were said before; undefined if hardly anything is left of its
   * first line. Code in fences stays.
   * @param isNamed whether each such part is shortened to a name instead, since other words of the line are about it
   */
  withoutSaid(text: string, isNamed: boolean): string | undefined {
    const fences = new FenceReader()
    const lines = text
      .split('\n')
      .map((line) => (fences.read(line) ? line : besideQuotes(line, (own) => this.#newPart(own, isNamed))))
    return lines[0] === undefined ? undefined : lines.filter((line) => line !== undefined).join('\n')
  }

  #newPart(line: string, isNamed: boolean): string | undefined {
    const [mark = ''] = MARK.exec(line) ?? []
    const [since = ''] = SINCE.exec(line) ?? []
    const whole = line.slice(mark.length).replace(SINCE, '')
    const [notes = ''] = isNamed ? (NOTES_AT_END.exec(whole) ?? []) : []
    const body = whole.slice(0, whole.length - notes.length)
    const said = isNamed ? wholeSentences(body, this.#saidIn(body)) : this.#saidIn(body)
    if (said.length === 0) return line
    const kept = said.map(({ start }, index) => body.slice(said[index - 1]?.end ?? 0, start))
    const last = body.slice(said.at(-1)?.end)
    if (isNamed) {
      const names = said.map(({ start, end }) =>
        isInSentence(body, start) ? '…' : nameOfSaid(body.slice(start, end), isOfRequest(body, start)),
      )
      return [mark, ...kept.flatMap((text, index) => [text, names[index] ?? '']), last, notes, since].join('')
    }
    const joined = joinParts([...kept, last])
    const left = joined.replace(LEFT_LABEL, '').trimEnd()
    if (left.replace(/[^\p{L}\p{N}]/gu, '').length >= MIN_REST_CHARACTERS)
      return isOutcome(mark, body) ? line : withNote(mark + left, since)
    const [later = ''] = LATER.exec(body) ?? []
    return ENDED.test(mark) ? mark.slice(0, -', '.length) + later : undefined
  }

  /** Returns the places of the longest runs of parts that were said. */
  #saidIn(body: string): Place[] {
    const parts = partsOf(body)
    const found: Place[] = []
    for (let first = 0; first < parts.length; first++) {
      const start = parts[first]?.start ?? 0
      let last = first
      while (last < parts.length && this.#has(body.slice(start, parts[last]?.end))) last += 1
      const end = parts[last - 1]?.end ?? 0
      if (last > first && plain(body.slice(start, end)).length >= MIN_COMPARED) {
        found.push({ start, end })
        first = last - 1
      } else {
        const unit = this.#unitIn(body, parts[first])
        if (unit !== undefined) found.push(unit)
      }
    }
    return found
  }

  #has(text: string): boolean {
    const words = plain(text)
    return words !== '' && (this.#text.includes(words) || this.#request.includes(words))
  }

  /** Returns the place of what was said as a whole line or sentence, within a part; the whole part if that is most of it. */
  #unitIn(body: string, part: Place | undefined): Place | undefined {
    const { start, end } = part ?? { start: 0, end: 0 }
    if (end - start < MIN_COMPARED) return undefined
    const text = body.slice(start, end).replaceAll('"', "'")
    for (const unit of this.#units) {
      const at = text.indexOf(unit)
      if (at < 0) continue
      if (unit.length >= text.length / 2) return { start, end }
      if (!isPartOfCode(body, start + at, unit.length)) return { start: start + at, end: start + at + unit.length }
    }
    return undefined
  }
}

/** Whether a place is within a piece of code, and not all of it: the rest would be another command. */
const isPartOfCode = (body: string, at: number, length: number): boolean =>
  body.slice(0, at).split('`').length % 2 === 0 && !(body[at - 1] === '`' && body[at + length] === '`')

/** The mark between a request and what the agent said to it. */
const OUTCOME = ' => '

/** Whether a place is within a sentence of what the agent said, and not at its beginning. */
const isInSentence = (body: string, at: number): boolean =>
  body.lastIndexOf(OUTCOME, at) >= 0 &&
  !/(?:=>|[.!?…]["'`)]?)\s*$/.test(body.slice(Math.max(0, at - 8), at)) &&
  !body.startsWith('=> ', at)

/** Whether a place is before what the agent said. */
const isOfRequest = (body: string, at: number): boolean => !body.startsWith('=> ') && body.lastIndexOf(OUTCOME, at) < 0

/** Where a sentence of an outcome ends: at its mark, or before the files or the state that code adds to the line. */
const END_OF_SENTENCE =
  /[.!?]["'`)]?(?=\s)|(?= \[)|(?= \((?:said|answered|replaced|withdrawn|interrupted|stopped|not known|done|undone|committed|the ))|$/g

/** Returns places to the ends of their sentences, where they are in what the agent said: half a sentence says something else. */
function wholeSentences(body: string, places: readonly Place[]): Place[] {
  const whole: Place[] = []
  for (const { start, end } of places) {
    END_OF_SENTENCE.lastIndex = end
    const found = /[.!?]["'`)]?$/.test(body.slice(start, end)) ? null : END_OF_SENTENCE.exec(body)
    const last = found === null ? end : found.index + found[0].length
    const before = whole.at(-1)
    if (!isInSentence(body, start)) whole.push({ start, end })
    else if (before !== undefined && start < before.end) before.end = Math.max(before.end, last)
    else whole.push({ start, end: last })
  }
  return whole
}

/** Whether the text of a line is what a command printed: half of it would be read as the result of another run. */
const isOutcome = (mark: string, body: string): boolean => ENDED.test(mark) || body.startsWith('printed: ')

/** What introduces something that is left out. */
const LEFT_LABEL = /(?:(?<=[.!?] )|[,;] |^)(?:`[^`]{1,60}`|[^.!?:;,`]){1,50}:$/

/** Returns a text with a note before the mark at its end. */
const withNote = (text: string, note: string): string => text.replace(/[.!?]?$/, (end) => note + end)

/** Returns a text as it is compared: on one line, without the note on what happened since, and without the marks around it. */
const plain = (text: string): string => oneLine(text).replace(SINCE, '').replace(MARKS_AROUND, '').replaceAll('"', "'")
