import { toolCallsOf, type Message } from '../session/message.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { saysOwner, withoutNotYet } from './bans.ts'
import { forRequest, isForRequest, namedRequest } from './demand-notes.ts'
import { withoutPasted } from './pasted.ts'
import { withoutQuotes } from './others-words.ts'
import { wordsOf } from './said-lines.ts'
import { isIntended } from './standing-words.ts'
import { findSentences } from './statements.ts'
import { readUserAnswers, readUserText } from './user-text.ts'
import { isBriefing, joinDemanded } from './listed-wishes.ts'
import { isGoOn } from './go-on.ts'
import { isCutOff } from './left-work.ts'
import type { WorkItem } from './work-item.ts'
import { isDemand, isLastingDemand } from './words.ts'

/** A demand, a ban or a preference, in the user's words. */
interface Demand {
  text: string
  /** Whether it holds for all work, and not only for the request that it belongs to. */
  isLasting: boolean
}

/** A text of the user. */
interface Heard {
  text: string
  /** Its sentences, each on one line. */
  sentences: readonly string[]
}

const MAX_DEMAND_CHARACTERS = 300

/** The beginning of a sentence whose subject is in the sentence before. */
const NEEDS_SUBJECT =
  /^(?:it(?!['’]s (?:important|essential|crucial)| is (?:important|essential|crucial))|they|these|those|this|that|its|their|both|neither|es|sie|diese[rsn]?|das|beide|ils?(?! (?:ne )?faut)|elles?|cela|ça|ellos|ellas|они|он[ао]?|это)\b|^(?:它们?|这|那|それ|これ)/i

/** The end of a clause that points to the sentence before it. */
const POINTS_BACK = /(?<![\p{L}])(?:there|dort|là|ahí|allí)(?=\s{0,2}(?:[.,;!]|$))/iu

/** Whether a clause before the last one has a path: `src/ is ours, change it there`. */
const namesPlace = (sentence: string): boolean =>
  sentence
    .split(/[,;:] /)
    .slice(0, -1)
    .some((clause) => clause.includes('/'))

/** A pronoun for what a sentence is about, and the most words of one that names nothing else. */
const OBJECT =
  /(?<!as )(?<![\p{L}])(?:it|them|ihn|ihm|ihnen)(?![\p{L}])|(?<=\p{L} )(?:es|sie) (?:nie|niemals|nicht|immer)(?![\p{L}])|(?<![\p{L}])(?:ne|nunca|siempre) (?:l['’]|(?:les?|la|los?|las) )(?=\p{L})/iu
const MAX_WORDS_WITHOUT_NAME = 2

const hasOnlyPronoun = (sentence: string): boolean =>
  OBJECT.test(sentence) && wordsOf(sentence).size <= MAX_WORDS_WITHOUT_NAME

/** A question is no demand, unless it only asks for consent: `Never push on Fridays, ok?` */
const NO_DEMAND =
  /(?<![,;] (?:ok|okay|all ?right|deal|gut|klar|verstanden|vale|entendido|de acuerdo|d['’]accord|entendu))\s?[?？]$/i

const sentencesIn = (text: string): string[] =>
  findSentences(withoutQuotes(withoutPasted(joinDemanded(text)))).map((sentence) =>
    oneLine(sentence).replace(/^#{1,6} /, ''),
  )

/** Returns the demands in a text of the user, in order: what is pasted has none, and a pronoun comes with the sentence before. */
export const findDemands = (text: string): Demand[] => demandsIn({ text, sentences: sentencesIn(text) })

function demandsIn({ text, sentences }: Heard): Demand[] {
  const isForTask = isBriefing(text)
  return sentences.flatMap((sentence, at) => {
    if (NO_DEMAND.test(sentence)) return []
    if (!isDemand(sentence) || sentence.length > MAX_DEMAND_CHARACTERS) return []
    const intended = BANS_IT.test(sentence)
      ? sentences.slice(Math.max(0, at - 2), at).findLast((one) => isIntended(one) || saysOwner(one))
      : undefined
    const pointsBack = POINTS_BACK.test(sentence) && !namesPlace(sentence)
    const needsBefore = NEEDS_SUBJECT.test(sentence) || pointsBack || hasOnlyPronoun(sentence)
    const before = intended ?? (needsBefore ? sentences[at - 1] : undefined)
    const room = MAX_DEMAND_CHARACTERS - sentence.length - 1
    const whole =
      before === undefined || room < MIN_SUBJECT_CHARACTERS ? sentence : `${shorten(before, room)} ${sentence}`
    return [{ text: whole, isLasting: !isForTask && (isLastingDemand(sentence) || intended !== undefined) }]
  })
}

/** A ban of what the sentences before it name. */
const BANS_IT = /^(?:don['’]t|do not|never) \w{1,20} (?:it|them|this|that)\b/i

/** The beginning of a sentence says what it is about. */
const MIN_SUBJECT_CHARACTERS = 40

/** Returns the demands in a text of the user that hold for all work, in order. */
export const findLastingDemands = (text: string): string[] =>
  findDemands(text).flatMap((demand) => (demand.isLasting ? [demand.text] : []))

/** Returns the user's words in a message: a request, or answers in the result of a tool. */
const userWordsIn = (message: Message): string[] =>
  message.role === 'user' ? [readUserText(message) ?? ''] : readUserAnswers(message).map(({ answer }) => answer)

/** Returns the lasting demands in a message, in the user's words. */
export const lastingDemandsIn = (message: Message): string[] => userWordsIn(message).flatMap(findLastingDemands)

const MAX_NAME_CHARACTERS = 80

/**
 * Returns what the user says and demands in messages, oldest first. Demands that still hold are lasting ones, those of the open request
 * if newer messages only ask to go on, and those of requests that were cut off and are open. These have the name of their request: the
 * newest request itself is quoted as a whole. What it forbids holds while it is open.
 * @param items the work of the messages
 */
export function readDemands(
  messages: readonly Message[],
  items: readonly WorkItem[] = [],
): Record<'said' | 'standing' | 'newestBans', string[]> {
  const texts = messages.map((message) => readUserText(message))
  const newest = texts.findLastIndex((text) => text !== undefined)
  const openAt = texts.findLastIndex((text) => text !== undefined && !isPassing(text))
  const open = texts[openAt]
  const heard = messages.flatMap((message, at) =>
    userWordsIn(message).map((text) => ({ text, at, sentences: sentencesIn(text) })),
  )
  const cutOff = cutOffRequests(items)
  const isBegun = open !== undefined && saysGo(messages.slice(openAt + 1, newest + 1))
  const standing: string[] = []
  const newestBans: string[] = []
  for (const one of heard)
    for (const { text, isLasting } of demandsIn(one)) {
      if (isLasting) standing.push(text)
      else if (one.at === newest && BAN.test(text)) newestBans.push(forRequest(text, 'the newest request'))
      else if (one.at === openAt && openAt < newest && !(isBegun && withoutNotYet(text) !== text))
        standing.push(forOpen(text, open ?? ''))
      else if (one.at < newest && cutOff.has(one.at)) standing.push(forOpen(text, texts[one.at] ?? ''))
    }
  return { said: heard.flatMap(({ sentences }) => sentences), standing, newestBans }
}

const forOpen = (demand: string, request: string): string => forRequest(demand, `"${nameOf(request)}"`)

/** Returns the messages of the newest requests that were cut off and are open. */
function cutOffRequests(items: readonly WorkItem[]): ReadonlySet<number> {
  const requests = items.filter(({ kind }) => kind === 'request')
  const cutOff = requests.filter((item) => item.state === 'open' && isCutOff(item))
  return new Set(cutOff.slice(-MAX_CUT_OFF).map(({ at }) => at))
}

const MAX_CUT_OFF = 4

/** Whether a user says to go on after an answer: what was not to be done yet is to be done now. */
function saysGo(messages: readonly Message[]): boolean {
  const answer = messages.findLast(({ role }) => role === 'assistant')
  const hasAnswered =
    answer?.role === 'assistant' &&
    toolCallsOf(answer).length === 0 &&
    !/abort|cancel|interrupt|error|fail/i.test(answer.stopReason ?? '')
  return hasAnswered && messages.some((message) => GO.test(readUserText(message) ?? ''))
}

const GO =
  /^(?:(?:ok(?:ay)?|yes|yep|great|good|perfect|looks good|lgtm|ja|gut|oui|sí|vale)[,.! ]{1,2}){0,2}(?:go|yes|yep|proceed|continue|start|begin|do it|implement|ja|los|leg los|weiter|oui|vas-y|sí|adelante|dale)(?![\p{L}])/iu

/** Whether a message asks for nothing of its own: a command of the client, a word to go on. */
const isPassing = (text: string): boolean =>
  isGoOn(text) || /^\/\w/.test(text) || text.trim().length < MIN_REQUEST_CHARACTERS

const MIN_REQUEST_CHARACTERS = 12

const nameOf = (request: string): string =>
  shorten(firstSentences(oneLine(withoutPasted(request))), MAX_NAME_CHARACTERS)

/** Returns as many whole sentences of a text as a name has room for, or the text if it has none. */
function firstSentences(text: string): string {
  const ends = [...text.slice(0, MAX_NAME_CHARACTERS + 1).matchAll(/[.!?](?=\s|$)|[。！？]/gu)]
  return text.slice(0, (ends.at(-1)?.index ?? text.length) + 1)
}

/** The beginning of a sentence that forbids something. */
const BAN =
  /^(?:(?:and|but|also|please|und|aber|bitte)[, ]+)?(?:don['’]?t|do not|never|no(?= \w)|not(?= \w)|nicht|noch nicht|kein\w*|nie(?:mals)?|ne|no|nunca|não|non)(?![\p{L}])|^(?:bitte )?\p{L}+ (?:nicht|nichts|nie|kein\w*)(?![\p{L}])/iu

/** Returns the demands in a request that hold only for it, with its name. */
export const demandsOfRequest = (request: string): string[] =>
  findDemands(request).flatMap(({ text, isLasting }) => (isLasting ? [] : forOpen(text, request)))

/** Whether a demand has the name of a request. @param request its beginning, at least: both may be cut */
export function isDemandOf(demand: string, request: string): boolean {
  const [name, own] = [bareName(namedRequest(demand) ?? ''), bareName(oneLine(request))]
  if (name === '' || own === '') return false
  return request.startsWith('…') ? name.includes(own) : name.startsWith(own) || own.startsWith(name)
}

/** Returns the name of a request without the marks of a cut, and the end of its last sentence: an open step has none. */
const bareName = (name: string): string => name.replace(/^…|(?<![.!?。！？…])[.!?。！？…]{1,4}$/gu, '')

/**
 * Whether a demand that is carried on holds no more: it belongs to one request that is not known to be open, and the user has asked for
 * something else.
 */
export const isOver = (demand: string, messages: readonly Message[], items: readonly WorkItem[] = []): boolean =>
  isForRequest(demand) &&
  messages.some((message) => !isPassing(readUserText(message) ?? '')) &&
  !items.some(({ kind, state, text }) => kind !== 'wish' && state === 'open' && isDemandOf(demand, text))
