import { findNextSteps, findSentences } from '../../extract/statements.ts'
import { isAnnouncing, withoutLooks, withoutMade } from '../../extract/words.ts'
import { defined } from '../../text/defined.ts'
import { oneLine, shorten } from '../../text/shorten.ts'

/** What the agent has announced. */
export interface Announced {
  /** The last paragraph that the agent wrote, if it says what comes next. */
  lastWords?: string
  /** The message that the agent wrote last: an index. */
  saidAt?: number
  /** The last words without the looks and the changes that were made since; or else what was announced before the user went on. */
  goesOn?: string
}

const MAX_WORDS_CHARACTERS = 320

/** Follows what the agent has announced, and what of it was done since. */
export class AnnouncedWords {
  #lastWords = ''
  #saidAt = -1
  /** Whether a call has ended since the last words. */
  #hasLooked = false
  /** The names of the files that were changed since then. */
  readonly #changed = new Set<string>()
  /** What was announced before the user went on. */
  #proposed = ''

  /** @param isGoingOn whether the user only goes on with the request before: what was announced still holds */
  request(isGoingOn: boolean): void {
    this.#proposed = isGoingOn ? this.#goesOn() || this.#proposed : ''
    if (!isGoingOn) this.#lastWords = ''
  }

  say(text: string, at: number): void {
    const paragraph =
      text
        .trim()
        .split(/\n\s*\n/)
        .at(-1) ?? ''
    this.#hasLooked = false
    this.#changed.clear()
    this.#saidAt = at
    // The steps that a text lists are items of work.
    const announces = findSentences(paragraph).some(isAnnouncing) && findNextSteps(paragraph).length === 0
    this.#lastWords = announces ? shorten(oneLine(paragraph), MAX_WORDS_CHARACTERS) : ''
  }

  /** Records that a call has ended well. @param changed the names of the files that it has changed */
  end(changed: readonly string[]): void {
    this.#hasLooked = true
    for (const name of changed) this.#changed.add(name)
  }

  words(): Announced {
    const goesOn = this.#goesOn() || this.#proposed
    return defined({ lastWords: this.#lastWords || undefined, saidAt: this.#saidAt, goesOn: goesOn || undefined })
  }

  #goesOn(): string {
    return withoutMade(this.#hasLooked ? withoutLooks(this.#lastWords) : this.#lastWords, [...this.#changed])
  }
}
