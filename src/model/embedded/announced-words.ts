import { findNextSteps, findSentences } from '../../extract/statements.ts'
import { isAnnouncing, withoutLooks, withoutMade } from '../../extract/words.ts'
import { defined } from '../../text/defined.ts'
import { oneLine, oneLineWithoutFences, shorten } from '../../text/shorten.ts'

/** What the agent has announced, and its closing words. */
export interface Announced {
  /** The last paragraph that the agent wrote, if it says what comes next. */
  lastWords?: string
  /** The message that the agent wrote last: an index. */
  saidAt?: number
  /** The last words without the looks and the changes that were made since. */
  goesOn?: string
  /** The last paragraph of the agent's last text since the newest request, without the steps that it lists. */
  closing?: string
}

const MAX_WORDS_CHARACTERS = 320

/** Follows what the agent has announced, and what of it was done since. */
export class AnnouncedWords {
  #lastWords = ''
  /** The last text since the newest request, if no call has ended after it. */
  #closing = ''
  #saidAt = -1
  /** Whether a call has ended since the last words. */
  #hasLooked = false
  /** The names of the files that were changed since then. */
  readonly #changed = new Set<string>()

  /** @param isGoingOn whether the user only goes on with the request before: what was announced still holds */
  request(isGoingOn: boolean): void {
    if (!isGoingOn) this.#lastWords = ''
    this.#closing = ''
  }

  say(text: string, at: number): void {
    const paragraphs = text.trim().split(/\n\s*\n/)
    const paragraph = paragraphs.at(-1) ?? ''
    this.#closing = text
    this.#hasLooked = false
    this.#changed.clear()
    this.#saidAt = at
    // The steps that a text lists are items of work.
    const announces = findSentences(paragraph).some(isAnnouncing) && findNextSteps(paragraph).length === 0
    this.#lastWords = announces ? shorten(oneLine(paragraph), MAX_WORDS_CHARACTERS) : ''
  }

  /** Records that a call has ended. @param changed the names of the files that it has changed; undefined if it has failed */
  end(changed: readonly string[] | undefined): void {
    this.#closing = ''
    if (changed === undefined) return
    this.#hasLooked = true
    for (const name of changed) this.#changed.add(name)
  }

  words(): Announced {
    return defined({
      lastWords: this.#lastWords || undefined,
      saidAt: this.#saidAt,
      goesOn: this.#goesOn() || undefined,
      closing: closingOf(this.#closing) || undefined,
    })
  }

  #goesOn(): string {
    return withoutMade(this.#hasLooked ? withoutLooks(this.#lastWords) : this.#lastWords, [...this.#changed])
  }
}

const MAX_CLOSING_CHARACTERS = 500

/** Returns all of a short text, or its last paragraph, without the steps that it lists: they are items of work. */
function closingOf(text: string): string {
  const steps = findNextSteps(text)
  const paragraphs = text.trim().split(/\n\s*\n/)
  const others = paragraphs.filter((paragraph) => !steps.some((step) => paragraph.includes(step)))
  const whole = oneLineWithoutFences(others.join('\n'))
  if (whole.length <= MAX_CLOSING_CHARACTERS) return whole
  return shorten(oneLineWithoutFences(others.at(-1) ?? ''), MAX_CLOSING_CHARACTERS)
}
