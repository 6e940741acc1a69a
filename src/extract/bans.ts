/** The words by which people forbid to touch, change, delete or deploy a thing that they name. */

const ENGLISH =
  'touch|change|modify|edit|alter|delete|remove|drop|rename|move|overwrite|rewrite|reformat|refactor|(?:re)?deploy|release|publish|migrate|restart|break|reset|upgrade|downgrade|mess with|fiddle with|write to|push to|merge into|bump|raise|increase|lower|loosen|weaken|relax|disable|introduce|install|use|store|expose'
const GERMAN =
  '(?:ver|um|ab)?ändern|anfassen|anrühren|löschen|entfernen|umbenennen|verschieben|überschreiben|deployen|veröffentlichen|pushen|mergen|migrieren|umbauen|bearbeiten|kaputt ?machen'
const GERMAN_ORDER =
  '(?:ver)?änder|lösch|entfern|überschreib|benenn|verschieb|deploy|bearbeit|committ?|push|merg|rühr|fass|mach'
const GERMAN_DONE = '(?:ge|ver)ändert|angefasst|angerührt|gelöscht|deployt|überschrieben|umbenannt|verschoben'
const FRENCH =
  '(?:touch|chang|modifi|supprim|effac|déplo[iy]|déplac|renomm|écras|édit|publi|cass|boug|retir)(?:e|es|ez|er)'
const SPANISH =
  '(?:toqu|cambi|modifiqu|borr|elimin|renombr|edit|publiqu|quit)(?:es?|en|éis)|desplieg(?:ues?|uen)|(?:muev|sobrescrib|romp)(?:as?|an)|(?:toc|cambi|modific|borr|elimin|renombr|edit|public|despleg)ar|mover|(?:mand|us|env[ií]|instal|ejecut|lanc|agregu|llam|guard)es|(?:añad|met|sub|pong|hag)as'

/** What names nothing, or belongs to the request at hand. */
const NO_NAME = [
  'it|them|this|that|these|those|him|her|too|yet|more|much|now|here|so|everything|all|else|(?:any|the) (?:other|rest)',
  String.raw`(?:anything|something)(?! (?:in|on|under|inside|outside|below|about|of) (?!it|them|this|that))`,
  String.raw`das|es|sie|ihn|dies\p{L}*|hier|daran|noch|mehr|sonst|weiter|etwas|nichts`,
  String.raw`ça|cela|ce|cette|ces|le reste|d['’]autre|autre|plus|encore|ici|eso|esto|est[ae]s?|es[ae]s?|lo demás|más|nada(?! (?:en|de|al?)(?![\p{L}]))|otr[ao]s?`,
].join('|')
const NAME = String.raw`(?!(?:${NO_NAME})(?![\p{L}]))[\p{L}\p{N}${'`'}"'“„«./_@#-]`

/** The rest of a clause, and its end. */
const REST = '[^,;:!?\n]{0,60}?'
const END = String.raw`(?=\s{0,3}(?:[.,;:!]|$)| sondern )`
/** German words with which a statement begins: it forbids nothing. */
const SPEAKER = 'ich|wir|man|er|du|ihr|warum|wenn|ob|dass|weil|kann|können|konnten?|wollten?|lässt|hat|haben?'
const NOT = '(?:nichts|niemals|nie|nicht|auf keinen fall)'

/** Orders, from the beginning of a clause on. */
const ORDERS = [
  String.raw`(?:don['’]?t|do not|never|must not)(?: (?:ever|please|even)){0,2} (?:${ENGLISH}) ${NAME}`,
  String.raw`(?:keep (?:your )?)?hands off ${NAME}|stay away from ${NAME}|leave (?!me|us)${NAME}${REST} alone${END}`,
  String.raw`no changes (?:to|in|on) ${NAME}(?!${REST} (?:is|are|was|were|has|have|needed|required|necessary))`,
  String.raw`(?:${GERMAN_ORDER})e?(?: bitte)? (?:${NOT} (?:an|am|auf|in|im|bei) ${NAME}|ni(?:emals|e) ${NAME}|${NAME}${REST} (?:nicht|nie|niemals)(?: (?:um|an|kaputt))?${END})`,
  String.raw`(?:lass\p{L}* die )?(?:finger|hände) (?:weg )?von ${NAME}`,
  String.raw`(?:ne |n['’])?(?:${FRENCH}) (?:surtout )?(?:pas|rien|jamais) (?:à |aux? |dans |sur |en ){0,2}${NAME}|ne (?:pas|rien|jamais) (?:${FRENCH}) ${NAME}|pas touche (?:à|aux?) ${NAME}`,
  String.raw`no (?:${SPANISH}) ${NAME}`,
]

/** Sentences on what is not to be done to a thing. Whoever speaks of himself or of reasons forbids nothing. */
const STATES = [
  String.raw`(?!nothing )${NAME}${REST} (?:(?:must not|mustn['’]t|may not|should not|shouldn['’]t) be (?:touched|changed|modified|edited|altered)|(?:is|are) (?:off[- ]limits|sacred|taboo|frozen for (?:any|all|every)\p{L}*)|(?:ist|sind) tabu)(?![\p{L}])`,
  String.raw`${NAME}${REST}: (?:hands off|off[- ]limits|finger weg|pas touche)(?![\p{L}])`,
  String.raw`nothing (?:in|on|under) ${NAME}${REST} (?:may|must|should|can) be (?:touched|changed|modified|edited|deleted|deployed)|nothing (?:may|must|should|can) be (?:applied|deployed|written|pushed|changed|deleted) (?:to|in|on) ${NAME}`,
  String.raw`(?!(?:${SPEAKER}) )(?:${NAME}(?:(?! (?:${SPEAKER}) )[^,;:!?\n]){0,60}? )?${NOT} (?:(?:an|am|auf|in|im|bei) ${NAME}${REST} )?(?:${GERMAN})${END}`,
  String.raw`${NAME}${REST} (?:darf|dürfen|soll|sollen|wird) (?:nicht|nichts|nie|niemals) (?:${GERMAN_DONE})(?: werden)?${END}`,
]

const LEAD = String.raw`(?:.{0,40}(?<![\p{L}])(?:important\p{L}*|wichtig\p{L}*|rules?|reglas?|règles?|regeln?|note|nota|remember|merke): )?(?:(?:please|and|but|also|so|just|then|bitte|und|aber|also|surtout|et|mais|merci de|y|pero|por favor)[,:]? ){0,3}`

/** A clause that says what a thing is, or whose. */
const OWNER = String.raw`(?:belongs? to|(?:is|are) (?:owned|used|shared|generated|managed|maintained) (?:by|with)|owns?|gehör(?:t|en)|appart(?:ient|iennent) à|pertenecen? a|(?:is|are|ist|sind|est|sont|es|son) (?:\p{L}+['’]s|legacy|frozen|off))`

/** They read a sentence in lower case: with the flag `i`, patterns of this size are compiled in ten times the time. */
const ORDER = new RegExp(`^${LEAD}(?:${ORDERS.join('|')})`, 'u')
const STATE = new RegExp(`^(?:(?:no|yes|nein|ja|non|oui), )?(?:${STATES.join('|')})`, 'u')
const BEHIND_OWNER = new RegExp(String.raw`(?<=^.{1,120}? ${OWNER}(?![\p{L}]).{0,80}[,;:.–-] )`, 'gu')
const BANS_IT = new RegExp(
  String.raw`^${LEAD}(?:(?:don['’]?t|do not|never) (?:${ENGLISH}) (?:it|them)(?![\p{L}])|(?:nicht|nie) (?:${GERMAN}))`,
  'u',
)

/** What belongs to one request or holds for the time being, and conditions of a product. */
const FOR_NOW =
  /(?<![\p{L}])(?:yet|for now|for the moment|when|if|while|noch|erst(?: ?mal)?|vorerst|wenn|falls|pour l['’]instant|pour le moment|encore|quand|todavía|aún|por ahora|de momento|cuando)(?![\p{L}])/iu

/** Whether a sentence forbids to touch, change, delete or deploy something that it names. */
export function bansThing(sentence: string): boolean {
  const text = sentence.toLowerCase()
  const behind = Array.from(text.matchAll(BEHIND_OWNER), ({ index }) => text.slice(index))
  const isBan =
    text.split(/\s[-–—]\s/).some((clause) => STATE.test(clause)) ||
    [text, ...behind].some((clause) => ORDER.test(clause)) ||
    behind.some((clause) => BANS_IT.test(clause))
  return isBan && !FOR_NOW.test(sentence)
}

const IS_OWNED = new RegExp(String.raw` ${OWNER}(?![\p{L}])`, 'iu')

/** Whether a sentence says whose a thing is. */
export const saysOwner = (sentence: string): boolean => IS_OWNED.test(sentence)

/** A clause on what is not to be done yet. */
const NOT_YET =
  /(?:[,;–-]\s|\s(?:and|but|und|aber|et|mais|y|pero)\s|(?<=[.!?])\s|\n|^)(?:(?:please|bitte),? )?(?:(?:don['’]?t|do not|no|not|nothing)(?! \p{L}+ yet (?:been|has|have))\s(?:(?! (?:not|nobody|which) |n['’]t )[^,;.!?\n]){1,60}?\syet|(?:(?!(?:nie|niemals|nicht|nichts|keine?n?) )[^\s,;.!?]{1,30} ){0,4}noch (?:nicht|nichts|kein\p{L}*)(?: [^,;.!?\n]{1,60})?|ne \p{L}+ (?:pas|rien) encore[^,;.!?\n]{0,60}|(?:todavía|aún) no [^,;.!?\n]{1,60}|no (?:(?! (?:no|que) )[^,;.!?\n]){1,60} (?:todavía|aún))(?:[.!]|(?=[,;]|$))/giu

/** Returns a text without the clauses on what is not to be done yet. */
export const withoutNotYet = (text: string): string => text.replace(NOT_YET, ' …').trim()

/** Words for a thing that must stay as it is. */
export const IS_OFF_LIMITS =
  /(?<![\p{L}])(?:off[- ]limits|frozen|locked|forbidden|banned|taboo?|gesperrt|interdite?s?|gelée?s?|prohibid[oa]s?|congelad[oa]s?|hands off)(?![\p{L}])/giu

const NEGATION =
  /(?:n['’]|(?<![\p{L}])don)t(?![\p{L}])|\bun(?:touched|changed)\b|(?<![\p{L}])(?:never|not|no|nothing|cannot|without|avoid|nie|niemals|nicht|nichts|kein\w*|ne|pas|jamais|nunca|sin|não|non|mai|никогда|не|нельзя)(?![\p{L}])|不|别|勿|禁|ない|ません|避け|지\s*마|금지/iu

/** Whether a demand forbids something, or leaves something as it is. */
export const isBan = (demand: string): boolean => NEGATION.test(demand) || demand.search(IS_OFF_LIMITS) >= 0

/** Whether a wish is a ban: it begins with a negation. Others have one where they describe a fault. */
export const isForbidding = (wish: string): boolean =>
  NEGATION.test(
    wish
      .replace(/^(?:please|bitte),? /i, '')
      .split(/\s+/, 2)
      .join(' '),
  )
