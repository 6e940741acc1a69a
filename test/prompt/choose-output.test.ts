import fc from 'fast-check'
import t from 'tap'
import { chooseOutput, elideBlobs } from '../../src/prompt/choose-output.ts'

const choose = (output: string, hasFailed: boolean, alreadyShown = new Set<string>()): string =>
  chooseOutput(output, { hasFailed, alreadyShown })

const filler = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index} of the build says that all is well so far`)

t.test('a long output keeps its head, its tail and the lines that tell of errors, in order', async (t) => {
  const lines = [...filler(0, 100), 'src/a.ts(3,1): error TS2554: Expected 1 arguments', ...filler(100, 200)]
  const shown = choose(lines.join('\n'), true)
  t.ok(shown.length <= 2000)
  t.match(
    shown,
    /^line 0 of[^]*\n\[\.\.\. \d+ characters left out \.\.\.\]\nsrc\/a\.ts\(3,1\): error TS2554: Expected 1 arguments\n\[\.\.\. \d+ characters left out \.\.\.\]\n[^]*line 199 of[^\n]*$/,
  )
})

/** Lines that must not be lost. */
const TELLING = [
  'AssertionError: expected 3 to equal 4',
  'thread main panicked at src/main.rs:4',
  'FAIL src/a.test.ts',
  'not ok 4 - parses the file',
  '✖ parses the file',
  'Traceback (most recent call last):',
  'java.lang.NullPointerException: null',
  'process exited with code 137',
  'bash: foo: command not found',
]

for (const line of TELLING)
  t.test(line, async (t) => {
    t.match(choose([...filler(0, 100), line, ...filler(100, 200)].join('\n'), true), line)
  })

t.test('error lines that are told elsewhere yield to those that stand here alone', async (t) => {
  const errors = (name: string): string[] =>
    Array.from(
      { length: 20 },
      (_, index) => `src/${name}.ts(${index},7): error TS2322: Type 'string' is not assignable`,
    )
  const output = [...filler(0, 20), ...errors('first'), ...errors('second'), ...filler(20, 40)].join('\n')
  const alreadyShown = new Set<string>()
  const count = (shown: string, name: string): number => shown.split(`src/${name}.ts`).length - 1
  const newest = choose(output, true, alreadyShown)
  t.same([count(newest, 'first'), count(newest, 'second')], [2, 20])
  t.same([...alreadyShown].sort(), [...errors('second'), ...errors('first').slice(18)].sort())
  const older = choose(output, true, alreadyShown)
  t.same([count(older, 'first'), count(older, 'second')], [18, 4])
})

t.test('what succeeded is shown more briefly, and what is short as it is', async (t) => {
  t.ok(choose(filler(0, 200).join('\n'), false).length <= 800)
  t.equal(choose('ok', false), 'ok')
})

t.test('Base64 and minified lines become notes of their size; prose, logs and repeated letters do not', async (t) => {
  const base64 = Buffer.from(filler(0, 30).join()).toString('base64')
  t.equal(elideBlobs(`a\n${base64}\nb`), `a\n[base64, ${base64.length} characters]\nb`)
  t.equal(
    elideBlobs(`src="data:image/png;base64,${base64}"`),
    `src="data:image/png;base64,[base64, ${base64.length} characters]"`,
  )
  const minified = 'function(a,b){return{c:a[0],d:b[1]};};'.repeat(30)
  t.equal(elideBlobs(minified), `[minified line, ${minified.length} characters]`)
  for (const text of [filler(0, 30).join(' '), '价格不能为空，请检查每一行。'.repeat(100), 'x'.repeat(2000), 'short'])
    t.equal(elideBlobs(text), text)
})

t.test('no output is shown longer than its limit, and no pair is cut', async () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.constant('Error: no'),
    fc.constant('😀'.repeat(300)),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 80 }), fc.boolean(), (lines, hasFailed) => {
      const output = lines.join('\n')
      const shown = choose(output, hasFailed)
      return shown.length <= (hasFailed ? 2000 : 800) && !/\p{Surrogate}/u.test(shown)
    }),
    { seed: 20261121, numRuns: 300 },
  )
})

t.test('of a very long output both ends are looked at, and what is between them is counted as left out', async (t) => {
  const long = filler(0, 20_000)
  const output = [
    ...long.slice(0, 10_000),
    'Error: in the middle of it',
    ...long.slice(10_000),
    'Error: at its end',
  ].join('\n')
  const shown = choose(output, true)
  t.ok(shown.length <= 2000)
  t.match(shown, /^line 0 of[^]*Error: at its end$/)
  t.notMatch(shown, 'in the middle')
  const gaps = Array.from(shown.matchAll(/\[\.\.\. (\d+) characters left out/g), ([, digits]) => Number(digits))
  const left = gaps.reduce((sum, count) => sum + count, 0)
  const notes = gaps.reduce((sum, count) => sum + `[... ${count} characters left out ...]\n`.length, 0)
  t.equal(left + shown.length - notes, output.length)
})
