import type { SummaryTask } from '../../prompt/task.ts'
import { headingName, parseSections } from '../../text/sections.ts'
import { HEADINGS, saysNothing } from '../../text/summary-headings.ts'
import { hasVisibleWords } from '../../text/visible-words.ts'
import { findEvasion, type Evasion } from './refusals.ts'

/** Why a text is no answer to its prompt. */
export type AnswerFault = Evasion | 'repetitive' | 'unrelated'

/** The prompt, as a string or as its bytes in UTF-8. */
interface SentPrompt {
  readonly length: number
  includes(text: string): boolean
}

/**
 * Finds out why the text of a completion is not usable. A good text must never be rejected: a client's own prompt may ask
 * for any form, from one word to a table, in any language. Takes linear time in the length of the text, and looks up at
 * most some dozens of words in the prompt, mostly one.
 * @returns undefined for a usable text
 */
export function judgeText(text: string, prompt: SentPrompt): AnswerFault | undefined {
  if (isRepetitive(text)) return 'repetitive'
  const evasion = findEvasion(text)
  // To a prompt of a few words ("hello"), a question is an answer.
  const isAllowed = evasion === 'asked-back' && prompt.length < SHORT_PROMPT
  if (evasion !== undefined && !isAllowed && !namesFacts(text, prompt)) return evasion
  return isUnrelated(text, prompt) ? 'unrelated' : undefined
}

const SHORT_PROMPT = 500

/** A text with fewer characters may repeat itself: a short list, a line of dashes. */
const MIN_LOOP_CHARACTERS = 400

/** The last characters of a text: a model that has come into a loop stays in it. */
const TAIL_CHARACTERS = 4000

/** The part of a text in which a loop of many lines shows. */
const SAMPLE_CHARACTERS = 64_000

/** The length of the pieces that are compared, and the largest share of different ones in a loop. */
const PIECE_CHARACTERS = 8
const LOOP_SHARE = 0.1

/**
 * Returns whether a text says the same over and over, whatever the length of the cycle: then hardly any of its pieces
 * is new. In prose, code and JSON more than half of the pieces are, in tables and checklists about a third.
 */
function isRepetitive(text: string): boolean {
  // The numbers of a list differ even when its items do not.
  const plain = text.slice(-SAMPLE_CHARACTERS).replace(/^[ \t]*\d{1,6}[.)]/gm, '')
  if (plain.length < MIN_LOOP_CHARACTERS) return false
  return shareOfNewPieces(plain.slice(-TAIL_CHARACTERS)) <= LOOP_SHARE || shareOfNewPieces(plain) <= LOOP_SHARE
}

function shareOfNewPieces(text: string): number {
  const pieces = new Set<string>()
  const count = text.length - PIECE_CHARACTERS + 1
  for (let at = 0; at < count; at++) pieces.add(text.slice(at, at + PIECE_CHARACTERS))
  return pieces.size / count
}

/** This many facts of the prompt make a text a report, however it begins. */
const ENOUGH_FACTS = 2
const MAX_FACTS = 20

/** Paths, numbers, versions and names of code: they are in a summary of any language as they are in its prompt. */
const isFact = (word: string): boolean =>
  word.length >= 3 && (/[0-9_/]/.test(word) || /[a-z][A-Z]/.test(word) || /\w\.\w{1,5}$/.test(word))

const factsOf = (text: string): string[] => {
  const words = text.slice(0, TAIL_CHARACTERS).split(/[\s"'`()[\]{}<>,;:!?*|“”„«»，。、：；！？（）「」]+/)
  return Array.from(new Set(words.map((word) => word.replace(/(?<!\.)\.+$/, '')).filter(isFact))).slice(0, MAX_FACTS)
}

function namesFacts(text: string, prompt: SentPrompt): boolean {
  let count = 0
  for (const fact of factsOf(text)) if (prompt.includes(fact) && ++count >= ENOUGH_FACTS) return true
  return false
}

/** Shorter answers and prompts may have no word in common by chance. */
const MIN_ANSWER_CHARACTERS = 400
const MIN_PROMPT_CHARACTERS = 2000
const MIN_WORDS = 60

/** The words looked up in the prompt; a prompt may have megabytes. */
const MAX_WORDS = 60

/**
 * Returns whether an answer has not one word, name or number in common with its prompt. Words of other scripts are not
 * compared: a summary may be in another language than the session.
 */
function isUnrelated(text: string, prompt: SentPrompt): boolean {
  if (text.length < MIN_ANSWER_CHARACTERS || prompt.length < MIN_PROMPT_CHARACTERS) return false
  const words = Array.from(new Set(text.slice(0, TAIL_CHARACTERS).match(/[A-Za-z]{4,20}/g)))
  if (words.length < MIN_WORDS) return false
  // Short words are found most often: those decide soonest that the answer is related.
  const shortest = words.sort((a, b) => a.length - b.length).slice(0, MAX_WORDS)
  return ![...shortest, ...factsOf(text)].some((word) => prompt.includes(word))
}

/**
 * The least size of an answer without the sections: this share of the transcript, up to this many bytes (some 500 tokens). Longer
 * prose may be a good summary, and is repaired. Our prompts ask for 1,000 tokens and 5 %; real answers had 4 % at least.
 */
const LEAST_SHARE = 0.02
const MOST_LEAST_BYTES = 2000

/** The names of our sections. Those of the beginning of a turn differ from those of a session, and models mix them up. */
const SECTION_NAMES = new Set(Object.values(HEADINGS).map(headingName))

/**
 * Returns whether the answer to a prompt that asks for sections is no summary of its transcript: it has none of them and is far
 * too short, such as "hi" or a line of status; or they are all empty.
 */
export function isNoSummary(
  text: string,
  { asksForSections = false, chunking }: Pick<SummaryTask, 'asksForSections' | 'chunking'>,
): boolean {
  if (!asksForSections || chunking === undefined || Buffer.byteLength(text) >= MOST_LEAST_BYTES) return false
  const sections = parseSections(text)
  if (!sections.some(({ heading }) => heading !== undefined && SECTION_NAMES.has(heading.name)))
    return Buffer.byteLength(text) < (chunking.end - chunking.start) * LEAST_SHARE
  return !sections.some(({ lines }) => lines.some((line) => hasVisibleWords(line) && !saysNothing(line)))
}

/** A text with fewer characters may begin as a short prompt does. */
const LEAST_ECHO_CHARACTERS = 100

/** Returns whether an answer is what was sent: it begins as the system prompt does. A command such as `cat` prints its input. */
export function isOwnPrompt(text: string, { systemPrompt = '' }: Pick<SummaryTask, 'systemPrompt'>): boolean {
  const [beginning = ''] = systemPrompt.trim().split('\n', 1)
  return beginning.length >= LEAST_ECHO_CHARACTERS && text.trimStart().startsWith(beginning)
}
