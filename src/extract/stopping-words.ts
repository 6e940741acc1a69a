/** The words by which users stop work, agree that something is left out, or withdraw what they have asked for. */

const LEAVING =
  /^[^.!?]{0,60}?(?<![\p{L}])(?:leave (?:it|them|that|those|these|this)(?: (?:out|off|alone|as (?:it|they) (?:is|are)))?|(?:that|it|this)(?:['’]s| is) (?:fine|not needed)|no need|lass(?:t)? (?:es|sie|das) (?:weg|so|sein)|brauchen wir nicht|passt so)(?![\p{L}])/iu

/** Whether a user agrees that something is left out. */
export const isLeaving = (text: string): boolean => LEAVING.test(text.trimStart())

const WITHDRAWN = new RegExp(
  [
    String.raw`(?<![\p{L}]|(?:not|n['’]t|never) )(?:leave|drop|forget|skip|scrap|cancel|ignore) (?:it|that|this|them)(?: (?:then|please|for now|altogether))?(?=\s{0,3}(?:[.,;!]|$))`,
    String.raw`(?<![\p{L}])(?:never ?mind|no need any ?more|don['’]t bother|lass(?:t)? (?:es|das)(?: (?:sein|bleiben|weg))?(?=\s{0,3}(?:[.,;!]|$))|vergiss (?:es|das)|laisse(?:z)?(?: (?:ça|cela))? tomber|laisse-le|oublie(?:z)?(?: (?:ça|cela))|d[ée]jalo|olv[ií]dalo|deixa (?:isso|pra lá)|esquece|lascia (?:stare|perdere))(?![\p{L}])`,
    '算了|不用了|别弄了|やめて|もういい|됐어|그만둬|не надо|забудь (?:об этом|это)|оставь это',
  ].join('|'),
  'iu',
)

/** How much of a message says whether the work before it is withdrawn. */
const MAX_WITHDRAWING_CHARACTERS = 200

/** Whether a user does not want work any more that was interrupted. */
export const isWithdrawing = (text: string): boolean => WITHDRAWN.test(text.slice(0, MAX_WITHDRAWING_CHARACTERS))

const STOPPING =
  /^(?:(?:ok(?:ay)?|no|hey|please|wait|nein|warte|bitte|halt)[\s,.!]{1,3}){0,3}(?:stop|halt|pause|hör auf|schluss)(?: (?:here|now|there|working|for (?:now|today)|hier|jetzt|damit|für heute))?\s{0,3}(?:[.,!;]|$)/i

/** Whether a user stops the work that goes on. */
export const isStopping = (text: string): boolean => STOPPING.test(text.trimStart())
