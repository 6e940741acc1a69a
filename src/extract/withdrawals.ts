import { oneLine } from '../text/shorten.ts'
import { isBan, IS_OFF_LIMITS, OFF_LIMITS, withoutNoLonger } from './bans.ts'
import { wordsOf } from './said-lines.ts'

/**
 * An earlier demand that a user takes back. A ban is taken back by words that allow the same, a need by words that say that it is over, and
 * either kind by words that call it a rule. To lose a demand that still holds is worse than to keep one that is over: the words must name
 * all of it, without a condition, and not for one case only. A reason may follow them.
 */
export interface Withdrawal {
  of: 'ban' | 'need' | 'rule'
  /** The words of what is taken back. */
  words: ReadonlySet<string>
  /** Whether it holds on a condition: the ban stays beside it. */
  isPart: boolean
}

/** Words by which somebody changes what was said before. */
const REVISED =
  'actually|(?:scratch|forget) that|never ?mind|on second thoughts?|i changed my mind|eigentlich|en fait|finalement|en realidad|al final'

/** Words before what somebody says. */
const LEAD = String.raw`(?:(?:${REVISED}|ok(?:ay)?|alright|all right|so|and|also|then|well|yes|no|please|from now on|now|ab jetzt|ab sofort|jetzt|also|gut|bitte|bon|bueno|vale|ahora|desde ahora|ya|agora|adesso|ora)[,:.]? ){0,3}`

/** Words of a change: what "you can" is followed by is otherwise the next task. */
const CHANGED = new RegExp(
  String.raw`(?<![\p{L}])(?:now|again|any ?more|from now on|going forward|after all|${REVISED}|jetzt|ab sofort|wieder|doch|nun|inzwischen|maintenant|désormais|(?:de|à) nouveau|ya|ahora|de nuevo|otra vez|agora|ora|adesso|теперь|снова)(?![\p{L}])`,
  'iu',
)

/** Words of a doubt, and of what holds once only, or for what was just said. */
const ONCE =
  /(?<![\p{L}])(?:once|today|tonight|tomorrow|for now|just|temporarily|maybe|perhaps|(?:i|we) think|heute|diesmal|vorerst|aujourd['’]hui|hoy|сегодня)(?![\p{L}])|这次|今天|今回|今日|이번|오늘/iu
const POINTS = /(?<![\p{L}])(?:this|these|those|it|diese[mnrs]?|cette|esta|este)(?![\p{L}])/iu

/** Words of a condition. */
const CONDITION =
  /(?<![\p{L}])(?:only|except|unless|until|if|when|while|but|wenn|falls|sobald|solange|nur|aber|si|quand|mais|solo|sólo|cuando|pero|se|quando|если|когда|только|но)(?![\p{L}])|如果|もし|だけ|만약/iu

const RULE = 'rules?|ban|restrictions?|requirements?|constraints?|instructions?|preferences?|demands?|polic(?:y|ies)'
const DROP = String.raw`(?:forget(?: about)?|never ?mind(?: about)?|ignore|disregard|drop|scrap|scratch|cancel|lift|skip|i take back)`

/** What is not to be done to a thing that must stay as it is. */
const CHANGING = '(?:to )?(?:touch|change|edit|modify|toucher|changer|modifier|toques|cambies)(?: (?:à|aux?))?'

type Forms = [of: Withdrawal['of'], forms: readonly string[], needsChange?: boolean]

const FORMS: readonly Forms[] = [
  [
    'ban',
    [
      String.raw`(?:you|we)(?:['’]re| are)?(?: now)? (?:may|allowed to|permitted to) (.+)`,
      String.raw`(?:du|ihr|wir)(?: jetzt| ab sofort)? (?:darfst|dürft|dürfen) (.+)`,
      String.raw`(?:darfst|dürft|dürfen) (?:du|ihr|wir) (.+)`,
    ],
  ],
  [
    'ban',
    [
      String.raw`(?:you|we)(?:['’]re| are)?(?: now)? (?:can|free to|welcome to) (.+)`,
      String.raw`(?:(?:it['’]?s|it is)(?: now)? (?:ok(?:ay)?|fine|all ?right|allowed)|feel free) to (.+)`,
      String.raw`(.+?) (?:is|are)(?: now)? (?:ok(?:ay)?|fine|all ?right|allowed|permitted)(?: now| again| from now on| after all)?`,
      String.raw`(.+? (?:can|may)(?: now| again)? be \p{L}{2,20}(?:ed|en)(?: to)?)(?: now| again| from now on)?`,
      String.raw`(?:du|ihr|wir) (?:kannst|könnt|können) (.+)`,
      String.raw`(?:kannst|könnt|können) (?:du|ihr|wir) (.+)`,
      String.raw`(?:tu peux|vous pouvez|on peut) (.+)`,
      String.raw`(?:puedes|pueden|podemos|podéis|podes|(?:você )?pode|puoi) (.+)`,
      String.raw`(?:теперь|снова|уже) можно (.+)|можно (?:теперь|снова) (.+)`,
    ],
    true,
  ],
  [
    'ban',
    [
      String.raw`(.+? (?:(?:is|are)(?: now)? no longer|(?:ist|sind)(?: jetzt| ab jetzt)? nicht mehr|n['’](?:est|sont) plus|ya no (?:está|es)n?) ${OFF_LIMITS})`,
      String.raw`(?:现在|以后|今后|从现在起)你?可以(.+?)了?`,
      String.raw`(?:もう|今後は|これからは)(.+?)(?:して|ても|でも)も?(?:いい|よい|良い)(?:です)?`,
      String.raw`(?:이제|앞으로는?) (.+?)(?:해도|아도|어도) (?:돼|됩|되|괜찮|좋).{0,6}`,
    ],
  ],
  [
    'need',
    [
      String.raw`(?:you|we|i) (?:don['’]?t|do not) (?:need|have)(?: to)? (.+) any ?(?:more|longer)`,
      String.raw`(?:please )?(?:stop|quit) (\p{L}{2,30}ing(?: .+)?)|hör(?:t)? auf,? (.+)|arrête(?:z)? (?:de |d['’])(.+)|deja de (.+)|перестань (.+)`,
      String.raw`(?:you|we|i) no longer (?:(?:need|have)(?: to)? )?(.+)`,
      String.raw`(?:there is |there['’]s )?no (?:longer any need|need any ?more) to (.+)|no need to (.+) any ?more`,
      String.raw`(.+?) (?:is|are) no longer (?:needed|required|necessary|wanted)`,
      String.raw`(?:wir|du|ihr|ich) (?:müssen|musst|müsst|muss|brauchen|brauchst|braucht|brauche) (.+) nicht mehr(?: zu)?( \p{L}+)?`,
      String.raw`(?:on n['’]a|tu n['’]as|nous n['’]avons|vous n['’]avez) plus besoin (?:de |d['’])(.+)`,
      String.raw`no (?:hace falta|es necesario|hay que|necesitamos|tenemos que|tienes que) (.+)`,
      String.raw`больше не (?:нужно|надо) (.+)`,
      '不再需要(.+?)了?|不(?:需要|用)再(.+?)了?',
      String.raw`もう(.+?)(?:する)?必要は?(?:ない|ありません)(?:です)?`,
      String.raw`더 이상 (.+?)(?:할 필요가?|하지 않아도) .{1,8}`,
    ],
  ],
  [
    'rule',
    [
      `${DROP} (?:the|my|that|our) (.+) (?:${RULE})`,
      `${DROP} (?:the|my|that|our) (?:${RULE}) (?:about|on|against|for|regarding) (.+)`,
      String.raw`${DROP} (?:what|everything|all|whatever) (?:i|we) (?:said|told you|wrote|asked)(?: earlier| before)? (?:about|on|regarding|concerning) (.+)`,
      String.raw`(?:the|my|our) (?:${RULE}) (?:about|on|against|for|regarding) (.+?) (?:is|are|has been) (?:gone|lifted|over|off|obsolete|void)`,
      String.raw`(?:i|we)(?:['’]ve| have)? changed (?:my|our) minds? (?:about|on|regarding) (.+)`,
      String.raw`(?:the|my|our) (.+?) (?:${RULE}) (?:(?:is|are|has been) (?:gone|lifted|over|off|obsolete|void)|no longer (?:applies|apply|holds|counts)|(?:does not|doesn['’]t) (?:apply|hold|count) any ?more)`,
      // What was forbidden is repeated: "I told you not to touch /v1, that's fine now".
      String.raw`(?:i (?:told|asked) you (?:not|never) to|i said (?:not to|don['’]?t)|je t['’](?:ai|avais) dit de (?:ne )?pas|te dije que no|ich (?:habe?|hatte) gesagt,? (?:du sollst )?nicht)(?: ${CHANGING})? (.+?),? (?:but )?(?:(?:it|that)(?:['’]?s| is) (?:ok(?:ay)?|fine|over|allowed)|(?:you|we) (?:can|may)|c['’]est bon(?:,? (?:on|tu) peu[tx])?|(?:on|tu) peu[tx]|ya (?:se )?puedes?|das geht|du darfst)(?: it)?(?: now| again| maintenant| jetzt)?`,
      'vergiss,? was ich (?:über|zu|zum|zur) (?:das |die |den )?(.+) gesagt habe',
      '(?:vergiss|streiche?) die (.+?)[- ]?regel|die (.+?)[- ]?regel gilt nicht mehr',
      String.raw`oublie(?:z)? (?:ce que j['’]ai dit (?:sur|à propos de)|la règle (?:sur|de|des|du)) (.+)`,
      'olvida (?:lo que dije (?:sobre|de)|la regla (?:de|sobre)) (.+)|la regla (?:de|sobre) (.+) ya no (?:aplica|vale)',
      String.raw`забудь,? (?:что я (?:говорила?|сказала?) (?:про|об?)|(?:про )?правило (?:про|об?)) (.+)`,
      '(?:忘掉|忘了|忽略|取消)(?:我)?(?:之前|刚才)?(?:说的)?(?:关于)?(.+?)的(?:规则|要求|话|限制)',
      '(.+?)(?:の|に関する|についての)(?:ルール|規則)は(?:忘れて|なし|取り消し).{0,6}',
      '(.+?)(?:에 대한|에 관한)? ?규칙[은는을]? (?:잊어|취소|무시).{0,6}',
    ],
  ],
]

/** For sentences in lower case: with the flag i, they take four times as long to compile. */
const PATTERNS = FORMS.map(([of, forms, needsChange = false]) => ({
  of,
  needsChange,
  pattern: new RegExp(String.raw`^${LEAD}(?:${forms.join('|')})$`, 'du'),
}))

/** Words of a change, which do not say what is demanded or taken back. */
const AROUND =
  /(?<![\p{L}])(?:any ?(?:more|longer|time)|again|from (?:now|today) on|going forward|after all|instead(?! of)|directly|as well|of course|wieder|ab (?:jetzt|sofort)|doch|nun|inzwischen|stattdessen|maintenant|désormais|(?:de|à) nouveau|de nuevo|otra vez|(?:de |desde |a partir de )?ahora(?: en adelante)?|agora|adesso|теперь|снова)(?![\p{L}])|从现在(?:起|开始)|今后|今後は/giu

/** Returns a demand without words of a change, and with the same word for whatever must not be changed. */
export const withoutChange = (demand: string): string => demand.replace(AROUND, ' ').replace(IS_OFF_LIMITS, 'change')

/** The ending of French infinitives: `pousser` is `pousse` in a demand. */
const FRENCH = /^(?:.{0,20} )?(?:tu peux|vous pouvez|on peut|on n['’]a|tu n['’]as|nous n['’]avons|vous n['’]avez) /i

/** Returns a sentence without the marks at its end. */
function withoutEnd(sentence: string): string {
  let end = sentence.length
  while (/[\s.!。！]/.test(sentence.charAt(end - 1))) end -= 1
  return sentence.slice(0, end)
}

/** The place of a reason behind a sentence. */
const REASON_AT = /[,;:] | [-–—] | (?=(?:because|since|weil|denn|parce que|car|porque)\s)/giu

/** A reason, as a clause of its own. */
const REASON_CLAUSE =
  /(?<![\p{L}])(?:we|i|it|they|he|she|that['’]s|is|are|was|were|has|have|had|approved|agreed|use|wir|ich|sie|es|er|ist|sind|hat|haben|on|nous|il|elle|est|sont|está|ha|han)(?![\p{L}])/iu

/** Returns what a sentence of a user takes back of the user's earlier demands; undefined if it takes nothing back. */
export function readWithdrawal(sentence: string): Withdrawal | undefined {
  if (sentence.length > MAX_CHARACTERS || ONCE.test(sentence)) return undefined
  const breaks = [...sentence.matchAll(REASON_AT)].map(({ index }) => index).reverse()
  for (const at of [...breaks, sentence.length]) {
    const reason = sentence.slice(at)
    const isReason = at === sentence.length || (REASON_CLAUSE.test(reason) && !CONDITION.test(reason))
    const found = isReason ? readStatement(sentence.slice(0, at)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Reads a sentence without the reason behind it. */
function readStatement(sentence: string): Withdrawal | undefined {
  if (POINTS.test(sentence.replace(/^it\b/i, ''))) return undefined
  const isPart = CONDITION.test(sentence)
  const isChanged = CHANGED.test(sentence)
  const bans = isBan(withoutNoLonger(sentence))
  const statement = withoutEnd(sentence)
  const lower = statement.toLowerCase()
  for (const { of, needsChange, pattern } of PATTERNS) {
    if ((needsChange && !isChanged) || (of === 'ban' ? bans : isPart)) continue
    const found = pattern.exec(lower)
    if (found === null) continue
    const parts = found.indices?.slice(1).map((place) => (place === undefined ? '' : statement.slice(...place)))
    const subject = oneLine(withoutChange(withoutNoLonger(parts?.join(' ') ?? '')))
    const words = wordsOf(FRENCH.test(sentence) ? subject.replace(/er\b/g, 'e') : subject)
    return words.size === 0 ? undefined : { of, words, isPart }
  }
  return undefined
}

/** Longer sentences say more than that. */
const MAX_CHARACTERS = 160

/** Words by which a user takes back the sentence before them. */
const TAKES_LAST_BACK = new RegExp(
  String.raw`^${LEAD}(?:(?:forget|scratch|ignore|disregard|cancel) (?:that|it|this|what i (?:just )?said)|i take (?:that|it) back|never ?mind(?: that)?|vergiss (?:das|es)(?: wieder)?|oublie[zr]? (?:ça|cela)|laisse tomber|olv[ií]dalo|забудь(?: об этом| это)?|忘掉(?:它|这个)|忘れて(?:ください)?|잊어\S{0,4})[\s.!。]*$`,
  'u',
)

/** Whether a sentence takes back the one before it. */
export const takesLastBack = (sentence: string): boolean => TAKES_LAST_BACK.test(sentence.toLowerCase())

/** Words that lift the ban before them in a part. */
const EXCEPTION =
  /^(?:(?:in|for|on|within) [^,.;:]{1,40},? (?:it|that)(?:['’]s| is)(?: now)? (?:ok(?:ay)?|fine|allowed|all right)(?: now| again| from now on)|(?:it|that)(?:['’]s| is)(?: now)? (?:ok(?:ay)?|fine|allowed|all right)(?: now)? (?:in|for|on|within) [^,.;:]{1,40} now|(?:in|für|bei) [^,.;:]{1,40} ist (?:es|das) (?:jetzt|nun|ab jetzt) (?:ok(?:ay)?|erlaubt|in ordnung))[\s.!]{0,3}$/u

/** Whether a sentence allows in a part what the demand before it forbids. */
export const liftsInPart = (sentence: string): boolean => EXCEPTION.test(sentence.toLowerCase()) && !ONCE.test(sentence)
