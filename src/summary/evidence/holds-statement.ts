/** Words that say nothing by themselves, of the languages that need them most. */
const EMPTY = new Set(
  'the and for that this with from into your you are was were will not but have has had all any its let use als der die das und den dem ein eine les des une est que los las por para con'.split(
    ' ',
  ),
)

/** A statement counts as said where one line, or two neighbours, hold this share of its words. */
const MIN_SHARE = 0.6

/** Tells whether a text says a statement, in the same words or in others that share most of them. */
export function holdsStatement(text: string, statement: string): boolean {
  const wanted = [...wordsOf(statement)]
  if (wanted.length === 0) return true
  const lines = text.split('\n').map(wordsOf)
  return lines.some((words, index) => {
    const next = lines[index + 1]
    const found = wanted.filter((word) => words.has(word) || next?.has(word) === true)
    return found.length >= wanted.length * MIN_SHARE
  })
}

/** Words of three letters and more; of scripts without spaces each pair of neighbours. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)) {
    if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word)) {
      if (word.length >= 3 && !EMPTY.has(word)) words.add(word)
    } else for (let index = 0; index + 1 < word.length; index++) words.add(word.slice(index, index + 2))
  }
  return words
}
