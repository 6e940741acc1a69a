import type { FileLists } from '../session/entry.ts'
import type { Message } from '../session/message.ts'
import { findInForms } from './forms.ts'
import { KnownValues, type KnownValue } from './known/known-values.ts'
import type { Redactor } from './redact-arguments.ts'
import { PRINTING_LINE } from './commands/printed-secrets.ts'
import { printedMessages, redactMessage, repliesWithSecrets, searchedTextsOf } from './redact-message.ts'
import { type RedactedText, redactText, replaceSecrets } from './redact-text.ts'
import type { Secret } from './rule.ts'
import { ASKING_LINES } from './sentences/reply-rule.ts'

/** Replaces the secrets of one request and counts them. */
export interface Redaction {
  isOn: boolean
  text: (text: string) => string
  /**
   * Returns messages with their secrets replaced, in texts, thinking, names of tools, arguments with their keys, commands
   * and outputs. A message without a secret is the same object; roles and ids never change, so that calls keep their
   * results.
   */
  messages: (messages: readonly Message[]) => readonly Message[]
  /** Returns how many secrets were replaced so far. */
  count: () => number
  /** Returns what a later stage of the request needs to go on. */
  state: () => RedactionState
  /** Returns a redaction that replaces the same secrets, but does not count them: for a second copy of a text. */
  uncounted: () => Redaction
}

/** The secrets that a redaction has found: plain data. */
export interface RedactionState {
  /** The number of secrets that were replaced. */
  count: number
  /** The values that are replaced wherever they stand. */
  values: readonly KnownValue[]
}

const NOTHING: RedactionState = { count: 0, values: [] }

const UNTOUCHED: Redaction = {
  isOn: false,
  text: (text) => text,
  messages: (messages) => messages,
  count: () => 0,
  state: () => NOTHING,
  uncounted: () => UNTOUCHED,
}

/** The texts that are searched for secrets before anything is replaced: a value may be recognizable only at its last place. */
interface RedactionSources {
  messages?: readonly Message[]
  texts?: readonly (string | undefined)[]
  /** The paths of the session: a part of them is no secret at another place. */
  files?: FileLists
}

/** Returns the redaction of one request. Switched off (`PRECIS_REDACT=false`), it returns everything unchanged. */
export function startRedaction(isOn: boolean, sources: RedactionSources = {}): Redaction {
  if (!isOn) return UNTOUCHED
  const search = new Search(new KnownValues())
  search.learn(sources)
  return createRedaction(search, 0)
}

/** Returns the redaction of a request whose earlier stage has found these secrets. */
export const resumeRedaction = (isOn: boolean, { count, values }: RedactionState): Redaction =>
  isOn ? createRedaction(new Search(new KnownValues(values)), count) : UNTOUCHED

/** Returns file lists with the secrets in their paths replaced. */
export const redactFiles = ({ readFiles, modifiedFiles }: FileLists, { text }: Redaction): FileLists => ({
  readFiles: readFiles.map(text),
  modifiedFiles: modifiedFiles.map(text),
})

function createRedaction(search: Search, count: number): Redaction {
  const counted = <T>({ value, redactions }: Redacted<T>): T => {
    count += redactions
    return value
  }
  return {
    isOn: true,
    text: (text) => counted(search.text(text)),
    messages(messages) {
      const redacted = messages.map((message) => counted(search.message(message)))
      return redacted.every((message, index) => message === messages[index]) ? messages : redacted
    },
    count: () => count,
    state: () => ({ count, values: search.known.list() }),
    uncounted: () => createRedaction(search, 0),
  }
}

interface Redacted<T> {
  value: T
  redactions: number
}

type Walk<T> = (value: T, redactor: Redactor) => T

const replaceIn: Walk<string> = (text, redactor) => redactor.text(text)

const redactPrinted: Walk<Message> = (message, redactor) =>
  redactMessage(message, { ...redactor, printed: behind(PRINTING_LINE, redactor) })

const redactReply: Walk<Message> = (message, redactor) =>
  redactMessage(message, { ...redactor, text: behind(ASKING_LINES, redactor) })

/** Returns what redacts a text as it reads behind others, which have no secret. */
const behind =
  (before: string, { text: redact }: Redactor): Redactor['text'] =>
  (text) =>
    redact(before + text).slice(before.length)

/**
 * Searches the texts of a request in two passes: the rules find secrets, and then each value that a rule has found
 * anywhere is replaced wherever it stands. What the first pass has searched is remembered, not searched again.
 */
class Search {
  readonly #searched = new Map<unknown, Redacted<unknown>>()
  readonly known: KnownValues

  constructor(known: KnownValues) {
    this.known = known
  }

  learn({ messages = [], texts = [], files }: RedactionSources): void {
    const given = texts.filter((text) => text !== undefined)
    const walks = new Map<Message, Walk<Message>>()
    for (const message of printedMessages(messages)) walks.set(message, redactPrinted)
    for (const message of repliesWithSecrets(messages)) walks.set(message, redactReply)
    for (const message of messages)
      this.#searched.set(message, this.#byRules(message, walks.get(message) ?? redactMessage))
    for (const text of given) this.#searched.set(text, this.#byRules(text, replaceIn))
    const paths = files === undefined ? [] : [...files.readFiles, ...files.modifiedFiles]
    const all = function* (): Generator<string> {
      for (const message of messages) yield* searchedTextsOf(message)
      yield* given
    }
    this.known.forgetNames(all, paths)
  }

  text(text: string): Redacted<string> {
    return this.#everywhere(text, replaceIn)
  }

  message(message: Message): Redacted<Message> {
    return this.#everywhere(message, redactMessage)
  }

  /** Replaces what the rules find, and then the values that are known by now. */
  #everywhere<T>(given: T, walk: Walk<T>): Redacted<T> {
    const searched = this.#searched.get(given) as Redacted<T> | undefined
    const { value, redactions } = searched ?? this.#byRules(given, walk)
    if (this.known.isEmpty) return { value, redactions }
    const replace = (text: string): RedactedText => replaceSecrets(text, this.#findKnown(text))
    return counting({ value, redactions }, walk, { replace, isNamed: false })
  }

  #byRules<T>(value: T, walk: Walk<T>): Redacted<T> {
    const replace = (text: string): RedactedText => redactText(text, (secret, kind) => this.known.learn(secret, kind))
    return counting({ value, redactions: 0 }, walk, { replace, isNamed: true })
  }

  /** Returns the places of known values: also of those with colours in them, or behind a letter and a colour. */
  #findKnown(text: string): Secret[] {
    const secrets = this.known.find(text)
    return COLOUR.test(text) ? [...secrets, ...findInForms(text, (one) => this.known.find(one))] : secrets
  }
}

const COLOUR = /(?:\u001b|\\(?:u001b|x1b|e|033))\[/

/** Returns what a walk makes of a value, and the same value if nothing was replaced in it. */
function counting<T>(
  given: Redacted<T>,
  walk: Walk<T>,
  { replace, isNamed }: { replace: (text: string) => RedactedText; isNamed: boolean },
): Redacted<T> {
  let { redactions } = given
  const value = walk(given.value, {
    isNamed,
    text(text) {
      const redacted = replace(text)
      redactions += redacted.redactions
      return redacted.text
    },
    tooDeep() {
      redactions += 1
      return '[redacted:nested]'
    },
  })
  return redactions === given.redactions ? given : { value, redactions }
}
