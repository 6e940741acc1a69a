/**
 * The words by which a text says how things stood at its time, and that something is wrong, in English, German, French, Spanish and
 * Chinese. What they say is over once somebody has changed what they are about.
 */

/** Joins patterns of whole words; `\b` knows the letters of English only. */
const words = (...patterns: readonly string[]): string =>
  String.raw`(?<![\p{L}\p{N}_])(?:${patterns.join('|')})(?![\p{L}\p{N}_])`

const CURRENT_ENGLISH = [
  'current(?:ly)?|right now|at the moment|not yet|(?:not (?:been )?|un)committed|yet to|work in progress|in progress',
  String.raw`(?:is|are|has|have|was|were|do|does|did)n['’]t (?:\p{L}{1,20} ){0,2}yet|(?:i|we) have(?:n['’]t| not) (?:updated|fixed|added|written|run|tested|committed|finished|implemented|done)`,
  String.raw`still (?:needs?|has|have|fails?|failing|broken|missing|open|to (?:do|be))|needs? to (?:be )?\w+`,
  String.raw`need(?:s|ed)? (?:debug|fix|test|updat)\w*|has (?:\w+ )?issues? to fix|to be (?:fixed|done|added|written|updated)`,
  String.raw`un(?:re)?solved|(?:is|are) (?:blocked|failing|broken|missing)|blocks (?:the )?commit\w*|todo|pending|remaining`,
  String.raw`the plan is|will be (?:added|fixed|updated|changed)|(?:error|warning|failure)s?\*{0,2} (?:at|in|on) line \d+`,
  String.raw`error\*{0,2} at`,
]
const CURRENT_GERMAN = [
  String.raw`derzeit|momentan|aktuell|zurzeit|im Moment|noch (?:immer|nicht|kein\p{L}{0,3}|offen|kaputt|zu \p{L}{1,30})|in Arbeit`,
  String.raw`(?:fehlt|fehlen|steht|stehen|muss|müssen) noch|nicht (?:committet|eingecheckt)|steh(?:t|en) (?:noch )?aus`,
  String.raw`ausstehend\p{L}{0,2}|ungelöst\p{L}{0,2}|(?:ist|sind) (?:noch )?blockiert`,
]
const CURRENT_FRENCH = [
  "actuellement|pour l['’]instant|en ce moment|pas encore|toujours (?:en échec|cassée?s?|manquante?s?|ouverte?s?)",
  'reste(?:nt)? (?:encore )?à|à (?:faire|corriger|ajouter|écrire|mettre à jour)|en cours|en attente',
  'non (?:commitée?s?|résolue?s?)|(?:est|sont) bloquée?s?',
]
const CURRENT_SPANISH = [
  'actualmente|ahora mismo|por ahora|en este momento|aún no|todavía (?:no|fallan?|faltan?)|en curso|pendientes?',
  'siguen? (?:fallando|rot[oa]s?|abiert[oa]s?)|por (?:hacer|corregir|añadir|escribir)|sin (?:commit|confirmar|resolver)',
  '(?:faltan?|quedan?) por|(?:está|están) bloquead[oa]s?',
]
const CURRENT_CHINESE =
  '目前|当前|现在|尚未|还没|还未|仍(?:然|需|未|有)|待(?:办|修复|处理|完成|添加)|未(?:提交|解决|完成)|进行中|需要(?:修复|修改|更新|添加|完成)|剩余'

/** Words by which a text says how things stand at its time, and what is left to do. */
export const CURRENT = new RegExp(
  `${words(...CURRENT_ENGLISH, ...CURRENT_GERMAN, ...CURRENT_FRENCH, ...CURRENT_SPANISH)}|${CURRENT_CHINESE}`,
  'iu',
)

/** Words by which a text says that a file is in no commit. */
export const UNCOMMITTED = new RegExp(
  `${words(
    'uncommitted|not (?:yet |been )*committed|not (?:been )?committed yet|untracked|yet to be committed',
    'nicht (?:committet|eingecheckt)|non commitée?s?|sin (?:commit|confirmar)',
  )}|未提交`,
  'iu',
)

/** Words by which a text says that something is not done yet, or still as it was. */
export const NOT_YET = new RegExp(
  `${words(
    'not yet',
    String.raw`(?:is|are|has|have|was|were|do|does|did)n['’]t (?:\p{L}{1,20} ){0,2}yet|still (?:needs?|has|have|fails?|lacks?)`,
    String.raw`noch (?:immer|nicht|kein\p{L}{0,3})|(?:fehlt|fehlen) noch|pas encore|aún no|todavía no`,
  )}|尚未|还没|还未|仍(?:然|需|有)`,
  'iu',
)

const FAULT_LATIN = [
  String.raw`issues?|problems?|bugs?|errors?|warnings?|fail\w*|broken|flaws?|mistakes?|wrong|gaps?|must (?:also )?not|missing`,
  "did ?n['’]t work|undefined",
  String.raw`Fehler\p{L}{0,20}|Probleme?n?s?|Warnung(?:en)?|kaputt|defekt|falsch\p{L}{0,2}|fehl(?:t|en|te|ten)|fehlgeschlagen`,
  String.raw`schl(?:ägt|agen|ug|ugen) fehl|funktionier(?:t|te|en|ten) (?:\p{L}{1,10} ){0,2}nicht|Lücken?|undefiniert`,
  String.raw`erreurs?|problèmes?|bogues?|avertissements?|échou\p{L}{1,6}|échecs?|cassée?s?|manqu\p{L}{1,6}|incorrecte?s?`,
  String.raw`ne (?:fonctionn|march)\p{L}{1,6} pas|indéfinie?s?`,
  String.raw`errores|problemas?|fall(?:an?|os?|ó|aron)|rot[oa]s?|faltan?|incorrect[oa]s?|advertencias?|no funcion\p{L}{1,6}|indefinid[oa]s?`,
]

/** Words about a fault, and places in files: what they say holds until somebody changes something there. */
export const FAULT = new RegExp(
  String.raw`${words(...FAULT_LATIN)}|\.[a-z]{1,5}:\d|错误|问题|失败|报错|警告|缺少|缺失|损坏|不(?:工作|正确|起作用)|未定义|漏洞`,
  'iu',
)

const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** Returns how long a text is, in letters of an alphabet: a character of Chinese, Japanese or Korean says as much as three. */
export const weightOf = (text: string): number => text.length + 2 * (text.match(DENSE)?.length ?? 0)

/** A sentence whose first clause says that something fails. What must not fail, or would, is no report. */
export const REPORTS_FAILURE =
  /^(?!.{0,300}(?:, so | so that ))(?:(?!must|may|can|could|would|should|never|not|if|when|because|that|which|to |wenn|weil)[^\s,;:]+ ){1,9}(?:fail(?:s|ed)?|crash(?:es|ed)?|(?:is|are|was|were) (?:red|broken|failing)|schl(?:ägt|agen) fehl|scheiter[nt]|échoue(?:nt)?|fallan?)(?![\p{L}])/iu

/** What is said of a statement about what happened since. */
export const SINCE = / \(said earlier; since then: [^()]{1,400}\)(?=[.!?]?$)/

/** Returns a text with what happened since, before the mark at its end: the note is a part of its last sentence. */
export const withSince = (text: string, since: string): string =>
  text.replace(/[.!?]?$/, (mark) => ` (said earlier; since then: ${since})${mark}`)
