import { withoutAnnounced } from '../../extract/words.ts'
import { namingWords } from '../../extract/cut-request.ts'
import type { WorkItem } from '../../extract/work-item.ts'
import { RESUMED, UNDONE } from '../../extract/work-requests.ts'
import type { WorkNews } from '../../extract/work-news.ts'
import { defined } from '../../text/defined.ts'
import { oneLineWithoutFences, shorten } from '../../text/shorten.ts'
import { isLongEnough, scorePassages, splitPassages, type Passage } from './passages.ts'
import type { TurnFact } from './facts.ts'
import { matchFocus, type Focus } from './focus.ts'
import { markFound, withoutPassedFaults } from './stale-lines.ts'
import { isOpen } from './turn-lines.ts'

/** Records the requests, the answers and the changed files of turns. */
export class TurnLog {
  readonly #turns: OpenTurn[] = []
  #passages = 0
  /** The message that is read: an index. */
  #at = 0

  /** Records which message is read next. */
  moveTo(at: number): void {
    this.#at = at
  }

  begin(request: string, isNote = false): void {
    const at = isNote ? undefined : this.#at
    this.#turns.push({ request, at, outcome: '', texts: [], committed: 0, files: new Set() })
  }

  /** Records a text that is neither a request nor an answer: a note, or an earlier summary. */
  note(text: string): void {
    if (text.trim() === '') return
    this.begin('', true)
    this.say(text)
  }

  say(text: string): void {
    const turn = this.#current()
    const [shown = ''] = firstParagraph(text).split(CONFLICT, 1)
    turn.outcome = shorten(oneLineWithoutFences(shown), OUTCOME_CHARACTERS)
    this.#addPassages({ at: this.#at, passages: splitPassages(text) })
  }

  /** Records a commit: its message says what was done until then. */
  commit(): void {
    const turn = this.#current()
    turn.committed = turn.texts.length
  }

  change(path: string | undefined): void {
    const turn = this.#current()
    if (path !== undefined) turn.files.add(path)
  }

  /**
   * @param items the requests with their states
   * @param news what happened since to what a passage of an open turn names
   * @param focus what passages are worth more for
   */
  list(items: readonly WorkItem[], news: WorkNews, focus?: Focus): TurnFact[] {
    const standings = new Map(items.filter(({ kind }) => kind === 'request').map((item) => [item.at, item]))
    // The rest of a turn may begin with calls, before its first text.
    const rest = items.find(({ kind, text }) => kind === 'request' && text === '')
    const chosen = choosePassages(this.#turns, focus)
    return this.#turns.map((turn, index) => {
      const standing = turn.at === undefined ? undefined : turn.request === '' ? rest : standings.get(turn.at)
      // What the agent has said of work that was undone does not hold.
      const passages = standing?.note === UNDONE ? [] : withoutPassedFaults(chosen[index] ?? [], standing, news)
      const mark = ({ text, at, ...passage }: SaidPassage): Passage => ({ ...passage, text: markFound(text, news, at) })
      return {
        request: shorten(oneLineWithoutFences(namingWords(turn.request)), REQUEST_LINE_CHARACTERS),
        outcome: turn.outcome,
        changedFiles: [...turn.files],
        passages: passages
          .map(isOpen({ standing }) || standing?.note === RESUMED ? mark : ({ text, score }) => ({ text, score }))
          .filter(({ text }) => text !== ''),
        ...defined({ standing }),
      }
    })
  }

  #addPassages(text: SaidText): void {
    this.#current().texts.push(text)
    this.#passages += text.passages.length
    if (this.#passages > MAX_PASSAGES) this.#forgetOldest()
  }

  /** Returns the current turn. A span may begin in the middle of a turn. */
  #current(): OpenTurn {
    if (this.#turns.length === 0) this.begin('')
    return this.#turns.at(-1) as OpenTurn
  }

  /** Leaves out the passages of the oldest turns: a session may have hundreds of thousands. */
  #forgetOldest(): void {
    for (const turn of this.#turns) {
      if (this.#passages <= MAX_PASSAGES / 2) return
      const kept = turn === this.#current() ? turn.texts.slice(-MAX_PASSAGES / 8).map(firstPassages) : []
      this.#passages += countAll(kept) - countAll(turn.texts)
      turn.texts = kept
      turn.committed = 0
    }
  }
}

/** A text of the agent. */
interface SaidText {
  /** Its message: an index. */
  at: number
  passages: string[]
}

type SaidPassage = Passage & { at: number }

const firstPassages = (text: SaidText): SaidText => ({ ...text, passages: text.passages.slice(0, 4) })

interface OpenTurn {
  request: string
  /** The message with which it begins: an index; undefined for a note. */
  at: number | undefined
  /** The first paragraph of the agent's last text. */
  outcome: string
  texts: SaidText[]
  /** How many of the texts are older than the last commit. */
  committed: number
  files: Set<string>
}

/** Code to be replaced, as Aider's model writes it: of a text about it, what stands before says what it is. */
const CONFLICT = /^<{7} /m

const REQUEST_LINE_CHARACTERS = 140
const OUTCOME_CHARACTERS = 320
const MAX_PASSAGES = 6000

/** The number of passages that a summary may have room for. */
const MAX_CHOSEN = 400

/** The last text of a turn reports on all of it. */
const LAST_TEXT_SCORE = 1.5

/** What was said before a commit of the same turn. */
const COMMITTED_SCORE = -1.5

/** A word of the focus is worth more than all else that a passage says. */
const FOCUS_SCORE = 20

/** With less, a passage only accompanies the work. What has little more stays where there is room. */
const MIN_SCORE = 0.3

/** The steps that a text lists are items of work. */
const LISTS_STEPS = /^(?:\*\*)?(?:next steps?|to-?do|remaining|still (?:to do|open))\b[^a-z\n]{0,6}:/i

const countAll = (texts: readonly SaidText[]): number => texts.reduce((sum, { passages }) => sum + passages.length, 0)

/**
 * Returns the first paragraph: an agent's last text describes the turn, and a longer one begins with the main point.
 */
const firstParagraph = (text: string): string => {
  const [first = '', second = ''] = text
    .trim()
    .slice(0, 4000)
    .split(/\n\s*\n/, 2)
  return first.endsWith(':') ? `${first}\n${second}` : first
}

/** Returns the passages of each turn that say most, without those that the outcome repeats. */
function choosePassages(turns: readonly OpenTurn[], focus?: Focus): SaidPassage[][] {
  const all = turns.flatMap(({ texts, outcome, committed }, turn) =>
    texts.flatMap((said, index) => {
      const isLast = index === texts.length - 1
      const others = isLast
        ? said.passages.filter((text) => !outcome.startsWith(text.slice(0, OUTCOME_CHARACTERS / 2)))
        : // What it announces was done.
          said.passages.map(withoutAnnounced).filter(isLongEnough)
      // A question that is still open has a line of its own.
      return others
        .filter((text) => !/[?？]\**$/.test(text) && !LISTS_STEPS.test(text))
        .map((text) => ({ text, at: said.at, turn, isLast, isCommitted: index < committed }))
    }),
  )
  const scores = scorePassages(all.map(({ text }) => text))
  const chosen = all
    .map((one, order) => {
      const asked = FOCUS_SCORE * matchFocus(one.text, focus)
      const known = one.isLast ? LAST_TEXT_SCORE : one.isCommitted ? COMMITTED_SCORE : 0
      return { ...one, order, score: (scores[order] ?? 0) + known + asked }
    })
    .filter(({ score }) => score > MIN_SCORE)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_CHOSEN)
    .sort((a, b) => a.order - b.order)
  const byTurn: SaidPassage[][] = turns.map(() => [])
  for (const { text, at, turn, score } of chosen) byTurn[turn]?.push({ text, at, score })
  return byTurn
}
