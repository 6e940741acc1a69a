import { baseName } from '../files/paths.ts'
import { subjectOf } from './claimed-parts.ts'
import { claimedWords, isShortfall } from './done-claims.ts'
import { areAllIn, namesAll, plainWords, sharedShare, stemOf, stemsOf } from './same-words.ts'
import type { WorkCommit, WorkItem } from './work-item.ts'
import type { WorkTurn } from './work-turns.ts'

/** The words of something that the agent, or a commit, says is done, with the message that has them. */
interface Claim {
  words: ReadonlySet<string>
  stems: ReadonlySet<string>
  at: number
}

/** How many of the newest claims are compared with steps. */
const MAX_CLAIMS = 4000

interface Sources {
  turns: readonly WorkTurn[]
  commits: readonly WorkCommit[]
  /** Requests, their wishes, and steps. */
  items: readonly WorkItem[]
}

/** A request, a wish or a step, and its words. */
interface Named {
  item: WorkItem
  words: ReadonlySet<string>
}

/** What says that work is done: a claim of the agent, a commit, and of a step, a request for it that is done. */
export class WorkClaims {
  readonly #claims: readonly Claim[]
  readonly #requests: readonly Named[]
  readonly #steps: readonly Named[]
  readonly #turns: readonly WorkTurn[]

  constructor({ turns, commits, items }: Sources) {
    const said = turns.flatMap(({ answer }) =>
      answer === undefined ? [] : claimedWords(answer.text).flatMap((text) => readClaims(text, answer.at)),
    )
    const made = commits.flatMap(({ subject, at }) => readClaims(subject, at))
    this.#claims = [...said, ...made].sort((a, b) => a.at - b.at).slice(-MAX_CLAIMS)
    this.#turns = turns
    const steps = items.filter(({ kind }) => kind === 'step')
    this.#steps = steps.map((item) => ({ item, words: rootsOf(plainWords(item.text)) }))
    const requests = items.filter(({ kind, text }) => (kind === 'request' || kind === 'wish') && !QUESTION.test(text))
    this.#requests = steps.length === 0 ? [] : requests.map((item) => ({ item, words: askedIn(item.text) }))
  }

  /** Returns the first message after another one that says that an item is done: an index; undefined if none does. */
  find({ kind, text }: WorkItem, after: number): number | undefined {
    const [words, stems] = [rootsOf(plainWords(text)), stemsOf(plainWords(text))]
    // Of words that many items have, all count.
    const isSaid = (claim: Claim): boolean =>
      words.size === 0 ? namesAll(stems, claim.stems) : covers(claim.words, words)
    const claimed = this.#claims.find((claim) => claim.at > after && isSaid(claim))
    const isAsked = ({ item: { state, at }, words: others }: Named): boolean =>
      (state === 'said' || state === 'done') && at > after && this.#isMeant(words, others, at)
    const asked = kind === 'step' ? this.#requests.find(isAsked) : undefined
    const found = [claimed?.at, asked?.item.provenAt].filter((at) => at !== undefined)
    return found.length === 0 ? undefined : Math.min(...found)
  }

  /** Whether a request asks for a step: by all of its words, or by some that only this step has, or by which the answer claims it. */
  #isMeant(step: ReadonlySet<string>, asked: ReadonlySet<string>, at: number): boolean {
    if (covers(asked, step)) return true
    if (asked.size === 0 || !areAllIn(asked, step)) return false
    if (this.#steps.filter(({ words }) => areAllIn(asked, words)).length === 1) return true
    const answer = this.#turns.findLast((turn) => turn.at <= at)?.answer
    const said = this.#claims.filter((claim) => claim.at === answer?.at).flatMap(({ words }) => [...words])
    return sharedShare(step, new Set([...asked, ...said])) >= MEANT_SHARE
  }
}

/** Returns the words by which a request may name a step. */
const askedIn = (request: string): ReadonlySet<string> =>
  new Set([...rootsOf(request)].filter((word) => !POINTING.has(word) && !/^\d{1,2}$/.test(word)))

/** Of several steps with the words of a request, one with this share of its words in the request and the answer is meant. */
const MEANT_SHARE = 0.6

/** A question that asks for no work. */
const QUESTION = /^(?!(?:please |and )?(?:can|could|would|will) (?:you|we) ).*\?$/is

/** Nouns that are made of a verb, and how the stem of that verb ends; and endings of German. */
const NOUNS: readonly (readonly [noun: RegExp, verb: string])[] = [
  [/(?<=\w{2})version$/, 'vert'],
  [/(?<=\w{2})mission$/, 'mit'],
  [/(?<=\w{3})(?:ation|(?<!form)at|ierung|ieren|ierte?)$/, ''],
  [/(?<=\w{2}[stx])ion$/, ''],
  [/(?<=\w{3})(?:ment|(?<=ov|ew)al)$/, ''],
  [/(?<=\w{4})en$/, ''],
]

/** Returns the words that say what a text is about, each in a form that a noun and its verb have, and a file and its name. */
export const rootsOf = (text: string): ReadonlySet<string> => new Set(Array.from(subjectOf(text), rootOf))

function rootOf(stem: string): string {
  const name = /^[\w./-]*[a-z_-]\.[a-z]{1,5}$/.test(stem) ? baseName(stem).replace(/\.[a-z]{1,5}$/, '') : stem
  return stemOf(NOUNS.reduce((word, [noun, verb]) => word.replace(noun, verb), name))
}

/** Words of a request that only point at a step. */
const POINTING = rootsOf(
  `nice thing stuff part task item step point number bit ok okay great cool good thanks perfect next first last second third lets let go
  goes continue keep proceed carry start begin work about time again remaining rest weiter jetzt bitte nun mal noch maintenant ensuite
  suite suivant ahora sigue continúa favor siguiente`,
)

/** Returns the words of a sentence that says that something is done, and of its clauses. What one of them denies is not done. */
function readClaims(text: string, at: number): Claim[] {
  const clauses = text.split(CLAUSE)
  const claimed = clauses.filter((clause) => !isShortfall(clause))
  const whole = claimed.length < clauses.length ? [] : [text]
  return [...whole, ...claimed.map(thingIn)].map((one) => ({ words: rootsOf(one), stems: stemsOf(one), at }))
}

/** Returns a clause without what explains it, after a colon. */
function thingIn(clause: string): string {
  const [head = '', ...rest] = clause.split(/[:：]\s/)
  return rest.length > 0 && [...rootsOf(head)].every((word) => FILLER.has(word)) ? rest.join(' ') : head
}

/** The places between clauses. */
const CLAUSE = /[.,;，；](?=\s|$)|[()]|\s(?:[-–—]|and|but|und|aber|et|mais|y|pero)\s/iu

/** What is done to a thing, or about it, beside what a step wants. */
const ASPECTS = rootsOf(
  `test spec document doc docs documentation readme comment changelog plan issue ticket todo typo rename log mock stub benchmark remove
  delete drop revert undo disable skip replace investigate analyze review discuss read check look find measure explain describe propose
  wip draft prepare start begin partial half green pass succeed run fail failure question`,
)

/** Words of a claim that say nothing of its thing. */
const FILLER = rootsOf(
  'was were been has have everywhere completely fully successfully done finally done all ready work works working feat perf',
)

/** Whether a claim is about a thing: it has all words of it, and no other aspect of it. One word has to be all of the claim. */
function covers(claim: ReadonlySet<string>, thing: ReadonlySet<string>): boolean {
  if (thing.size === 0 || !areAllIn(thing, claim)) return false
  return (
    !hasOtherAspect(claim, thing) && (thing.size > 1 || [...claim].every((word) => thing.has(word) || FILLER.has(word)))
  )
}

/** Whether a claim is about another aspect of a thing, such as its tests. */
export const hasOtherAspect = (claim: ReadonlySet<string>, thing: ReadonlySet<string>): boolean =>
  [...claim].some((word) => ASPECTS.has(word) && !thing.has(word))
