import t from 'tap'
import { checkGrounding, findClaims } from '../../../src/summary/checks/grounding.ts'
import { markUnverified } from '../../../src/summary/checks/repair-by-code.ts'

/** The claims of each line. */
const CLAIMS: [line: string, claims: string[]][] = [
  ['Edit `src/a/b.ts:42` and ./lib/c.py, then package.json.', ['src/a/b.ts', './lib/c.py', 'package.json']],
  ['See https://example.com/x/y.html, please.', ['https://example.com/x/y.html']],
  ['Commit 3f2a1bc and deadbeef, not 1234567.', ['3f2a1bc']],
  ['It listens on localhost:3000 and on port 8080.', ['3000', '8080']],
  ['Version 1.2.3 and v2.0, in 2026.', ['1.2.3', 'v2.0']],
  ['It says `TypeError: x is undefined` here.', ['TypeError: x is undefined']],
  ['and/or, I/O, read/write, Node.js, 24/7, e.g. src/**/*.ts', []],
  ['<read-files>\nsrc/x.ts\n</read-files>\n## Evidence\n- failed: `npm test` (error): Error: y in z.ts\n', []],
]

for (const [line, claims] of CLAIMS)
  t.test(line.slice(0, 60).replaceAll('\n', ' '), async (t) => {
    t.same(
      findClaims(line)
        .map(({ text }) => text)
        .sort(),
      [...claims].sort(),
    )
  })

t.test('claims in the input are known, regardless of case, ./ and slashes; others are reported', async (t) => {
  const sources = [
    'cat /repo/SRC/A.ts',
    'C:\\work\\lib\\b.py',
    'listening on :3000',
    'Error:  cannot   find\nmodule x at y',
  ]
  const summary =
    'In src/a.ts, ./lib/b.py and made/up.ts; localhost:3000, localhost:300; "Error: cannot find module x ..."'
  t.strictSame(checkGrounding(summary, sources), { checked: 6, unknown: ['made/up.ts', '300'] })
})

t.test('unknown facts are marked once each time, after their quotes, except in text written by code', async (t) => {
  const summary =
    'In `made/up.ts` and made/up.ts: see made/up.tsx.\n```\nmade/up.ts\n```\n<read-files>\nmade/up.ts\n</read-files>'
  const marked =
    'In `made/up.ts` (unverified) and made/up.ts (unverified): see made/up.tsx.\n```\nmade/up.ts\n```\n<read-files>\nmade/up.ts\n</read-files>'
  t.equal(markUnverified(summary, ['made/up.ts']), marked)
  t.equal(markUnverified(marked, ['made/up.ts']), marked)
  t.equal(markUnverified(summary, []), summary)
})

t.test('a hostile summary takes linear time', async (t) => {
  for (const part of ['a/', '`', '1.', 'f0', 'x.ts ', '"', '<read-files>', '## Evidence\n'])
    t.ok(checkGrounding(part.repeat(200_000), ['x']).checked >= 0, part)
})
