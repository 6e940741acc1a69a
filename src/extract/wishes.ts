import { withoutFenced } from '../text/close-marks.ts'
import { SENTENCE_END } from '../text/list-marks.ts'
import { oneLine, shorten } from '../text/shorten.ts'

/** An item at the first level of a list. */
const ITEM = /^ {0,3}(?:[-*+•]|\d{1,2}[.)]|\((?:\d{1,2}|[ivx]{1,4}|[a-h])\))\s+(\S.*)$/

/** Words between two wishes of one sentence. */
const AND_THEN =
  /(?:[,;.]? (?:and then|then also|and after that|after that|und dann|danach|et ensuite|et puis|puis|y luego|y después|e depois|e poi)|[，,。]?(?:然后|接着)|、?その後|затем|а потом) ?/i

const MIN_ITEM_CHARACTERS = 4
const MIN_CHARACTERS = 8
const MAX_CHARACTERS = 240
const MAX_WISHES = 20

/** How much of a request is read: a longer one has a paste in it. */
const MAX_REQUEST_CHARACTERS = 8000

/**
 * Returns the separate wishes of a request: the items of its list, or what "and then" joins; none where it has only one. What is
 * pasted (quotes, code in fences) has none.
 */
export function splitWishes(request: string): string[] {
  const lines = proseLines(request.slice(0, MAX_REQUEST_CHARACTERS))
  const listed = listedIn(lines)
  return listed.length > 0 || lines.length !== 1 ? listed : wishesOf((lines[0] ?? '').split(AND_THEN))
}

/** Returns the wishes of a request that are items of a list. */
export const listedWishes = (request: string): string[] =>
  listedIn(proseLines(request.slice(0, MAX_REQUEST_CHARACTERS)))

function listedIn(lines: readonly string[]): string[] {
  const items = itemsOf(lines)
  return wishesOf(
    items.length > 1
      ? [...items, ...lastWords(lines)]
      : (lines.map(splitNumbered).find((parts) => parts.length > 1) ?? []),
  )
}

function wishesOf(found: readonly string[]): string[] {
  const wishes = found.map((wish) => shorten(oneLine(wish), MAX_CHARACTERS))
  const isList =
    wishes.length > 1 && wishes.length <= MAX_WISHES && wishes.every(({ length }) => length >= MIN_ITEM_CHARACTERS)
  return isList ? wishes : []
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
    if (!ASKS.test(part)) continue
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

/** A number or a letter before an item within a line. */
const NUMBER = /(?:^|\s)(?:\((\d{1,2}|[a-h]|[iv]{1,4})\)|(\d{1,2})[.)]|([a-h])\))\s/g

/** The end of an item that the next one may replace. */
const OR = /(?<![\p{L}])(?:or|oder|ou|soit|o|u|oppure|или)[\s,:]*$/iu

/** What joins the items of a sentence. */
const JOINING = /(?:[,;](?: and| und| et| y| e)?|,? and| und)$/

const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii']

/** Returns the items that a line numbers as `(1) …; (2) …`, `1. … 2. …` or `a) … b) …`, and what follows the sentence of the last one. */
function splitNumbered(line: string): string[] {
  const all = [...line.matchAll(NUMBER)]
  const isNext = ([, one, number, letter]: RegExpExecArray, at: number): boolean =>
    [`${at + 1}`, 'abcdefgh'[at], ROMAN[at]].includes(one ?? number ?? letter)
  const count = all.findIndex((mark, at) => !isNext(mark, at))
  const marks = count < 0 ? all : all.slice(0, count)
  const items = marks.map(({ index, 0: mark }, at) => line.slice(index + mark.length, marks[at + 1]?.index))
  const isChoice = items.slice(0, -1).some((item) => OR.test(item))
  // In prose, letters name what was tried, or said.
  const isProse = marks[0]?.[0].includes('a') === true && !/(?:^|:)$/.test(line.slice(0, marks[0].index).trimEnd())
  if (items.length < 2 || isChoice || isProse) return []
  const [last = '', ...others] = (items.pop() ?? '').split(SENTENCE_END)
  return [...items, last, others.join(' ')]
    .map((item) => item.trim().replace(JOINING, ''))
    .filter((item) => item !== '')
}

/** Titles of advice that an environment gives to every agent: it asks for nothing. */
const ADVICE = /\b(?:tips|hints|strategy|guidelines|general (?:rules|notes|instructions))\b[^\n]{0,40}:$/i

/**
 * Returns whether a request is the briefing of an environment, as SWE-agent writes it: it has advice under a title of its own.
 * What it demands holds for its task.
 */
export const isBriefing = (request: string): boolean =>
  proseLines(request.slice(0, MAX_REQUEST_CHARACTERS)).some(isAdviceTitle)

const isAdviceTitle = (line: string): boolean =>
  /^\S.*:$/.test(line.trimEnd()) && ADVICE.test(line.trimEnd().slice(-200))

/** The end of a line above a list of what is not to be done. */
const FORBIDS =
  /(?<![\p{L}])(?:not|never|no|nicht|nie(?:mals)?|kein\p{L}{0,2}|ne|pas|jamais|nunca|jamás|não|non|mai|не|никогда)(?![\p{L}])[^.!?]{0,60}:$|n['’]t[^.!?]{0,60}:$|[不别勿][^。！？]{0,30}[:：]$/iu

/** Whether the items below a line are no wishes: they are advice, forbidden, or what a question is about. */
const introducesNoWishes = (line: string): boolean =>
  isAdviceTitle(line) || FORBIDS.test(line.slice(-200)) || /[?？]$/.test(line)

/** Returns the items of lists that ask for something. */
function itemsOf(lines: readonly string[]): string[] {
  let isOther = false
  return lines.flatMap((line) => {
    const [, item] = ITEM.exec(line) ?? []
    if (item === undefined && /^\S.*[:：?？]$/.test(line.trimEnd())) isOther = introducesNoWishes(line.trimEnd())
    return item === undefined || isOther ? [] : [item]
  })
}

/** Returns a text in which the items of a list that forbids something are in the sentence above them. */
export function joinForbidden(text: string): string {
  const lines: string[] = []
  let isForbidden = false
  for (const line of text.split('\n')) {
    const [, item] = ITEM.exec(line) ?? []
    const above = isForbidden && item !== undefined ? lines.pop() : undefined
    const joint = /[:：]$/.test(above ?? '') ? '' : ';'
    lines.push(above === undefined ? line.trimEnd() : `${above}${joint} ${(item ?? '').replace(/[.;,]$/, '')}`)
    if (item === undefined) isForbidden = FORBIDS.test(line.trimEnd().slice(-200))
  }
  return lines.join('\n')
}

/** Returns a request without the items of its lists. */
export const withoutItems = (request: string): string => request.replace(ITEMS, '')

const ITEMS = new RegExp(ITEM.source, 'gm')

/** How many lines below a list are wishes too. */
const MAX_LAST_LINES = 2

/** Returns the lines below the last item of a list, if they are few. */
function lastWords(lines: readonly string[]): string[] {
  const last = lines.slice(lines.findLastIndex((line) => ITEM.test(line)) + 1).filter((line) => /^\S/.test(line))
  return last.length <= MAX_LAST_LINES ? last.filter((line) => line.length >= MIN_CHARACTERS) : []
}

const proseLines = (text: string): string[] =>
  withoutFenced(text.split('\n')).filter((line) => line.trim() !== '' && !/^\s{0,3}>/.test(line))
