import { withoutPasted } from '../extract/pasted.ts'
import { asksForNothing } from '../extract/user-text.ts'
import { oneLine, shorten } from '../text/shorten.ts'

/** As much of a message is read, for as many of the newest failures, and as much is quoted. */
const MAX = { characters: 4000, failures: 40, quoted: 160 }

/** The words of a text, and a name with a sign between its parts: `internal/crawl`, `legacy_mail`, `ansible-lint`. */
const WORDS = /[\s,;:!?'"()]+/
const NAME = /^[\p{L}\d].*[._/-][\p{L}\d]/u
const MIN_NAME_CHARACTERS = 6

/**
 * What the user said of failures, word for word, so that the reader can judge whether they are to be left: what the next message says with a
 * name that is in their command or their errors.
 */
export class SaidOf<T extends object> {
  readonly #said = new Map<T, string>()
  /** Those after which the user has said nothing yet, with their commands and errors. */
  #waiting: { failure: T; text: string }[] = []

  /** @param said what is known of an earlier summary */
  add(failure: T, text: string, said?: string): void {
    if (said === undefined) this.#waiting.push({ failure, text })
    else this.#said.set(failure, said)
  }

  get areWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Records what the user says. */
  hear(text: string): void {
    const words = text.slice(0, MAX.characters)
    if (asksForNothing(words)) return
    const said = oneLine(withoutPasted(words)).replace(/[()"`]/g, '')
    for (const { failure, text } of this.#waiting.slice(-MAX.failures)) {
      const named = naming(said, text)
      if (named !== undefined) this.#said.set(failure, named)
    }
    this.#waiting = []
  }

  /** Returns what stands beside the status of a failure. */
  write(failure: T): string {
    const said = this.#said.get(failure) ?? ''
    return said === '' ? '' : `; the user then: "${said}"`
  }
}

/** Returns what is said from the sentence on that names something of a text. */
function naming(said: string, text: string): string | undefined {
  const names = said.split(WORDS).map((word) => word.replace(/\.$/, ''))
  const name = names.find((one) => one.length >= MIN_NAME_CHARACTERS && NAME.test(one) && text.includes(one))
  if (name === undefined) return undefined
  const at = said.indexOf(name)
  const start = Math.max(...['. ', '! ', '? '].map((mark) => said.lastIndexOf(mark, at)))
  return shorten(said.slice(start < 0 ? 0 : start + 2), MAX.quoted)
}
