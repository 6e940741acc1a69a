import { oneLine, shorten } from '../text/shorten.ts'
import { listedIn, MAX_CHARACTERS, proseLines, wishesOf } from './listed-wishes.ts'

/** Words between two wishes of one sentence. */
const AND_THEN =
  /(?:[,;.]? (?:and then|then also|and after that|after that|und dann|danach|et ensuite|et puis|puis|y luego|y después|e depois|e poi)|[，,。]?(?:然后|接着)|、?その後|затем|а потом) ?/i

/**
 * Returns the separate wishes of a request: the items of its list, or what "and then" joins; none where it has only one. What is
 * pasted (quotes, code in fences) has none.
 */
export function splitWishes(request: string): string[] {
  const lines = proseLines(request)
  const listed = listedIn(lines).map(({ text }) => text)
  return listed.length > 0 || lines.length !== 1 ? listed : wishesOf((lines[0] ?? '').split(AND_THEN))
}

/** Verbs by which requests ask for a change, in the languages of words.ts. Looks, and demands about the work, are no wishes of their own. */
const VERB = [
  'add|adjust|allow|apply|build|bump|change|clean up|commit|convert|copy|correct|create|delete|deploy|disable|document|drop|enable|export',
  'extend|extract|fix|format|generate|implement|improve|increase|insert|install|introduce|make|merge|migrate|move|open|port|print|publish|push',
  'put|reduce|refactor|release|remove|rename|replace|rewrite|run|set|simplify|sort|split|support|tag|test|translate|update|upgrade|wire|wrap|write',
  'baue|behebe|benenne|committe|dokumentiere|entferne|ergänze|ersetze|erstelle|füge|implementiere|korrigiere|lösche|mache?|passe|schreibe?',
  'teste|tagge|verschiebe|ändere|übersetze|aktualisiere|ajoute[rz]?|corrige[rz]?|crée[rz]?|écri[st]|mets|modifie[rz]?|renomme[rz]?|supprime[rz]?',
  'actualiza|agrega|añade|cambia|crea|elimina|escribe|implementa|mueve|renombra|adiciona|adicione|altere|atualize|corrija|crie|escreva|remova',
  'renomeie|aggiorna|aggiungi|cancella|correggi|implementa|rimuovi|rinomina|scrivi|sposta|добавь|измени|исправь|напиши|обнови|переименуй|создай|удали',
].join('|')

/** Words between a wish and the verb of the next one. */
const THEN =
  'and|then|also|finally|plus|und|dann|danach|auch|et|puis|ensuite|aussi|y|luego|también|e|depois|também|poi|anche|и|также|потом'
const NEXT_VERB = new RegExp(
  String.raw`(?:[.;,!?]\s(?:(?:${THEN})\s){0,3}|\s(?:(?:${THEN})\s){1,3})(?:(?:please|bitte)\s)?(?=(?:${VERB})\s)`,
  'giu',
)

/** Whether words ask for something: they begin with a verb, or say so. What they only describe is the reason for the next wish. */
const ASKS = new RegExp(
  String.raw`(?:^|[.!?:]\s)(?:please |bitte |ok(?:ay)?,? |now |also ){0,3}(?:${VERB})(?![\p{L}])|(?<![\p{L}])(?:(?:can|could|would|will) (?:you|we)|please|must|should|needs?|want|let['’]s|i['’]d like|bitte|soll|muss)(?![\p{L}])`,
  'iu',
)

/** Longer requests without a list say more than what they ask for. */
const MAX_SENTENCES_CHARACTERS = 800

/** Returns the parts of a request that an answer has to claim each: its wishes, or what its sentences ask for, or all of it. */
export function splitRequest(request: string): string[] {
  const wishes = splitWishes(request)
  if (wishes.length > 0) return wishes
  const text = oneLine(proseLines(request).join(' '))
  const parts = text.length > MAX_SENTENCES_CHARACTERS ? [] : splitAtVerbs(text).filter((part) => !isUnwanted(part))
  return parts.length > 1 ? parts.map((part) => shorten(part, MAX_CHARACTERS)) : [request]
}

function splitAtVerbs(text: string): string[] {
  const parts: string[] = []
  let start = 0
  for (const { 0: words, index } of text.matchAll(NEXT_VERB)) {
    const part = text.slice(start, index)
    // A condition before the comma belongs to what follows it.
    if (!ASKS.test(part.split(/[.!?]\s/).at(-1) ?? '')) continue
    parts.push(part)
    start = index + words.length
  }
  return [...parts, text.slice(start)].map((part) => part.trim())
}

/** Words of what is not to be done. */
const UNWANTED =
  /^(?:but |aber |mais |pero )?(?:do not|don['’]t|never|without|no|leave|keep|nicht|kein\p{L}{0,2}|ohne|ne|sans|sin|não|sem|non|senza|не|без)(?![\p{L}])|^[^.,]{0,40}(?:n['’]t|(?<![\p{L}])(?:not|nicht|pas))(?![\p{L}])/iu

/** Whether words say what is not to be done. */
export const isUnwanted = (words: string): boolean => UNWANTED.test(words)

const BEGINS_WITH_VERB = new RegExp(
  String.raw`^(?:(?:please|bitte|now|also|then|(?:can|could|would|will) you|we need to|i want you to|let['’]s) ){0,3}(?:${VERB})(?![\p{L}])`,
  'iu',
)

/** Words between the things that a wish is about: `the endpoint and its tests`. */
const BETWEEN =
  /[,;]\s(?:(?:and|und|et|y|e|и)\s)?|\s(?:and|und|sowie|as well as|et|y|e|и)\s|\s(?:with|mit|avec|con|com)\s(?=(?:\p{L}{1,12}\s)?(?:tests?|docs|documentation)(?![\p{L}]))|[、，]/iu

/** The beginning of a clause that explains or limits a wish. */
const EXPLAINING =
  /^(?:so|because|since|if|when|which|that|where|but|not|as|like|such|e\.g|i\.e|for example|it|they|i|you|we|there|check|see|look|read|tell|show|explain|keep|use|leave|without|then|weil|damit|dass|wenn|aber|wie|sodass|nicht|pour|parce|si|mais|para|porque|pero|se|perché|ma)(?![\p{L}])/iu

/** A thing is named by few words. */
const MAX_NAME_WORDS = 5

/** Returns the things that the first sentence of a wish names, each with words of its own, if the sentence says what to do with them. */
export function splitObjects(wish: string): string[] {
  const [sentence = ''] = wish.replace(TITLE, '').split(/[.!?]\s/, 1)
  const words = sentence.split(BETWEEN).map((one) => one.trim())
  const start = words.findIndex((one) => BEGINS_WITH_VERB.test(one))
  const objects = words.slice(start + 1).filter((one) => !EXPLAINING.test(one) && isName(one))
  return start < 0 ? [sentence] : [words[start] ?? '', ...objects]
}

const isName = (words: string): boolean =>
  words !== '' && words.split(/\s+/).length <= MAX_NAME_WORDS && !UNWANTED.test(words)

/** What stands before a list of wishes in a sentence. */
const TITLE = /^[^:]{1,60}:\s/
