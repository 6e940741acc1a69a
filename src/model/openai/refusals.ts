/** The kind of an answer that is no summary: a refusal in plain words, or a question back to the one who asked. */
export type Evasion = 'refused-in-words' | 'asked-back'

/** Refusals and questions are short. A longer text has other content as well. */
const MAX_EVASION_CHARACTERS = 2000

/** The part of a text that decides, and the number of its sentences. */
const HEAD_CHARACTERS = 600
const MAX_SENTENCES = 4

/**
 * Finds out whether a text begins as a refusal or as a question back. Both are read in English; in other languages, an
 * apology at the beginning is a refusal. Only the first words of a sentence count, and only greetings and apologies may be
 * before it: a summary that reports or quotes a refusal begins differently.
 * @returns undefined for any other text, and for a long one or one with headings
 */
export function findEvasion(text: string): Evasion | undefined {
  if (text.length > MAX_EVASION_CHARACTERS || /^#{1,6} /m.test(text)) return undefined
  const head = text
    .slice(0, HEAD_CHARACTERS)
    .replace(/[’ʼ]/g, "'")
    .replace(/[*_>#]/g, '')
  let hasRegretted = false
  for (const sentence of head.split(/(?<=[.!?。！？…।])|\n/).slice(0, MAX_SENTENCES)) {
    const { rest, hasRegret } = stripOpeners(sentence)
    hasRegretted ||= hasRegret
    if (rest === '') continue
    if (ASKS_BACK.some((pattern) => pattern.test(rest))) return 'asked-back'
    const refuses = REFUSES.some((pattern) => pattern.test(rest)) || (hasRegretted && CANNOT.test(rest))
    return refuses ? 'refused-in-words' : undefined
  }
  return undefined
}

/** Returns what a sentence says after its greetings, apologies and conjunctions; empty when it has nothing else. */
function stripOpeners(sentence: string): { rest: string; hasRegret: boolean } {
  let rest = sentence
  let hasRegret = false
  for (let previous = ''; rest !== previous;) {
    previous = rest
    rest = rest.replace(/^[\s,;:.!?。！？…।、，–—-]+/, '')
    hasRegret ||= REGRET.test(rest)
    rest = rest.replace(OPENER, '')
  }
  return { rest, hasRegret }
}

/** Returns one pattern for alternatives at the beginning of a text; a word ends where the next is not a letter. */
const opening = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`^[\\s¿¡]*(?:${alternatives.join('|')})`, 'iu')

const END = '(?![\\p{L}\\p{N}])'

/** Regrets in English: a refusal, if "I cannot" follows. */
const REGRETS = [
  `(?:i'm|i am|we're|we are) (?:very |so |really |truly )?(?:sorry|afraid)(?: that)?${END}`,
  `(?:my |i )?(?:apologies|apologize|apologise)${END}`,
  `sorry(?= ?[,.!;:—–-]| but| i )`,
  `unfortunately${END}|regrettably${END}`,
]
const REGRET = opening(...REGRETS)

/** Words that may come before those that decide. */
const OPENER = opening(
  ...REGRETS,
  `(?:sure|certainly|of course|absolutely|okay|ok|hello|hi|hey|however|but|thanks|thank you)(?: there| thing)?${END}(?: for [^.!?,]{1,60})?`,
  `i understand(?: that)?[^.!?,]{0,80}${END}`,
)

/** "I cannot", where a regret has come before it. */
const CANNOT =
  /^(?:i|we) (?:can ?not|can't|could ?n[o']t|won't|will not|(?:am|'m|are) (?:unable|not able|not allowed)|must (?:respectfully )?decline|do(?: not|n't) (?:have|see))|^(?:i'm|i am|we're) (?:unable|not able|not allowed|programmed)|^(?:unable to|can(?:no|')t)|^that'?s? ?(?:is )?not something/iu

const TOPIC = '(?:conversation|transcript|request|content|chat|session|history|task|topic|text|material)s?'

const UNABLE =
  "(?:(?:i|we) (?:can ?not|can't|won't(?: be able to)?|will not(?: be able to)?|could not|couldn't|am unable to|am not able to|am not allowed to)|(?:i'm|we're) (?:unable|not able|not allowed) to)(?: \\p{L}+ly)?"

/** Refusals that need no apology. */
const REFUSES = [
  opening(
    `${UNABLE} (?:help|assist|provide (?:assistance|help))(?! but)(?: you)?(?= with (?:that|this|your|such|these|any)|[.!,;]|$)`,
    `${UNABLE} (?:comply|engage|fulfil+|summari[sz]e|continue|process|provide|create|generate|write|produce|complete|discuss|participate)(?: with| in| on)? (?:(?:this|that|your|such)(?: \\p{L}+){0,2} ${TOPIC}|(?:a|the) summary|(?:this|that|it)[.!]?$)`,
    `${UNABLE} (?:comply[.!,]|do that[.!]?$)`,
    `(?:i'm|i am) not (?:comfortable|permitted)|i (?:don't|do not) feel comfortable`,
    `i (?:must|have to|need to|will have to)(?: respectfully| politely)? (?:decline|refuse)(?:[.,]| (?:to (?:help|assist|summari|continue|answer|provide|discuss|engage|do)|this|that|your))`,
    `(?:as an?|i'm an?|i am an?) (?:ai|artificial intelligence|large language model|language model)(?: [\\p{L}-]+){0,3},? (?:i|my|and|so|created)${END}`,
    `(?:this|that|your|the) ${TOPIC} (?:violates|goes against|is against|may violate|was flagged|has been flagged)`,
    `that(?:'s| is) not something i (?:can|am able)`,
  ),
  // Apologies in other languages, with which no summary begins. What they apologize for is not read.
  opening(
    `(?:es )?tut mir (?:sehr |wirklich )?leid${END}|entschuldigung${END}|entschuldige${END}|entschuldigen sie${END}`,
    `(?:je suis |nous sommes )?(?:vraiment )?désolée?s?${END}|excusez-moi${END}|lo siento${END}|me temo que${END}|disculpa${END}|perdón${END}`,
    `desculpe${END}|sinto muito${END}|mi (?:di)?spiace${END}|sono spiacente${END}|het spijt me${END}|beklager${END}`,
    `przykro mi${END}|przepraszam${END}|omlouvám se${END}|je mi líto${END}|üzgünüm${END}|özür dilerim${END}|извините${END}|простите${END}|вибачте${END}`,
    `(?:很|非常|十分|实在)?(?:抱歉|对不起|對不起)|(?:大変)?申し訳|すみません|ごめんなさい|죄송|미안`,
    `xin lỗi${END}|(?:mohon )?maaf${END}|عذر[اًًا]*|آسف|क्षमा करें|माफ़ करें|מצטער`,
  ),
]

const MATERIAL =
  '(?:conversation|transcript|chat|dialogue|session|messages|text|content|log|history|document|material)s?'

/** Questions for the text that the prompt has in it, and offers to begin. */
const ASKS_BACK = [
  opening(
    `(?:could|can|would|will) you (?:please |kindly |perhaps )*(?:share|provide|paste|send|give|upload|include|clarify)(?: me| us)?(?: with)? (?:the|your|more|a|any|what|which)[^.?]{0,60}(?:${MATERIAL}|details|context|information|summari[sz]e)`,
    `(?:please|kindly) (?:go ahead and )?(?:share|provide|paste|send|upload|give|include)(?: me)?(?: with)? (?:the|your)[^.?]{0,40}${MATERIAL}`,
    `(?:it |there )?(?:looks|seems|appears)(?: like| that| as if| as though)?(?: that)? (?:you (?:haven't|have not|didn't|did not|forgot)|there (?:is|was) no ${MATERIAL}|no ${MATERIAL}|(?:the|your) (?:${MATERIAL}|message) (?:is|was|got|wasn't|didn't))`,
    `i (?:do not|don't|did not|didn't|can't|cannot) (?:see|find|have|receive|have access to)(?: access to)? (?:any|a|the|your|our)(?: \\p{L}+){0,2} ${MATERIAL}`,
    `no ${MATERIAL} (?:was|were|is|has been|have been) (?:provided|shared|included|attached)|i(?:'ll| will)? need (?:the|your) ${MATERIAL}|i notice (?:that )?(?:you|there)`,
    `there (?:is|was|doesn't seem to be|does not seem to be|appears to be) no ${MATERIAL} (?:to summari|provided|in (?:your|the) (?:message|prompt)|here)`,
    `what (?:would you like|do you want|can i|should i)|how (?:can|may) i (?:help|assist)|which (?:${MATERIAL}) (?:would|do|should)`,
    `(?:i'm|i am|i'd be|i would be) (?:ready|happy|glad|here) to (?:help|assist|summari)`,
    `would you like me to|do you want me to|(?:let me know|tell me) (?:what|which|how|if) (?:you|i)`,
  ),
]
