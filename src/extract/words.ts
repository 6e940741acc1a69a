import { bansThing, withoutNotYet } from './bans.ts'
import { ownWords } from './others-words.ts'
import { isStanding } from './standing-words.ts'

/**
 * The words by which people demand something and agents announce what they do next. Several files look for them; what they
 * look for differs on purpose, and is here side by side.
 */

/** Words of a rule, in English: they are in what people say as well as in documents. */
const RULE = "must|never|always|don['’]?t|do not|only|avoid"

/** Further words of a lasting demand, in languages whose words have spaces around them. */
const LASTING_LATIN =
  'prefer|without|instead of|not allowed|forbidden|make sure|keep|stay (?:on|with)|niemals|nie|immer|nur|jamais|toujours|nunca|siempre'

/** Words of a lasting demand in Russian, Chinese, Japanese and Korean. */
const LASTING_OTHERS = String.raw`никогда|всегда|必须|一律|没有例外|别(?!的|人|处|忘)|一直|保持|而不是|请勿|不要|不得|(?<!我)不能(?!成功|(?:提交)?(?:[，。！]|$)|[^，。！]{0,20}(?:时会|了(?:[，。！]|$)))|总是|始终|只能|只用|优先|避免|禁止|務必|必ず|しないで|絶対|常に|避け|하지\s*마|반드시|항상|절대`

/** Words of a demand that may be for one task. */
const PASSING = [
  // English
  "doesn't need|use|ensure|should(?:n't)?|no need|need to|have to|required?",
  // German
  String.raw`muss|müssen|darf|dürfen|nicht|bitte kein\w*|verwende|benutze|bevorzug\w*|vermeide|soll(?:en|te|st)?`,
  // French, Spanish, Portuguese, Italian
  'doit|dois|devez|seulement|utilise[rz]?|évite[rz]?|préfère|debe[ns]?|solo|usa[r]?|prefiero|evita[r]?|sempre|deve|mai',
].join('|')
const PASSING_OTHERS = 'должн|только|нельзя|используй|не надо|избегай|предпочита|仅|使用|だけ|使って|使用し|べき'

/** Words by which a demand says that it holds for all work. */
const LASTING = new RegExp(
  [
    String.raw`\b(?:never|(?:don['’]?t|do not|not|(?<=^|[.,;] )only) ever|always|in (?:the )?future|(?:every|each) (?:time|commit|change|file|function|test)|whenever|at all times|no exceptions?|by default|as a rule|in general|(?:i|we) (?:strongly )?prefer|niemals|(?<!(?:del|el|un|su) )nie|auf keinen fall|immer|grundsätzlich|generell|jamais|en aucun cas|toujours|nunca|en ningún caso|siempre|sempre)\b`,
    'никогда|всегда|ни в коем случае|каждый раз|总是|始终|一律|没有例外|从不|永远|绝不|绝对|每次|必须|务必|禁止|不得|任何时候|必ず|務必|常に|絶対|決して|毎回|항상|절대|반드시|언제나|매번|하지\\s*마',
  ].join('|'),
  'i',
)

/** The subjects of rules of a project or of style. */
const RULE_SUBJECT = new RegExp(
  String.raw`\b(?:comments?|docstrings?|commits?|commit messages?|code style|coding style|naming|indent\w*|tabs|spaces|semicolons?|emojis?|dependenc(?:y|ies)|packages?|librar(?:y|ies)|lint\w*|prettier|public api|backwards?.compatib\w+|floats?|english|german|french|spanish|italian|portuguese|chinese|japanese|deutsch|englisch|kommentare?|commentaires?|anglais|français|comentarios?|inglés|español|branch(?:es)?|push|deploy|publish|production|secrets?|conventions?|this (?:project|repo(?:sitory)?|code ?base)|our (?:project|code|team|style)|test (?:command|framework))\b|комментари|английск|注释|提交|英文|中文|コメント|日本語|英語|주석|한국어`,
  'i',
)

/** A thing with a name that must stay as it is: a path, a name of a file, code in backticks. */
const PROTECTS = new RegExp(
  "\\b(?:don['’]?t|do not|must not|mustn['’]?t|should not|shouldn['’]?t|nothing in|nicht|ne pas)\\b[^`]{0,80}" +
    String.raw`(?:${'`'}[^${'`'}\n]{1,100}${'`'}|(?<![\w:/])[\w.-]{1,80}/[\w./-]{0,200}|\b[\w-]{1,60}\.(?:md|json|ya?ml|toml|lock|sql|proto|env|[jt]sx?|py|go|rs)\b)` +
    '|\\b(?:keep|leave)\\b.{0,120}\\b(?:as (?:it|they) (?:is|are)|unchanged|untouched|stable)\\b',
  'i',
)

/** Words that bind a sentence to the task at hand. */
const THIS_TASK =
  /^(?:please |ok[,.]? |also |and |now )*(?:change|add|fix|make|create|write|rename|move|update|implement|remove|read(?![- ]only)|look|do (?:it|this|that)|(?:publish|push|deploy|upload|release|send) (?:the|it|them|both|all)\b[^,]{1,80}, only (?!after|before|when|if|once|ever|to|with|by|at|on))\b|\b(?:this(?! (?:project|repo|repository|code ?base|session))|that one|these|those|here|(?<!for )now|today|currently|for the moment|again|the (?:new|current|same|other|last|next|first|second)|let me|we (?:still )?need|you know|i think|(?:for|with|in|of) (?:that|it|them)(?=[\s.,;!]{0,3}$)|hier|jetzt|dafür|diese[rsmn]?|ici|maintenant|pour ça|aquí|ahora|para eso)\b/i

/** Words by which a demand holds for one request, even if it says "never" or "always". */
const ONE_TASK =
  /(?<![\p{L}])(?:for (?:this|that|the current) (?:task|request|change|pr|pull request|fix|step|one|ticket|commit|time|feature|bug)|in this (?:task|request|change|pr|pull request|step|commit)|this (?:time|once)|while you(?:['’]re)?|für diese[nrs]? (?:aufgabe|anfrage|änderung|schritt|commit)|diesmal|dieses mal|während du|pour cette (?:tâche|fois|demande|modification)|cette fois|pendant que tu|(?:por|para|en) esta (?:vez|tarea|petición)|esta vez|mientras (?:tú )?\p{L}{3,}[aei]s)(?![\p{L}])|这次|(?<![事原首祖优])(?:先|暂时?)(?:不[要用管]|别)|今回|이번/iu

/** `Only Python 3.` */
const ONLY_A_NAME = /^(?:[Oo]nly|[Jj]ust|[Nn]ur|[Ss]eulement|[Ss]olo) [A-Z][\w+#.]{0,40}(?: \d[\w.]{0,10})?$/

/** The place of what may be the reason of a ban: what it says of "this week" does not bind it to the task. */
const REASON_AT = /\s?[,;(]\s|\s(?:because|since|weil|denn|parce que|car|porque)\s/iu

/** Words that bind a ban to the task at hand wherever they are, and the order of something else in its place. */
const ONLY_NOW =
  /(?<![\p{L}])(?:today|right now|at the moment|this (?:week|release|sprint) is|heute|en ce moment|hoy|ahora mismo|(?:el|la) (?:primer[oa]?|segund[oa]))(?![\p{L}])|[,;(] (?:just|use|go with|i will|i['’]ll) /iu

/** A fault, which is to be fixed: `this should never happen`, `Fix both imports: one never ends`. */
const FAULT =
  /\b(?:that|this|it) (?:should|must) never (?:have )?happen(?:ed)?\b|^fix (?:all|both|the|these) [^:]{1,80}: \S+ never \p{L}+s\b/iu

/**
 * Whether a sentence demands something for all work: it says so ("never", "always"), or is a rule of the project or of style, or
 * protects a thing by its name, or says how something is to stay. What is said of "this" or "now" is for one request.
 */
export function isLastingDemand(sentence: string): boolean {
  const own = withoutNotYet(ownWords(sentence))
  const [head = ''] = own.split(REASON_AT, 1)
  if (ONE_TASK.test(own)) return false
  return (
    (LASTING.test(own) && !FAULT.test(own)) ||
    ONLY_A_NAME.test(own) ||
    isStanding(own) ||
    (!THIS_TASK.test(head) && !ONLY_NOW.test(own) && bansThing(own)) ||
    (!THIS_TASK.test(own) && DEMAND.test(own) && (RULE_SUBJECT.test(own) || PROTECTS.test(own)))
  )
}

/** Words by which people demand, forbid or prefer. */
const DEMAND = new RegExp(
  String.raw`\b(?:${RULE}|${LASTING_LATIN}|${PASSING})\b|${LASTING_OTHERS}|${PASSING_OTHERS}`,
  'i',
)

/** Whether a sentence demands, forbids or prefers something in the words of its writer. */
export function isDemand(sentence: string): boolean {
  const own = ownWords(sentence)
  return (DEMAND.test(own) && !/^never ?mind\b/i.test(own)) || isStanding(own) || bansThing(own)
}

/** Words of a demand, a rule or a criterion, as specifications and issues use them. */
export const DOCUMENT_DEMAND = new RegExp(
  [
    String.raw`\b(?:${RULE}|should|required?|ensure|no-gos?|accept\w*|criteri\w+|given|constraints?|rules?)\b`,
    String.raw`(?<![\p{L}])(?:muss|müssen|darf|dürfen|soll(?:en|te|ten)?|nie|niemals|immer|nur|kein\w*|nicht|spätestens|höchstens|mindestens)(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:doit|doivent|jamais|toujours|seulement|debe[ns]?|nunca|siempre|solo|deve[mn]?|sempre|mai|apenas)(?![\p{L}])`,
    'должн|никогда|всегда|только|нельзя|必须|不得|禁止|只能|应当|务必|必ず|禁止|なければならない|해야|금지',
  ].join('|'),
  'iu',
)

/** By these words, an agent says what it does next. */
const NEXT = "let me(?! know)|let's|i'll|i will"

/** Words that lead to what an agent announces. */
const LEAD = String.raw`^(?:(?:ok|okay|good|great|perfect|now|first|also|next|then|so|and)[,.!—-]*\s+)*`

/** The beginning of a sentence that says what comes next: it is worth less than others, and nothing once another one follows it. */
export const ANNOUNCING = new RegExp(
  String.raw`${LEAD}(?:${NEXT}|i (?:still )?need\b|(?:we )?(?:still )?need to|i should|continuing with|moving on)\b|^now (?:fix|add|update|run|check|verify|create|write|commit|remove|merge)\b(?!.{0,200} [-–—] )`,
  'i',
)

/** The beginning of a sentence that announces a look, and no change. */
const LOOK = new RegExp(
  String.raw`${LEAD}(?:${NEXT}|i need to)(?: \w+){0,1} (?:read|look|check|see|view|inspect|explore)\b(?!.{0,300}\b(?:then|fix|change|update|add)\b)`,
  'i',
)

/** A text that is one sentence about what comes next. With a second one, or with a name in it, it may be a finding. */
export const ANNOUNCEMENT = new RegExp(
  String.raw`^(?:(?:great|good|perfect|excellent|ok(?:ay)?|done|nice|alright)[!.,:]? ?)?(?:now,? ?)?(?:${NEXT}|i'm going to|next|first|now|also|finally|update|fix|check|run|add)\b[^.!?` +
    '`' +
    String.raw`"]{0,120}[:.]?$`,
  'i',
)

/** The beginning of a sentence about a step that is left to do. */
export const INTENTION =
  /^(?:next|then|after that|remaining|now i(?:'ll| will| need)|i(?:'ll| will| still need to| need to| am going to)|let me|still to do|todo|als nächstes|下一步|接下来|次に)\b|^(?:下一步|接下来|次は|次に)/i

/** The clause of a sentence that announces something. */
const ANNOUNCING_CLAUSE = new RegExp(String.raw`(?:,| [-–—]) (?:but|so|and) (?:${NEXT}|i need to)\b.{0,300}$`, 'i')

const SENTENCE_BREAK = /(?<=[.!?:])\s+(?=[A-Z`])/

/** Words that give a reason: what an agent announces with one is a decision. */
export const REASON =
  /(?<![\p{L}])(?:because|since (?!then)|instead of|rather than|so that|otherwise|weil|denn|statt|anstatt|damit|sonst|parce que|au lieu de|porque|en lugar de|em vez de|invece di|perché)(?![\p{L}])|потому что|вместо|因为|而不是|ため|代わりに|때문|대신/iu

/**
 * Returns what a text says besides what it announces. In a text that another one follows, the calls that it has announced were made:
 * it is no open work any more. What it has announced with a reason stays.
 */
export const withoutAnnounced = (text: string): string =>
  text
    .split(SENTENCE_BREAK)
    .filter((sentence) => !ANNOUNCING.test(sentence) || REASON.test(sentence))
    .map((sentence) => sentence.replace(ANNOUNCING_CLAUSE, '.'))
    .join(' ')

/** Returns words without the sentences that announce a look: once it has ended, the work goes on from what it has shown. */
export const withoutLooks = (words: string): string =>
  words
    .split(SENTENCE_BREAK)
    .filter((sentence) => !LOOK.test(sentence))
    .join(' ')

/** Whether a sentence says what comes next. */
export const isAnnouncing = (sentence: string): boolean => ANNOUNCING.test(sentence) || INTENTION.test(sentence)

/** Words that announce more than the call which follows them. */
const LATER = /^(?:next|then|after that|remaining|still to do|todo|als nächstes|danach|ensuite|下一步|接下来|次)/i

/**
 * Returns words without the sentences that announce changes which were made since; empty where no other one announces anything.
 * @param files the names of the files that were changed since
 */
export function withoutMade(words: string, files: readonly string[]): string {
  if (files.length === 0) return words
  const left = words
    .split(SENTENCE_BREAK)
    .filter(
      (sentence) => !isAnnouncing(sentence) || (LATER.test(sentence) && !files.some((file) => sentence.includes(file))),
    )
  return left.some(isAnnouncing) ? left.join(' ') : ''
}
