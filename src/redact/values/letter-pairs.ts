/**
 * The 190 most frequent pairs of letters in the words of npm's packages and of Python's library, each first letter with those
 * that follow it. They are 90 % of all pairs in words, and 28 % of those in random letters.
 */
const FREQUENT_PAIRS =
  'abcdgilmnprstuy baelou caehiklortu daeios eacdefglmnpqrstvx faefiou geir haeior iacdefglmnoprstvz ke ' +
  'ladeilostuy maeiops nacdefgikostv obcdklmnoprstuvw paeiloprtu qu racegimnorstuy sacehiopstuy tacehiorstuy ' +
  'ucefilmnprst vaei wair xt ynp ze'

const frequent = new Set(
  FREQUENT_PAIRS.split(' ').flatMap((group) => Array.from(group.slice(1), (second) => group.charAt(0) + second)),
)

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
  const words = value
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]/)
  const pairs = words.flatMap((word) => Array.from(word.slice(1), (letter, at) => word.charAt(at) + letter))
  return pairs.length < LEAST_PAIRS ? undefined : pairs.filter((pair) => frequent.has(pair)).length / pairs.length
}
