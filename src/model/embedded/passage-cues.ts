import { CLAIM } from '../../extract/done-claims.ts'
import { ANNOUNCING, REASON } from '../../extract/words.ts'

/** Returns a pattern of words, in languages whose words have spaces around them, and of parts of words in others. */
const wordsOf = (latin: string, others: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}])(?:${latin})(?![\p{L}])|${others}`, 'iu')

/** Words by which an agent says how things are, after it has looked: `the folder is gitignored`, `nothing calls it any more`. */
const FINDING =
  /\b(?:(?:is|are|was|were|isn['’]t|aren['’]t|(?:it|that|this|there|which)['’]s)(?: (?:also|already|only|never|not|no longer|still|all|both)){0,2} (?:\w{1,12}ly )?(?:git)?(?:ignored|unused|referenced|used|called|exported|imported|tracked|defined|deprecated|generated|required|supported|needed|identical|duplicated|hard-?coded|cached|shared)|there (?:is|are) (?:no|already|only)|(?:already|never|no longer|nothing|nobody) (?:exists?|has|have|handles?|calls?|uses?|imports?|references?)|(?:does not|doesn['’]t|do not|don['’]t) (?:exist|support|handle|match|use|accept)|comes? from|lives? in)\b/i

export const isFinding = (text: string): boolean => FINDING.test(text)

/** Cues that a passage has facts, and their weights. */
const CUES: readonly (readonly [pattern: RegExp, weight: number])[] = [
  [FINDING, 2],
  // What the agent found out, decided, or changed, and why
  [
    wordsOf(
      'because|root cause|the (?:problem|issue|cause|reason|bug|fix)|instead|so that|decided|turns out|caused by|weil|ursache|grund|' +
        'das problem|der fehler|statt|stattdessen|damit|deshalb|daher|entschieden|liegt (?:an|daran)|parce que|la cause|afin|au lieu|' +
        'porque|la causa|en lugar|em vez|invece|perché',
      'потому|причин|вместо|因为|原因|改为|所以|ため|原因|代わり|때문|대신',
    ),
    2,
  ],
  // The state of the work
  [
    wordsOf(
      'still|remaining|not yet|left to do|pending|todo|missing|unused|pre-existing|next|open|blocked|skipped|noch|offen\\w*|fehlt|' +
        'fehlen|bleibt|übersprungen|ausgelassen|encore|manque|reste|todavía|falta|pendiente|ainda|manca|ancora',
      'ещё|осталось|还|未|仍|まだ|残|아직|남은',
    ),
    1.5,
  ],
  [CLAIM, 1],
  [
    wordsOf(
      'pass(?:es|ed)?|fail(?:s|ed|ures?)?|errors?|warnings?|tests?|bestanden|grün|rot|fehlgeschlagen|schl(?:ägt|agen) fehl|warnung\\w*|' +
        'passent|échou\\w+|erreurs?|pasan|fallan|errores|falham|erros?|errori',
      'тест|ошибк|测试|失败|通过|错误|テスト|失敗|成功|エラー|테스트|실패|통과|오류',
    ),
    1,
  ],
  [/`[^`\n]{2,80}`/, 1],
  [/\d/, 0.5],
  [/\w\/[\w.-]|\.[a-z]{1,4}\b/, 0.5],
]

/** The cues of facts: a short passage without one of them only accompanies the work. */
const FACTS = CUES.slice(0, 5)
const MIN_WITHOUT_FACT_CHARACTERS = 70
const NO_FACT_PENALTY = 3

/** Returns how much a passage says by its words. What only announces or praises is worth less. */
export function scoreCues(text: string): number {
  const isEmpty = text.length < MIN_WITHOUT_FACT_CHARACTERS && !FACTS.some(([pattern]) => pattern.test(text))
  const cues = CUES.reduce((sum, [pattern, weight]) => sum + (pattern.test(text) ? weight : 0), 0)
  const chatter = ANNOUNCING.test(text) && !REASON.test(text) ? 3 : 0
  return cues - chatter - (isEmpty ? NO_FACT_PENALTY : 0) + Math.min(1, text.length / 300)
}
