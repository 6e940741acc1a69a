import { isOrder } from '../../extract/deferred.ts'
import { asksForNothing } from '../../extract/user-text.ts'
import { shortenToWord } from '../../text/shorten.ts'

/** A name is shorter than what is said only once. */
export const NAME_CHARACTERS = 39

/** Returns the beginning of a text, as a name for it. */
export const shortName = (text: string): string => shortenToWord(text, NAME_CHARACTERS)

/** Returns a name for a text that was said before. */
export const nameOfSaid = (text: string, isRequest: boolean): string =>
  isRequest ? nameOfRequest(text) : shortName(text)

/** Returns the name of a request: its beginning, or that of what it asks for, if a few words introduce it. */
export function nameOfRequest(text: string): string {
  if (text.length <= NAME_CHARACTERS) return text
  const at = taskAt(text)
  const isTask = at > 0 && at <= MAX_INTRODUCTION && text.length - at >= MIN_TASK_CHARACTERS
  return isTask ? `…${shortenToWord(text.slice(at), NAME_CHARACTERS - 1)}` : shortName(text)
}

/** A longer introduction says what a request is about. */
const MAX_INTRODUCTION = 120

/** Less, such as `Drop it.`, does not say what it is about. */
const MIN_TASK_CHARACTERS = 12

/** What a user wants to have done before the rest. */
const FIRST =
  /[,;.!?]\s(?:(?:but|and|aber|und|mais|et|pero|y)\s)?(?=(?:first|zuerst|d['’]abord|primero)\s(?!(?:of|i|we|it|ich|wir|es|je|on)(?![\p{L}])))/iu

/** Sentences that wish for something, and those that name what not to do or what was done. */
const WISH =
  /^(?:(?:i|we)(?:['’]d)? (?:want|need|would like|like)|(?:ich|wir) (?:will|wollen|möchten?|brauchen?)|je (?:veux|voudrais)|il faut|il faudrait|quiero|necesito)(?![\p{L}])/iu
const NO_TASK =
  /^(?:(?:and|und|et|y) )?(?:don['’]?t|do not|never|nicht|ne|no|wait|stop|warte|nein|non)(?![\p{L}])|^(?!proceed|exceed)[a-z]{3,20}ed(?![\p{L}])|^\P{L}/iu

/** Returns where the words of a request begin that say what to do first. */
function taskAt(text: string): number {
  const first = FIRST.exec(text)
  if (first !== null) return first.index + first[0].length
  let at = 0
  for (const sentence of text.split(/(?<=[.!?]\s)/)) {
    const words = sentence.trim()
    const [clause = ''] = words.endsWith('?') ? [words] : words.split(/[,;:]\s/, 1)
    if (WISH.test(words) || (isOrder(clause) && !NO_TASK.test(words) && !asksForNothing(words))) return at
    at += sentence.length
  }
  return 0
}
