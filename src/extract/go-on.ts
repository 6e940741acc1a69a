/** Words to go on, as alternatives of a pattern. */
export const GO_ON_WORDS =
  'continue|go on|go ahead|keep going|proceed|resume|carry on|try again|retry|weiter(?:machen)?|mach weiter|continuez?|vas-y|contin[uú]a|sigue|continua|prosegui|продолжай|дальше|继续|続けて|계속'
const GO_ON_REST = ' (?:the )?(?:work|implementation|implementing|tasks?|plan)'
const WHERE_LEFT = 'with (?:it|that|this)|where (?:you|we) left off|please|bitte'

const GO_ON = new RegExp(
  String.raw`^(?:please |ok(?:ay)?[,.!]? |yes[,.!]? |ja[,.!]? )?(?:${GO_ON_WORDS})(?:${GO_ON_REST})?(?:,? (?:${WHERE_LEFT})|吧)?[\s.!。…]*$`,
  'i',
)

/** Whether a message has nothing but words to go on. */
export const isBareGoOn = (text: string): boolean => text.length < 80 && GO_ON.test(text.trim())

/** Words to go on, up to the end of their clause. Behind an article, they name something: "now the retry". */
const GO_ON_CLAUSE = new RegExp(
  String.raw`(?<![\p{L}'’-]|(?<![\p{L}])(?:the|an?|our|your|my|de[nrm]|die|das) )(?:${GO_ON_WORDS})(?:${GO_ON_REST})?(?: (?:${WHERE_LEFT}|now|then|jetzt|dann|so)){0,2}(?=\s{0,2}(?:[.,;:!…()\n]|[-–—] |$))`,
  'giu',
)

/** The words by which users say that they were away, are sorry or agree. */
const EXCUSES = new Set(
  `i we you i'm i've was were had have has got am just only now then so and can may please ok okay yes yeah ya good great fine thanks thank
  hi hey hello sorry apologies my bad mistake accident accidentally about for by the a an that this it to at in on from off back away afk
  out gone offline busy distracted interrupted interruption interrupt interrupting disconnected delay wait break lunch dinner breakfast coffee meeting
  meetings standup call phone interview appointment desk bit moment minute while again take join attend get grab step stepped stepping run
  leave another quick quickly short long internet wifi wi-fi network connection vpn laptop computer machine battery terminal session power
  dropped died crashed lost down closed restarted hit pressed esc escape key
  ich wir war waren hatte hatten musste musst bin kurz nur gerade eben noch mal im beim am ein einen einem einer der die das dem wieder da zurück
  weg unterwegs pause termin besprechung mittag mittagessen mittagspause essen telefon anruf abgelenkt entschuldige entschuldigung tut mir leid
  hallo ja gut super danke bitte jetzt dann
  j'étais j'avais je suis en à au de une un réunion déjeuner retour merci désolé désolée pardon oui
  estaba estuve tuve una la reunión llamada almuerzo comida pausa gracias perdón vuelta`.split(/\s+/),
)

/** A clause by which a user only says that what was done is good, or in use. */
const FINE =
  /^(?:(?:it['’]?s |is )?(?:deployed|merged|released|shipped|installed|tested|restarted)(?: (?:it|that|this))?|(?:\p{L}+ ){0,2}?(?:looks?|is|are|seems?) (?:all |very |really )?(?:good|great|fine|ok(?:ay)?|perfect|green|nice)|(?:it )?works|sieht gut aus|passt|läuft|déployé|ça marche|c['’]est bon|desplegado|funciona)(?: (?:now|here|(?:on|in) \p{L}+))?[,.;!]?$/iu

const MAX_GO_ON_CHARACTERS = 140

/** Whether a message only asks to go on with what was asked for before. It may say why the user was away. */
export function isGoOn(text: string): boolean {
  if (isBareGoOn(text)) return true
  if (text.length > MAX_GO_ON_CHARACTERS || /[?？]/.test(text)) return false
  const others = text.replace(GO_ON_CLAUSE, ' ')
  return others !== text && (others.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []).every(isExcuse)
}

/** Whether a message asks to go on, and besides only says that what was done is good, or in use. */
export const goesOnWithWork = (text: string): boolean =>
  isGoOn(
    text
      .split(/(?<=[,.;!])\s/)
      .filter((clause) => !FINE.test(clause))
      .join(' '),
  )

const isExcuse = (word: string): boolean => EXCUSES.has(word.replace('’', "'"))
