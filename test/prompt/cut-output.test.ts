import fc from 'fast-check'
import t from 'tap'
import { elideBlobs, outputCutter } from '../../src/prompt/cut-output.ts'

const cutOutput = (output: string, maxCharacters: number): string => outputCutter(output)(maxCharacters)

const filler = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index} of the build says that all is well so far`)

t.test('a long output keeps its head, its tail and its error lines, in order', async (t) => {
  const lines = [...filler(0, 100), 'src/a.ts(3,1): error TS2554: Expected 1 arguments', ...filler(100, 200)]
  const shown = cutOutput(lines.join('\n'), 2000)
  t.ok(shown.length <= 2000)
  t.match(
    shown,
    /^line 0 of[^]*\n\[\.\.\. \d+ characters left out \.\.\.\]\nsrc\/a\.ts\(3,1\): error TS2554: Expected 1 arguments\n\[\.\.\. \d+ characters left out \.\.\.\]\n[^]*line 199 of[^\n]*$/,
  )
})

t.test('lines that are no longer than the note for them stay', async (t) => {
  const lines = [...filler(0, 100), 'Error: one', 'ok', 'Error: two', ...filler(100, 200)]
  t.match(cutOutput(lines.join('\n'), 800), 'Error: one\nok\nError: two')
})

/** Lines that must not be lost. */
const ERROR_LINES = [
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

for (const line of ERROR_LINES)
  t.test(`an error line is kept: ${line}`, async (t) => {
    t.match(cutOutput([...filler(0, 100), line, ...filler(100, 200)].join('\n'), 800), line)
  })

t.test('what is short stays as it is, Base64 too', async (t) => {
  const base64 = Buffer.from(filler(0, 30).join()).toString('base64')
  for (const text of ['ok', base64]) t.equal(cutOutput(text, base64.length), text)
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

const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constant('Error: no'),
  fc.constant('😀'.repeat(300)),
  fc.constant('[... 40 characters left out ...]'),
)
const output = fc.array(line, { maxLength: 80 }).map((lines) => lines.join('\n'))

t.test('no output is shown longer than its limit, and no pair is cut', async () => {
  fc.assert(
    fc.property(output, fc.integer({ min: 100, max: 4000 }), (text, limit) => {
      const shown = cutOutput(text, limit)
      return shown.length <= limit && !/\p{Surrogate}/u.test(shown)
    }),
    { seed: 20261121, numRuns: 300 },
  )
})

t.test('a larger limit shows the same lines and more', async () => {
  const unique = fc
    .array(fc.tuple(fc.nat(60), fc.boolean()), { minLength: 8, maxLength: 120 })
    .map((lines) =>
      lines.map(([length, isError], index) => `${index}: ${isError ? 'Error: ' : ''}${'x'.repeat(length)}`),
    )
  fc.assert(
    fc.property(unique, fc.integer({ min: 100, max: 3000 }), fc.nat(2000), (lines, limit, more) => {
      const shown = (characters: number) => new Set(cutOutput(lines.join('\n'), characters).split('\n'))
      const [few, many] = [shown(limit), shown(limit + more)]
      return lines.every((one) => !few.has(one) || many.has(one))
    }),
    { seed: 20261121, numRuns: 300 },
  )
})

t.test('of a very long output both ends are searched, and what is between them is counted as left out', async (t) => {
  const long = filler(0, 20_000)
  const text = [...long.slice(0, 10_000), 'Error: in the middle of it', ...long.slice(10_000), 'Error: at its end']
  const shown = cutOutput(text.join('\n'), 2000)
  t.ok(shown.length <= 2000)
  t.match(shown, /^line 0 of[^]*Error: at its end$/)
  t.notMatch(shown, 'in the middle')
  const gaps = Array.from(shown.matchAll(/\[\.\.\. (\d+) characters left out/g), ([, digits]) => Number(digits))
  const left = gaps.reduce((sum, count) => sum + count, 0)
  const notes = gaps.reduce((sum, count) => sum + `[... ${count} characters left out ...]\n`.length, 0)
  t.equal(left + shown.length - notes, text.join('\n').length)
})
