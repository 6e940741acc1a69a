/** Words that say little about a step. `said-lines.ts` leaves out other ones: in a demand, `never` and `always` say nothing. */
const EMPTY_WORDS = new Set(
  'a an the to of in on at and or for with from by as is are be it its this that these those into so now then also all any our your my we i you please der die das und ein eine den dem des zu im in mit für von le la les de du des et un une el los las y del en con para por il lo gli e di che per o os as da do'.split(
    ' ',
  ),
)

const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_./:@#-]*/gu
const MAX_CHARACTERS = 2000

/** Returns a text for comparisons: list marks, boxes, ids, emphasis, quotes, case and white space do not count. */
export const plainWords = (text: string): string =>
  text
    .slice(0, MAX_CHARACTERS)
    .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '')
    .replace(/^\[[^\]]{0,20}\]\s*/, '')
    .replace(/^#\w{1,40}\s+/, '')
    .replace(/[*_`"'“”„«»]/g, '')
    .replace(/(?<![.!。;:,])[.!。;:,]+(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Returns the stems of the words that say what a text is about. */
export function stemsOf(text: string): Set<string> {
  const stems = new Set<string>()
  for (const [word] of text.slice(0, MAX_CHARACTERS).toLowerCase().matchAll(WORD)) {
    const bare = word.replace(/(?<![./:@#-])[./:@#-]+$/, '')
    if (bare !== '' && !EMPTY_WORDS.has(bare)) stems.add(stemOf(bare))
  }
  return stems
}

/** Takes off the endings by which English says that something is done: `renamed` and `rename`, `fixes` and `fix`. */
function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word
  const stem = word.replace(/(?:ing|ed|es|s|e)$/, '')
  return stem.length < 3 ? word : stem.replace(/([bdfglmnprt])\1$/, '$1').replace(/[iy]$/, 'i')
}

/** Whether all words of one text are in another one, and enough of them to name a thing. */
export function namesAll(stems: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (stems.size < 2) return false
  for (const stem of stems) if (!others.has(stem)) return false
  return true
}

/** Returns how many of the words of one text are in another one, as a share. */
export function sharedShare(stems: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0
  for (const stem of stems) if (others.has(stem)) shared += 1
  return stems.size === 0 ? 0 : shared / stems.size
}
