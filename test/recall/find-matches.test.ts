import t from 'tap'
import { findMatches } from '../../src/recall/find-matches.ts'
import { parseQuery } from '../../src/recall/query.ts'

/** Which words of a query a text has; undefined if the text is no match. */
const found = (query: string, text: string): string[] | undefined => {
  const parsed = parseQuery(query)
  const matches = findMatches(text, parsed)
  return matches && [...matches.terms.keys()].flatMap((index) => parsed.terms[index]?.text ?? [])
}

/** The pairs of characters in a word without spaces. */
const pairsOf = (word: string): string[] => [
  ...new Set(Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))),
]

const CASES: [query: string, text: string, words: string[] | undefined, why: string][] = [
  ['GRÖSSE', 'die Größe', ['GRÖSSE'], 'capitals have no ß'],
  ['Größe', 'DIE GRÖSSE', ['Größe'], 'capitals have no ß'],
  ['config', 'Read the Config first', ['config'], 'case does not count'],
  ['config', 'const parseConfig = 1', ['config'], 'a part of a name'],
  ['config', 'parse_config2', ['config'], 'a digit ends a word'],
  ['config', 'configuration', ['config'], 'the beginning of a longer word'],
  ['config', 'reconfigure', undefined, 'not the middle of a word'],
  ['parseConfig', 'parse_config', ['parseConfig', 'parse', 'config'], 'another spelling of a name'],
  ['parse_config', 'ParseConfig()', ['parse_config', 'parse', 'config'], 'another spelling of a name'],
  ['parseConfig', 'the config', ['config'], 'a part of a name ranks a passage'],
  ['src/config.ts', '/home/me/app/src/config.ts:3', ['src/config.ts', 'src', 'config'], 'the end of a path'],
  ['HTTPServer', 'http-server', ['HTTPServer', 'http', 'server'], 'capitals in a row'],
  ['error', 'throw new IOError()', ['error'], 'a name behind capitals'],
  ['parser', 'JSONParser', ['parser'], 'a name behind capitals'],
  ['http', 'XMLHttpRequest', ['http'], 'a name behind capitals'],
  ['ошибка', 'ЖСОшибка', ['ошибка'], 'a name behind capitals beyond ASCII'],
  ['xml', 'XMLHttpRequest', ['xml'], 'capitals before a name'],
  ['son', 'JSONParser', undefined, 'not the middle of capitals'],
  ['migrations', 'migrated', undefined, 'no other word'],
  ['migrations', 'the migration', ['migrations'], 'a plural finds the singular'],
  ['x', 'x = 1', ['x'], 'one letter is a whole word'],
  ['x', 'xylophone', undefined, 'one letter begins too many words'],
  ['"exit code"', 'the exit\n  code', [], 'line ends do not count in a phrase'],
  ['"exit code" 7', 'exit 7', ['7'], 'a phrase that is not there hides no word'],
  ['"don\'t touch"', 'Please don’t touch it', [], 'an apostrophe of a keyboard and a typographic one'],
  ['"don’t touch"', "Please don't touch it", [], 'a typographic apostrophe and one of a keyboard'],
  ["don't", 'We don’t', ["don't", 'don'], 'an apostrophe in a word'],
  ['“the "fast path" of it”', 'the “fast path” of it', [], 'quotation marks in a phrase'],
  ['„the fast path“', 'by the fast path', [], 'German quotation marks around a phrase'],
  ['«the fast path»', 'by the fast path', [], 'French quotation marks around a phrase'],
  ['"well‐known"', 'well\u2011known, well-known', [], 'hyphens'],
  ['why? (really)', 'Why really', ['why', 'really'], 'marks of the question do not count'],
  ['数据库', '连接数据库失败', ['数据库', '数据', '据库'], 'a script without spaces'],
  ['ຖານຂໍ້ມູນ', 'ເຊື່ອມຕໍ່ຖານຂໍ້ມູນບໍ່ໄດ້', ['ຖານຂໍ້ມູນ', ...pairsOf('ຖານຂໍ້ມູນ'.normalize('NFKC'))], 'Lao'],
  ['ទិន្នន័យ', 'មូលដ្ឋានទិន្នន័យបរាជ័យ', ['ទិន្នន័យ', ...pairsOf('ទិន្នន័យ')], 'Khmer'],
  ['값', '값을 바꿔', ['값'], 'a syllable with its particle'],
  ['값', '기본값', undefined, 'not the end of a word'],
  ['config', 'config를 수정', ['config'], 'a name with a particle'],
  ['파일', 'config파일', ['파일'], 'a word behind a name'],
  ['값', '값'.normalize('NFD'), ['값'], 'a syllable in parts'],
  ['café', 'the cafe\u0301', ['café'], 'a letter and its accent'],
  ['cafe\u0301', 'the café', ['café'], 'a letter with its accent'],
  ['42', 'port ４２', ['42'], 'wide digits'],
  ['ｃｏｎｆｉｇ', 'config', ['config'], 'wide letters'],
  ['"le café"', 'le  cafe\u0301', [], 'a phrase with an accent'],
  ['ガ', 'ｶﾞｽ', ['ガ'], 'half-width Katakana'],
  ['größe', 'GRÖSSE, Größe', ['größe'], 'letters beyond ASCII'],
  ['İ', 'İstanbul', undefined, 'a letter whose lower case is longer stays as it is'],
]

for (const [query, text, words, why] of CASES)
  t.test(`${JSON.stringify(query)} in ${JSON.stringify(text)}: ${why}`, async (t) =>
    t.strictSame(found(query, text), words),
  )

t.test('a match is at its place in the text, also after letters whose lower case is longer', async (t) => {
  const matches = findMatches('İİİ needle', parseQuery('needle'))
  t.strictSame([...(matches?.terms.values() ?? [])], [{ at: [4], quality: 1 }])
})

t.test('a match behind letters with accents of their own is at its place in the text', async (t) => {
  const text = `${'e\u0301'.repeat(20)}… ﷺ ｶﾞ needle "exact needle"`
  const { terms, phrases } = findMatches(text, parseQuery('needle "exact needle"')) ?? {}
  t.strictSame(terms?.get(0)?.at, [text.indexOf('needle'), text.lastIndexOf('needle')])
  t.strictSame(phrases?.get(0), text.indexOf('exact needle'))
})

t.test('a phrase over a line end is at its place in the text', async (t) => {
  const { phrases } = findMatches('the\n  first line  \n  the exit\n    code', parseQuery('"exit code"')) ?? {}
  t.strictSame([...(phrases?.values() ?? [])], [25])
})

t.test('a text with more marks in a row than any writing has is searched as it is', async (t) => {
  const text = `４２ needle ${'\u0301\u0323'.repeat(20_000)}`
  t.strictSame(findMatches(text, parseQuery('needle'))?.terms.get(0)?.at, [3])
  t.equal(findMatches(text, parseQuery('42')), undefined)
})
