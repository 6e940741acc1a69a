import t from 'tap'
import { findMatches } from '../../src/recall/find-matches.ts'
import { parseQuery } from '../../src/recall/query.ts'

/** Which words of a query a text has; undefined if the text is no match. */
const found = (query: string, text: string): string[] | undefined => {
  const parsed = parseQuery(query)
  const matches = findMatches(text, parsed)
  return matches && [...matches.terms.keys()].flatMap((index) => parsed.terms[index]?.text ?? [])
}

const CASES: [query: string, text: string, words: string[] | undefined, why: string][] = [
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
  ['migrations', 'migrated', undefined, 'no other word'],
  ['migrations', 'the migration', ['migrations'], 'a plural finds the singular'],
  ['x', 'x = 1', ['x'], 'one letter is a whole word'],
  ['x', 'xylophone', undefined, 'one letter begins too many words'],
  ['"exit code"', 'the exit\n  code', [], 'line ends do not count in a phrase'],
  ['"exit code" 7', 'exit 7', undefined, 'a phrase must be there'],
  ['why? (really)', 'Why really', ['why', 'really'], 'marks of the question do not count'],
  ['数据库', '连接数据库失败', ['数据库', '数据', '据库'], 'a script without spaces'],
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
