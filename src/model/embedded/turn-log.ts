import type { TurnFact } from './facts.ts'
import { oneLine, shorten } from '../../extract/shorten.ts'

const REQUEST_LINE_CHARACTERS = 140
const OUTCOME_CHARACTERS = 220

/** What an agent says of a turn at its end is the most of it; of a longer text its first paragraph. */
const firstParagraph = (text: string): string => text.trim().split(/\n\s*\n/, 1)[0] ?? ''

interface OpenTurn {
  request: string
  said: string[]
  files: Set<string>
  isFinished: boolean
}

/** Writes down turn by turn what was asked, what came of it, and which files it changed. */
export class TurnLog {
  readonly #turns: OpenTurn[] = []

  begin(request: string): void {
    this.#turns.push({ request, said: [], files: new Set(), isFinished: false })
  }

  /** Something in the conversation that is neither a request nor an answer: a note, an earlier summary. */
  note(text: string): void {
    if (text.trim() !== '')
      this.#turns.push({
        request: '',
        said: [shorten(oneLine(firstParagraph(text)), OUTCOME_CHARACTERS)],
        files: new Set(),
        isFinished: true,
      })
  }

  say(text: string, isFinished: boolean): void {
    const turn = this.#current()
    turn.said.push(shorten(oneLine(firstParagraph(text)), OUTCOME_CHARACTERS))
    turn.isFinished = isFinished
  }

  change(path: string | undefined): void {
    const turn = this.#current()
    if (path !== undefined) turn.files.add(path)
  }

  list(): TurnFact[] {
    const last = this.#turns.at(-1)
    return this.#turns.map((turn) => ({
      request: shorten(oneLine(turn.request), REQUEST_LINE_CHARACTERS),
      outcome: turn.said.at(-1) ?? '',
      changedFiles: [...turn.files],
      steps: turn.said.slice(0, -1),
      isFinished: turn.isFinished || turn !== last,
    }))
  }

  /** A span may begin in the middle of a turn. */
  #current(): OpenTurn {
    if (this.#turns.length === 0) this.begin('')
    return this.#turns.at(-1) as OpenTurn
  }
}
