import { areAllIn } from './same-words.ts'
import { rootsOf } from './work-claims.ts'

/** The words by which a user overrules a decision: "use page ids instead of slugs". In doubt, the decision stands. */

/** What is not to be used any more, and where it ends. */
const THING = '([^,;:.!?]{1,60}?)'
const END = String.raw`(?=\s{0,3}(?:[.,;:!]|$)| (?:and|but|please|now|any ?more|again|everywhere|altogether|in favou?r|use|und|bitte|mehr|et|y|por favor)(?![\p{L}]))`

const OVERRULED = [
  String.raw`(?<![\p{L}])(?:instead of|rather than|away from|stop using|no longer (?:use|want|need)|get rid of|(?:rip|throw) out|forget(?: about)?|scrap|drop|ditch|abandon|cancel|(?:do not|don['’]t|never) use|changed (?:my|our) minds? (?:about|on)|no more|anstatt|statt|anstelle von|weg von|au lieu d(?:es?|u)|en (?:vez|lugar) de) ${THING}${END}`,
  String.raw`(?<![\p{L}])(?:(?:switch|chang|mov|migrat|go)\p{L}{0,3} from ${THING} to |(?:replac|swap|exchang)\p{L}{0,4} ${THING} (?:with|by|for) |ersetz\p{L}{0,2} ${THING} durch |wechs\p{L}{1,3} von ${THING} (?:zu|auf) |remplac\p{L}{1,4} ${THING} par |(?:reemplaz|sustitu|cambi)\p{L}{1,3} ${THING} por )`,
  String.raw`(?:^|[.,;:] )(?:the |our |that )?${THING} (?:is|are|was|were) (?:a |an )?(?:bad idea|mistake|wrong (?:choice|decision)|nonsense)`,
  String.raw`(?<![\p{L}])(?:not|nicht|pas|no) ${THING},? (?:but|sondern|mais|sino) `,
  String.raw`(?:^|[,;:] )(?:no|not|nicht|pas|kein\p{L}{0,2}) ${THING}(?: mehr)?\s{0,3}(?:[.,;!]|$)`,
].map((form) => new RegExp(form, 'giu'))

/** Words of a question, a doubt, a condition, or another time. */
const UNSURE =
  /[?？]\s*$|(?<![\p{L}])(?:if|when|maybe|perhaps|later|could|might|would|why|wenn|falls|vielleicht|später|warum|si|quand|peut-être|plus tard|cuando|quizás|después)(?![\p{L}])/iu

/** Words before those that overrule, which turn them round. */
const DENIED = /(?:n['’]t|(?<![\p{L}])(?:not|never|nicht|ne|no))\s+(?:\p{L}+\s+){0,2}$/iu

/** The words that turn others round stand this near before them. */
const MAX_DENIAL_CHARACTERS = 80

/** Returns the things that a sentence says are not to be used any more. */
const overruledIn = (sentence: string): ReadonlySet<string>[] =>
  UNSURE.test(sentence)
    ? []
    : OVERRULED.flatMap((form) =>
        Array.from(sentence.matchAll(form), (found) =>
          DENIED.test(sentence.slice(Math.max(0, found.index - MAX_DENIAL_CHARACTERS), found.index))
            ? ''
            : found.slice(1).join(''),
        ),
      ).map(rootsOf)

/** The answer of the user in a decision that has one. */
const ANSWER = /The user answered: "(.*)"$/

/** Where the reason of a decision begins, or what it stands instead of. */
const REASON =
  /\s[-–—]\s|[,;.](?=\s|$)|\s(?:because|since|so that|instead of|rather than|over|not|weil|damit|statt|anstatt|parce que|au lieu de|porque|en vez de)\s/iu

/** Words that do not say what was chosen. */
const CHOOSING = rootsOf('use using keep go going with choose chose chosen decided store put stay stick we decision')

/** Shorter titles only name what the decision is about. */
const MAX_TITLE_WORDS = 2

/** Returns what was decided, without its reason: a title and what follows it, if the title is short. */
function choicesOf(decision: string): string[] {
  const text = ANSWER.exec(decision)?.[1] ?? decision.replace(/^(?:[-*+]|\d{1,3}[.)])\s+/, '').replace(/[*_`]/g, '')
  const [title = '', ...rest] = text.split(/:\s/)
  const isShort = rest.length > 0 && title.split(/\s+/).length <= MAX_TITLE_WORDS
  return [title, ...(isShort ? [rest.join(': ')] : [])].map((part) => part.split(REASON, 1)[0] ?? '')
}

/** A sentence of the user, and the words of what is not to be used any more. */
interface Overruling {
  sentence: string
  thing: ReadonlySet<string>
}

/** Returns the sentences of the user by which something is not to be used any more, oldest first. */
export const findOverruling = (sentences: readonly string[]): Overruling[] =>
  sentences.flatMap((sentence) => overruledIn(sentence).map((thing) => ({ sentence, thing })))

/** Returns the last sentence that overrules a decision: it names what was chosen, by some words of it, its first one or its name. */
export function overruledBy(decision: string, overruling: readonly Overruling[]): string | undefined {
  const choices = choicesOf(decision)
  const words = new Set(choices.flatMap((choice) => [...rootsOf(choice)]))
  const names = new Set([
    ...choices.flatMap((choice) => [...rootsOf(choice)].filter((word) => !CHOOSING.has(word)).slice(0, 1)),
    ...rootsOf(choices.flatMap((choice) => choice.match(/(?<=\s)\S*[\p{Lu}\d]\S*/gu) ?? []).join(' ')),
  ])
  return overruling.findLast(
    ({ thing }) => areAllIn(thing, words) && (thing.size > 1 || [...thing].some((word) => names.has(word))),
  )?.sentence
}
