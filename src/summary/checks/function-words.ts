/** The share of a text's words: prose has 10 % to 40 %, and lists of changes still have 5 %. */
const MIN_SHARE = 0.04

/** How many times more words than the second language the first one must have. */
const MIN_LEAD = 1.5

/**
 * Returns the language whose function words a text has most of, among languages with a Latin script. Names, commands and
 * messages of programs have few function words, so that they do not decide.
 * @returns an ISO 639-1 code; undefined where the text has too few of these words, or nearly as many of another language
 */
export function languageByFunctionWords(prose: string): string | undefined {
  const { counts, words } = countFunctionWords(prose)
  const [first, second] = [...counts].sort((a, b) => b[1] - a[1])
  if (first === undefined || first[1] < words * MIN_SHARE) return undefined
  return first[1] >= (second?.[1] ?? 0) * MIN_LEAD ? first[0] : undefined
}

/**
 * Whether a line, however short, is rather in another language than a text: it has more function words of that language,
 * or a few letters of another script than Latin.
 * @param language of the text, as an ISO 639-1 code
 */
export function isInAnotherLanguage(line: string, language: string): boolean {
  const { counts } = countFunctionWords(line)
  const own = counts.get(language) ?? 0
  const isLatin = language in FUNCTION_WORDS
  return (isLatin && NOT_LATIN.test(line)) || [...counts.values()].some((count) => count > own)
}

/** Three letters of another script: one alone may be a unit or a name in a formula. */
const NOT_LATIN = /(?:(?!\p{sc=Latin})\p{L}[^\p{L}]?){3}/u

function countFunctionWords(text: string): { counts: Map<string, number>; words: number } {
  const counts = new Map<string, number>()
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  for (const word of words)
    for (const language of LANGUAGES_OF.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1)
  return { counts, words: words.length }
}

/** Frequent words of each language, without those that are as frequent in another one of these languages. */
const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en: 'the and of to that with for this which it is be from not are were has have when but you should only does all',
  de: 'der die das und ist nicht ein eine den dem mit auf für von zu wird werden auch aber dass noch bitte wie ich im bei',
  fr: 'le les des une est et dans pour pas que qui sur avec du au sont mais aussi cette plus par n qu',
  es: 'el los las del y que pero está como sin más muy ya también hay esta una con por para cada aún cuando',
  pt: 'não uma os em da dos das ao com é mais foi são também um pelo que para por cada quando ainda já',
  it: 'il che non è gli della delle dei nel nella alla sono anche più questo una con ogni ancora come ha le per',
  nl: 'het een van niet zijn voor met dat maar ook wordt deze bij nog naar worden omdat heeft er ik als zonder aan',
  pl: 'nie się jest że w dla przez oraz tylko już gdy który które jak przy ale bez z aby ponieważ każdego kiedy po',
  sv: 'och att är som på för inte av till jag har ett också från när den med eftersom',
  tr: 've bir bu için ile olarak değil daha gibi ama her çok sonra artık çünkü olduğunda ne',
  cs: 'že v pro jsem ale nebo také když při který které už není bylo aby byl z po do protože se jako',
  hu: 'az és hogy nem egy meg csak volt vagy már ezt mert amikor minden',
  ro: 'și în că pe pentru este sau din nu care să cu mai când fără',
  vi: 'và của là không có được cho các trong một này với đã khi để',
  id: 'yang dan di untuk dengan ini itu tidak dari pada akan sudah karena jika',
}

const LANGUAGES_OF = new Map<string, string[]>()
for (const [language, words] of Object.entries(FUNCTION_WORDS))
  for (const word of words.split(' ')) LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language])
