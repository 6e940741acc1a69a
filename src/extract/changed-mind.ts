/** First words by which a user changes their mind. Whether they are about what was postponed, the reader sees. */
const CHANGED =
  /^(?:(?:h+m+|oh|ah|ach|well|but|aber|na|ok(?:ay)?|sorry)[\s,.…]{1,4}){0,3}(?:(?:no|nope|nah|wait|nein|halt|stop|moment|non|attends|espera)(?=\s{0,2}(?:[,.;:!…–—-]|$))|(?:doch|actually|on second thoughts?|scratch that|never ?mind|finalement|en fait|mejor)(?![\p{L}]))/iu

/** Whether a sentence begins with such words. */
export const changesMind = (sentence: string): boolean => CHANGED.test(sentence)

/** So many sentences from there are quoted. */
const MAX_BACK_SENTENCES = 4

/** Returns the words of sentences from where their user changes their mind; undefined without that. */
export function wordsOfChange(sentences: readonly string[]): string | undefined {
  const at = sentences.findIndex(changesMind)
  return at < 0 ? undefined : sentences.slice(at, at + MAX_BACK_SENTENCES).join(' ')
}
