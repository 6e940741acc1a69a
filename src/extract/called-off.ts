import { subjectOf } from './claimed-parts.ts'
import { isActionOf, isOnly, namesOption, stemsOf } from './same-words.ts'
import { lastUpTo, quoteUser, type WorkItem } from './work-item.ts'
import type { WorkTurn } from './work-turns.ts'

/** Words of the user that call something off, or take back what was done. */
interface Words {
  phrase: string
  stems: ReadonlySet<string>
  at: number
  isTakenBack: boolean
}

/** How many of the newest words are compared with items. */
const MAX_WORDS = 60

/** What the user has called off or taken back. */
export class CalledOff {
  readonly #words: readonly Words[]
  readonly #forbidden: readonly { action: string; at: number }[]
  readonly #turns: readonly WorkTurn[]

  constructor(turns: readonly WorkTurn[]) {
    this.#turns = turns
    const said = turns.flatMap(({ unwanted }) => unwanted)
    this.#forbidden = said.flatMap(({ forbidden, at }) => forbidden.map((action) => ({ action, at }))).slice(-MAX_WORDS)
    this.#words = said
      .flatMap(({ calledOff, takenBack, at }) => [
        ...calledOff.map((phrase) => ({ phrase, stems: stemsOf(phrase), at, isTakenBack: false })),
        ...takenBack.map((phrase) => ({ phrase, stems: stemsOf(phrase), at, isTakenBack: true })),
      ])
      .filter(({ stems }) => stems.size > 0)
      .slice(-MAX_WORDS)
  }

  /** Sets the state of an item that the user calls off. Words in the request of its own turn count for what lists have. */
  apply(item: WorkItem, stems: ReadonlySet<string>): void {
    const isListed = item.kind !== 'request' && item.kind !== 'wish'
    const from = isListed ? (this.#turns[lastUpTo(this.#turns, item.at)]?.at ?? -1) : item.at + 1
    const provenAt = this.#find(item, { stems, from })
    if (provenAt === undefined || item.state === 'replaced') return
    const { request = '' } = this.#turns[lastUpTo(this.#turns, provenAt)] ?? {}
    const since = [quoteUser(request)]
    // What is named may be a part of a request: the user's words stand beside it.
    if (item.kind === 'request') {
      Object.assign(item, { since: item.since ?? since, ...(item.state === 'said' && { state: 'answered', provenAt }) })
      return
    }
    Object.assign(item, { state: 'replaced', provenAt, since })
    delete item.note
  }

  /**
   * Returns the last message that calls an item off.
   * @param from the first message whose words can call off the item
   */
  #find(item: WorkItem, { stems, from }: { stems: ReadonlySet<string>; from: number }): number | undefined {
    const isOpen = item.state === 'open' || item.state === 'unknown'
    const forbidden = isOpen
      ? this.#forbidden.findLast(({ action, at }) => at > item.at && isActionOf(action, item.text))
      : undefined
    if (forbidden !== undefined) return forbidden.at
    return this.#words.findLast(
      ({ phrase, stems: others, at, isTakenBack }) =>
        (isTakenBack ? at > Math.max(item.at, item.provenAt ?? -1) : isOpen && at >= from) &&
        (isOnly(others, stems) || isInScript(phrase, item.text) || (isTakenBack && namesOption(phrase, item.text))),
    )?.at
  }
}

/** A thing in a script without spaces between words, without the verb before it and the particle behind it. */
const UNSPACED =
  /^(?:做|再|去|写)?([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,20}?)(?:的|了|吧|功能)?$/u

/** Whether a phrase in such a script is the thing of an item. */
function isInScript(phrase: string, item: string): boolean {
  const [, thing] = UNSPACED.exec(phrase) ?? []
  return thing !== undefined && isOnly(subjectOf(thing), subjectOf(item))
}
