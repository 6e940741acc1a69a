import { baseName } from '../files/paths.ts'
import { isForbidding } from './bans.ts'
import { isNamed, subjectOf } from './claimed-parts.ts'
import { claimedWords, isShortfall, saysLeft } from './done-claims.ts'
import { isUnverified } from './left-words.ts'
import { areAllIn, namesAll, plainWords, sharedShare, stemOf, stemsOf } from './same-words.ts'
import { lastUpTo, type WorkCommit, type WorkItem } from './work-item.ts'
import type { WorkTurn } from './work-turns.ts'

/** What the agent, or a commit, says is done, with the message that has it. */
interface Claim extends Words {
  stems: ReadonlySet<string>
  at: number
  /** The words of what the agent says is missing, in the answer of the same turn. */
  missing: readonly ReadonlySet<string>[]
}

/** The words of a text, and those before its first preposition, which name what it is about. */
interface Words {
  all: ReadonlySet<string>
  core: ReadonlySet<string>
}

/** How many of the newest claims are compared with steps. */
const MAX_CLAIMS = 4000

interface Sources {
  turns: readonly WorkTurn[]
  commits: readonly WorkCommit[]
  /** Requests, their wishes, and steps. */
  items: readonly WorkItem[]
}

/** A request, or a wish in one, and what its clauses ask for. */
interface Asked {
  item: WorkItem
  clauses: readonly Words[]
}

/** What says that work is done: a claim of the agent, a commit, and of a step, a request for it that is done. */
export class WorkClaims {
  readonly #claims: readonly Claim[]
  readonly #requests: readonly Asked[]
  readonly #steps: readonly Words[]
  readonly #turns: readonly WorkTurn[]

  constructor({ turns, commits, items }: Sources) {
    this.#turns = turns
    const said = turns.flatMap((turn) => {
      const { claims = [], text = '', at = turn.at } = turn.answer ?? {}
      const texts = claims.length === 0 ? [] : [...claims.map((claim) => claim.text), ...claimedWords(text)]
      const missing = texts.length === 0 ? [] : missingIn(turn)
      return texts.flatMap((one) => readClaims(one, at, missing))
    })
    const made = commits.flatMap(({ subject, at }) => readClaims(subject, at, missingIn(this.#turnOf(at))))
    this.#claims = [...said, ...made].sort((a, b) => a.at - b.at).slice(-MAX_CLAIMS)
    const steps = items.filter(({ kind }) => kind === 'step')
    this.#steps = steps.map(({ text }) => wordsOf(plainWords(text)))
    const requests = items.filter(({ kind }) => kind === 'request' || kind === 'wish')
    this.#requests = steps.length === 0 ? [] : requests.map((item) => ({ item, clauses: askedIn(item.text) }))
  }

  /** Returns the first message after another one that says that an item is done: an index; undefined if none does. */
  find({ kind, text }: WorkItem, after: number): number | undefined {
    if (kind === 'wish' && isForbidding(text)) return undefined
    const plain = plainWords(text)
    const words = wordsOf(plain)
    // Of words that many items have, all count.
    const stems = words.all.size === 0 ? stemsOf(plain) : undefined
    const isSaid = (claim: Claim): boolean =>
      stems !== undefined
        ? namesAll(stems, claim.stems)
        : covers(claim, words) && !claim.missing.some((missing) => isNamed(words.all, missing))
    const claimed = this.#claims.find((claim) => claim.at > after && isSaid(claim))
    const isAsked = ({ item: { state, at }, clauses }: Asked): boolean =>
      (state === 'said' || state === 'done') && at > after && clauses.some((asked) => this.#isMeant(words, asked, at))
    const asked = kind === 'step' ? this.#requests.find(isAsked) : undefined
    const found = [claimed?.at, asked?.item.provenAt].filter((at) => at !== undefined)
    return found.length === 0 ? undefined : Math.min(...found)
  }

  #turnOf(at: number): WorkTurn | undefined {
    return this.#turns[lastUpTo(this.#turns, at)]
  }

  /** Whether a request asks for a step: by all of its words, or by some that only this step has, or by which the answer claims it. */
  #isMeant(step: Words, asked: Words, at: number): boolean {
    if (covers(asked, step) && asked.all.size <= step.all.size * MAX_ASKED_SHARE) return true
    if (!areAllIn(asked.all, step.all) || !isName(asked.all, step)) return false
    if (this.#steps.filter(({ all }) => areAllIn(asked.all, all)).length === 1) return true
    const answeredAt = this.#turnOf(at)?.answer?.at
    const said = this.#claims.flatMap((claim) => (claim.at === answeredAt ? [...claim.all] : []))
    return sharedShare(step.all, new Set([...asked.all, ...said])) >= MEANT_SHARE
  }
}

/** Whether words of a step are enough to know it: one must be of those that name it, or a number or a name of code. */
const isName = (words: ReadonlySet<string>, { core }: Words): boolean =>
  words.size > 1 || [...words].some((word) => core.has(word) || isDistinctive(word))

/** Whether no other thing has a word: a number, or a name of code. */
export const isDistinctive = (word: string): boolean => /\d{2}|\w[./_-]\w/.test(word)

/** A request that has more words than a step asks for more, or for something else of it. */
const MAX_ASKED_SHARE = 1.5

/** Returns the words by which the clauses of a request may name a step. What a clause says or asks is no request. */
export const askedIn = (request: string): Words[] =>
  request
    .split(CLAUSE)
    .filter((clause) => !NO_REQUEST.test(clause) && !QUESTION.test(clause))
    .map(wordsOf)
    .map(({ all, core }) => ({ all: withoutPointing(all), core: withoutPointing(core) }))
    .filter(({ all }) => all.size > 0)

const withoutPointing = (words: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...words].filter((word) => !POINTING.has(word) && !/^\d{1,2}$/.test(word)))

/** The verbs of what somebody says, and does not ask for. */
export const NO_REQUEST =
  /(?<![\p{L}])(?:is|are|was|were|has|have|had|does|did|works?|gave|sent|comes?|looks?|seems?|ist|sind|war|waren|hat|haben|liegt|liegen|läuft|est|sont|était|sera|está|están|era|tiene)(?![\p{L}])/iu

/** Returns the words of what the agent says is missing in the answer of a turn. What it has only not verified is not missing. */
const missingIn = (turn: WorkTurn | undefined): ReadonlySet<string>[] =>
  (turn?.answer?.shortfalls ?? []).filter(({ text }) => !isUnverified(text)).map(({ text }) => rootsOf(text))

/** Of several steps with the words of a request, one with this share of its words in the request and the answer is meant. */
const MEANT_SHARE = 0.6

/** A question that asks for no work. */
const QUESTION = /^(?!\s*(?:please |and )?(?:can|could|would|will) (?:you|we) ).*\?$/is

/** Nouns that are made of a verb, and how the stem of that verb ends; and endings of German. */
const NOUNS: readonly (readonly [noun: RegExp, verb: string])[] = [
  [/(?<=\w{2})version$/, 'vert'],
  [/(?<=\w{2})mission$/, 'mit'],
  [/(?<=\w{3})(?:ation|(?<!form)at|ierung|ieren|ierte?)$/, ''],
  [/(?<=\w{2}[stx])ion$/, ''],
  [/(?<=\w{3})(?:ment|(?<=ov|ew)al)$/, ''],
  [/(?<=\w{4})en$/, ''],
  [/^docu$/, 'doc'],
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
  goes continue keep proceed carry start begin work about time again remaining rest meanwhile weiter jetzt bitte nun mal noch dann maintenant ensuite alors
  suite suivant ahora entonces sigue continúa favor siguiente`,
)

/** Returns the words of a sentence that says that something is done, and of its clauses. What one of them denies is not done. */
function readClaims(text: string, at: number, missing: Claim['missing']): Claim[] {
  const clauses = text.split(CLAUSE)
  const claimed = clauses.filter((clause) => !isShortfall(clause) && !saysLeft(clause))
  const whole = claimed.length < clauses.length ? [] : [text]
  return [...whole, ...claimed.map(thingIn)].map((one) => ({ ...wordsOf(one), stems: stemsOf(one), at, missing }))
}

/** Returns a clause without what explains it, after a colon. */
function thingIn(clause: string): string {
  const [head = '', ...rest] = clause.split(/[:：]\s/)
  return rest.length > 0 && [...rootsOf(head)].every((word) => FILLER.has(word)) ? rest.join(' ') : head
}

/** The places between clauses. */
export const CLAUSE = /[.,;，；](?=\s|$)|[()]|\s(?:[-–—]|and|but|und|aber|et|mais|y|pero)\s/iu

/** What is done to a thing, or about it, beside what a step wants. */
const ASPECTS = rootsOf(
  `test spec document doc docs documentation readme comment changelog plan issue ticket todo typo rename log mock stub benchmark remove
  delete drop revert undo disable skip replace investigate analyze review discuss read check look find measure explain describe propose
  wip draft prepare start begin partial half green pass succeed run fail failure question bug error crash warning tippfehler fehler`,
)

/** Words of a claim that say nothing of its thing. */
const FILLER = rootsOf(
  'was were been has have everywhere completely fully successfully done finally done all ready work works working feat perf',
)

/** Where a place, a purpose or a means begins. */
const PREPOSITION =
  /\s(?:to|for|in|on|from|with|by|at|into|onto|inside|when|so|because|using|via|für|mit|bei|im|zum|zur|auf|von|nach|pour|avec|dans|sur|aux?|vers|para|con|en|por)\s/iu

const wordsOf = (text: string): Words => {
  const [all, core] = [rootsOf(text), rootsOf(text.trim().split(PREPOSITION, 1)[0] ?? '')]
  return { all, core: core.size === 0 ? all : core }
}

/** Whether a claim is about a thing: it has all words of it, those that name it where it names its own, and no other aspect of it. One word has to be all of the claim. */
function covers(claim: Words, thing: Words): boolean {
  if (!areAllIn(thing.all, claim.all) || !areAllIn(thing.core, claim.core)) return false
  const isAlone = [...claim.all].every((word) => thing.all.has(word) || FILLER.has(word))
  return !hasOtherAspect(claim.all, thing.all) && (thing.all.size > 1 || isAlone)
}

/** Whether a claim is about another aspect of a thing, such as its tests. */
export const hasOtherAspect = (claim: ReadonlySet<string>, thing: ReadonlySet<string>): boolean =>
  [...claim].some((word) => ASPECTS.has(word) && !thing.has(word))
