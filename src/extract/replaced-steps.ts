import { isNamed, offersAll, subjectOf } from './claimed-parts.ts'
import { sentencesOf } from './done-claims.ts'
import { QUESTION_AT_END } from './user-text.ts'
import type { WorkItem } from './work-item.ts'
import type { WorkTurn } from './work-turns.ts'

/** Steps that a user changes in a few words: another number, or only some of what an answer has offered. In doubt, a step stays. */

/** Replaces the open steps whose number the user changes, and those of an offer that the user's answer takes out. */
export function replaceSteps(steps: readonly WorkItem[], turns: readonly WorkTurn[]): void {
  if (!steps.some(({ state }) => state === 'open')) return
  const replace = (step: WorkItem, provenAt: number): void => {
    if (step.state === 'open' && step.at < provenAt) Object.assign(step, { state: 'replaced', provenAt })
  }
  for (const { request, at } of turns)
    for (const isChanged of changedNumbers(request)) for (const step of steps) if (isChanged(step)) replace(step, at)
  const offered = steps.filter(({ at }) => at >= 0)
  const index = turns.findIndex(({ answer }) => answer !== undefined && answer.at === offered[0]?.at)
  const [text = '', reply] = [turns[index]?.answer?.text.trim(), turns[index + 1]]
  if (index < 0 || reply === undefined || !QUESTION_AT_END.test(text) || offersAll(text)) return
  const out = takenOut(
    reply.request,
    offered.map((step) => step.text),
  )
  for (const [at, step] of offered.entries()) if (out.has(at)) replace(step, reply.at)
}

const NUMBER = String.raw`(\d{1,9}(?:[.,]\d{1,6}){0,2})(?: ?([\p{L}%]{1,12}))?`
const NEW_BEFORE_OLD = new RegExp(
  String.raw`(?<![\p{L}\d])${NUMBER},? (?:and )?(?:not|instead of|rather than|nicht|(?:an)?statt|pas|au lieu de|no|en (?:vez|lugar) de) ${NUMBER}`,
  'giu',
)
const OLD_BEFORE_NEW = new RegExp(
  String.raw`(?<![\p{L}])(?:not|nicht|pas|no) ${NUMBER},? (?:but|sondern|mais|sino) ${NUMBER}`,
  'giu',
)

/** Returns for each number that a user puts in the place of another one whether a step has the other one, and is about the same thing. */
function changedNumbers(request: string): ((step: WorkItem) => boolean)[] {
  return sentencesOf(request)
    .filter((sentence) => !QUESTION_AT_END.test(sentence) && CHANGES.test(sentence))
    .flatMap((sentence) =>
      [NEW_BEFORE_OLD, OLD_BEFORE_NEW].flatMap((form) =>
        Array.from(sentence.matchAll(form), (found) => {
          const [whole, first = '', unit = '', second = '', otherUnit = ''] = found
          const old = form === NEW_BEFORE_OLD ? second : first
          const before = sentence.slice(0, found.index).split(/[,;:]/).at(-1) ?? ''
          const after = sentence.slice(found.index + whole.length).split(/[,;:.!]/)[0] ?? ''
          const thing = subjectOf([before, unit, otherUnit, after].join(' '))
          return ({ text }: WorkItem) =>
            !MORE.test(text) && numbersOf(text).has(old) && thing.size > 0 && isNamed(thing, subjectOf(text))
        }),
      ),
    )
}

/** Words by which a user changes a number, and does not only say it. */
const CHANGES =
  /^(?:not|nicht|pas|no|\d)(?![\p{L}])|(?<![\p{L}])(?:should|must|to be|make|set|change|use|wants?|needs?|soll\p{L}{0,3}|lieber|mach\p{L}{0,2}|setz\p{L}{0,2}|änder\p{L}{0,2}|doit|devrait|mets|veut|debe|debería|pon|quiere)(?![\p{L}])/iu

/** What joins two things that a step asks for. */
const MORE = / (?:and|und|et|y) |[;&]/iu

const numbersOf = (text: string): Set<string> => new Set(text.match(/(?<![\w.])\d{1,9}(?:[.,]\d{1,6}){0,2}(?![\w])/g))

const COUNTS = 'one|two|three|four|five|six|zwei|beiden|drei|vier|fünf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco'
const COUNT_OF: Readonly<Record<string, number>> = {
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, zwei: 2, beiden: 2, drei: 3, vier: 4, fünf: 5 },
  ...{ deux: 2, trois: 3, quatre: 4, cinq: 5, dos: 2, tres: 3, cuatro: 4, cinco: 5 },
}
const countOf = (count: string): number => COUNT_OF[count.toLowerCase()] ?? Number(count)

const FIRST = new RegExp(
  String.raw`^(?:(?:yes|ok(?:ay)?|please|do|ja|bitte|oui|sí|just|only|nur)[,:]? ){0,3}(?:the |die |l[ae]s |los )?(?:(?:first|ersten|primer[oa]s) (${COUNTS}|\d)|(${COUNTS}|\d) (?:ersten|premi(?:er|ère)s|primer[oa]s))(?: (?:only|please|yes|nur|bitte|ja|oui|sí))?(?=\s?(?:[,.!;]|$))`,
  'iu',
)
const ONLY = 'only|just|nur|seulement|solo|sólo'
const NUMBERS = new RegExp(
  String.raw`^(?:(?:yes|ok(?:ay)?|please|do|ja|bitte|oui|sí)[,:]? ){0,3}(${ONLY})?\s?(#?\d{1,2}(?:\s?(?:,|and|und|et|y|\+|&)\s?#?\d{1,2}){0,8})(?=\s?(?:[,.!;]|$)| (?:please|only|bitte|nur))`,
  'iu',
)

const BUT_LAST =
  /(?<![\p{L}])(?:all|everything|alles?|tou(?:te)?s|tod[oa]s?) (?:but|except(?: for)?|außer|bis auf|sauf|menos|excepto) (?:(?:the|d(?:er|ie|en|as)|l[ae]|el) )?(?:last|letzte[nrs]?|derni(?:er|ère)|últim[oa])(?![\p{L}])/iu

/** Words by which what is not chosen is only put off. */
const LATER =
  /(?<![\p{L}])(?:later|then|after\p{L}*|next|rest|others?|anderen?|autres|otros|for now|start|begin|später|danach|erst(?: ?mal)?|zunächst|rest|anfangen|d['’]abord|ensuite|puis|plus tard|reste|commence\p{L}*|primero|luego|después|empieza)(?![\p{L}])/iu

/** Words of an answer that may mean the opposite of a choice. */
const REVERSED =
  /(?<![\p{L}])(?:not|n['’]t|skip|drop|without|already|done|wrong|but the first|nicht|ohne|schon|bereits|fertig|pas|sans|déjà|fait\p{L}{0,2}|no|sin|ya)(?![\p{L}])/iu

/** Returns which of the steps of an offer an answer takes out: their indexes. */
function takenOut(reply: string, steps: readonly string[]): ReadonlySet<number> {
  const chosen =
    LATER.test(reply) || REVERSED.test(reply) || reply.includes('?') ? undefined : chosenIn(reply, steps.length)
  return new Set(chosen === undefined ? [] : steps.flatMap((_, at) => (chosen.has(at + 1) ? [] : [at])))
}

/** Returns the numbers, from 1, of the steps that an answer chooses; undefined if it chooses none by number. */
function chosenIn(reply: string, count: number): ReadonlySet<number> | undefined {
  const first = BUT_LAST.test(reply) ? String(count - 1) : FIRST.exec(reply)?.slice(1).find(Boolean)
  const [found = '', only, list = ''] = NUMBERS.exec(reply) ?? []
  // Another number behind the list may be one of the steps, too.
  if (/\d/.test(reply.slice(found.length)) && first === undefined) return undefined
  const numbers = Array.from(list.matchAll(/\d+/g), ([digits]) => Number(digits))
  const chosen = first === undefined ? numbers : Array.from({ length: countOf(first) }, (_, at) => at + 1)
  const isClear = first !== undefined || only !== undefined || numbers.length > 1
  return isClear && chosen.length > 0 && chosen.every((one) => one >= 1 && one <= count) ? new Set(chosen) : undefined
}
