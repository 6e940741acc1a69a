/**
 * The words by which people demand something and agents announce what they do next. Several files look for them; what they
 * look for differs on purpose, and stands here side by side.
 */

/** Words of a rule, in English: they stand in what people say as well as in documents. */
const RULE = "must|never|always|don't|do not|only|avoid"

/** Further words of a lasting demand, in languages whose words have spaces around them. */
const LASTING_LATIN =
  'prefer|without|instead of|not allowed|forbidden|make sure|keep|stay (?:on|with)|niemals|nie|immer|nur|jamais|toujours|nunca|siempre'

/** Words of a lasting demand in Russian, Chinese, Japanese and Korean. */
const LASTING_OTHERS = String.raw`никогда|всегда|必须|一律|没有例外|别(?!的|人|处)|一直|保持|而不是|请勿|不要|不能|不得|总是|始终|只能|只用|优先|避免|禁止|務必|必ず|しないで|絶対|常に|避け|하지\s*마|반드시|항상|절대`

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

/** Words of a lasting demand. A sentence without them is a task. */
export const LASTING_DEMAND = new RegExp(
  String.raw`\b(?:${RULE}|${LASTING_LATIN}|no (?:new|more))\b|${LASTING_OTHERS}`,
  'i',
)

/** Words by which people demand, forbid or prefer. */
export const DEMAND = new RegExp(
  String.raw`\b(?:${RULE}|${LASTING_LATIN}|${PASSING})\b|${LASTING_OTHERS}|${PASSING_OTHERS}`,
  'i',
)

/** Words of a demand, a rule or a criterion, as specifications and issues use them. */
export const DOCUMENT_DEMAND = new RegExp(
  String.raw`\b(?:${RULE}|should|required?|ensure|no-gos?|accept\w*|criteri\w+|given|constraints?|rules?)\b`,
  'i',
)

/** By these words, an agent says what it does next. */
const NEXT = "let me|let's|i'll|i will"

/** The beginning of a sentence that announces the next call: agents write one before each call. It is no decision. */
export const CHATTER = /^(?:let me|now let me|i'll (?:check|look|read|start|now)|let's|ok|sure|great|perfect|good)\b/i

/** The beginning of a passage that says what comes next, after any words of agreement: it is worth less than others. */
export const ANNOUNCING_PASSAGE = new RegExp(
  String.raw`^(?:(?:ok|okay|good|great|perfect|now|first|also|next)[,.!—-]*\s+)*(?:${NEXT}|i need to|i should)\b`,
  'i',
)

/** The beginning of a sentence that announces a call of the same message: it is no step that is left to do. */
export const NEXT_CALL = /^(?:now )?let me\b/i

/** A short last sentence that only announces the next tool call. */
export const LAST_ANNOUNCEMENT = /(?<=[.!?] )(?:now,? )?let me [^.!?`]{0,60}[.:]$/i

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
