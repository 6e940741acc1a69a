/**
 * The 190 most frequent pairs of letters in the words of npm's packages and of Python's library, each first letter with those
 * that follow it. They are 90 % of all pairs in words, and 28 % of those in random letters.
 */
const FREQUENT_PAIRS =
  'abcdgilmnprstuy baelou caehiklortu daeios eacdefglmnpqrstvx faefiou geir haeior iacdefglmnoprstvz ke ' +
  'ladeilostuy maeiops nacdefgikostv obcdklmnoprstuvw paeiloprtu qu racegimnorstuy sacehiopstuy tacehiorstuy ' +
  'ucefilmnprst vaei wair xt ynp ze'

/** Returns the number of a pair of letters, in any case. */
const pairOf = (first: number, second: number): number => ((first & 31) << 5) | (second & 31)

/** 1 for each frequent pair: long texts are judged by it. */
const frequent = new Uint8Array(1024)
for (const group of FREQUENT_PAIRS.split(' '))
  for (let at = 1; at < group.length; at++) frequent[pairOf(group.charCodeAt(0), group.charCodeAt(at))] = 1

/** Of long words, one in 200 has a smaller share of frequent pairs; of random letters, 97 of 100 have. */
const SHARE_OF_WORDS = 0.55

/** Of random letters, one in 200 has a larger share. */
const CERTAIN_SHARE_OF_WORDS = 0.65

/** Fewer pairs say nothing. */
const LEAST_PAIRS = 8

/** Returns whether the letters of a value follow each other as in few words. */
export const isMeaningless = (value: string): boolean => (shareOfFrequentPairs(value) ?? 1) < SHARE_OF_WORDS

/** Returns whether they follow each other as in words, and as in few random letters. */
export const isOfWords = (value: string): boolean => (shareOfFrequentPairs(value) ?? 0) >= CERTAIN_SHARE_OF_WORDS

/** Returns the share of pairs that are frequent; undefined for too few pairs. Capitals and other signs begin new words. */
function shareOfFrequentPairs(value: string): number | undefined {
  let [pairs, count] = [0, 0]
  for (let at = 1; at < value.length; at++) {
    const [first, second] = [value.charCodeAt(at - 1), value.charCodeAt(at)]
    if (!isLetter(first) || !isLetter(second) || (isLower(first) && !isLower(second))) continue
    pairs += 1
    count += frequent[pairOf(first, second)] ?? 0
  }
  return pairs < LEAST_PAIRS ? undefined : count / pairs
}

const isLower = (code: number): boolean => code >= 97 && code <= 122
const isLetter = (code: number): boolean => isLower(code) || (code >= 65 && code <= 90)
