import t from 'tap'
import { pairMessages } from '../../../src/extract/runs.ts'
import { readFocus } from '../../../src/model/embedded/focus.ts'
import { writeExtract } from '../../../src/model/embedded/write-extract.ts'
import { sourceOf, type Assignment } from '../../../src/prompt/build-tasks.ts'
import type { Message } from '../../../src/session/message.ts'
import { estimateTextTokens } from '../../../src/tokens/estimate-tokens.ts'
import { assistant, call, result, user } from '../../prompt/message-builders.ts'

const ended = (id: string, output: string): Message => ({ ...result(output, { exitCode: 0 }), toolCallId: id })

/** A turn about one module: a document is read, a file is written, a command is run, and the agent explains what it did. */
function turnAbout(name: string, at: number): Message[] {
  const [read, written, ran] = [`r${at}`, `w${at}`, `b${at}`]
  const requirements = Array.from({ length: 14 }, (_, line) => `- The ${name} must handle case ${line} at once.`)
  const content = `export function ${name}Of(${name}: string): string {\n  return ${name}\n}\n`.repeat(2)
  return [
    user(`Please build the ${name} module as the plan says.`),
    assistant(call('read', { path: `docs/${name}.md` }, read)),
    ended(read, `# The ${name}\n\n${requirements.join('\n')}\n`),
    assistant(
      `The ${name} is slow because each ${name} is read twice, so I decided to keep the first ${name} in a map.\n\nThe tests of the ${name} still fail for empty input, which is left to do after the review of round ${at}.`,
      call('write', { path: `src/${name}.ts`, content }, written),
    ),
    ended(written, 'ok'),
    assistant(call('bash', { command: `npm run build:${name}` }, ran)),
    ended(ran, `built ${at} files of the ${name}, 0 errors`),
    assistant(`The ${name} module is done, and its ${at + 3} tests pass.`),
  ]
}

// Words that have nothing in common.
const NAMES =
  'abacus bonfire cartwheel dolphin eclipse falafel gondola harvest iguana jukebox kestrel lantern mandolin nutmeg obelisk papaya quarry rhubarb sextant tangerine umbrella violin walnut xylophone yogurt zeppelin anchor bramble cobalt dynamo'.split(
    ' ',
  )

const SESSION = NAMES.flatMap(turnAbout)

const extract = (options: Pick<Assignment, 'focus'> = {}, maxTokens = 2500): string =>
  writeExtract({ kind: 'history', maxTokens, source: sourceOf(pairMessages(SESSION)), ...options })

const linesWith = (summary: string, word: string): string[] =>
  summary.split('\n').filter((line) => line.toLowerCase().includes(word))

t.test('what has words of the focus comes first among passages, documents, files and commands', async (t) => {
  t.same(linesWith(extract(), 'cartwheel'), [], 'an old turn has no room')
  const focused = extract({ focus: 'Keep all about the "cartwheels", please.' })
  t.same(
    linesWith(focused, 'cartwheel').map((line) => line.slice(0, 60)),
    [
      '- [x] Please build the cartwheel module as the plan says. =>',
      '- File `src/cartwheel.ts`, as written:',
      '  - export function cartwheelOf(cartwheel: string): string',
      '  - content: return cartwheel | return cartwheel',
      '- The cartwheel is slow because each cartwheel is read twice',
      '- `npm run build:cartwheel`: ok, printed: built 2 files of t',
      '- The agent read `docs/cartwheel.md`:',
      '  - The cartwheel: The cartwheel must handle case 0 at once.',
      '  - The cartwheel: The cartwheel must handle case 11 at once',
    ],
  )
})

/** Letters without a meaning: the estimate of many of them differs from the sum of those of their lines. */
const letters = (at: number): string =>
  Array.from({ length: 6 }, (_, letter) => String.fromCharCode(97 + ((at * (7 + letter * 3) + letter * 5) % 26))).join(
    '',
  )

t.test('an extract keeps its sections and the demands where the estimate of its tokens differs', async (t) => {
  const demand = 'Never print the names of patients.'
  const turns = Array.from({ length: 40 }, (_, at) => {
    const words = Array.from({ length: 40 }, (_word, index) => letters(at * 41 + index * 3))
    const hashes = Array.from({ length: 30 }, (_hash, index) => (at * 7919 + index * 314_187).toString(36))
    const plain = 'a long plain sentence about what was done and why it was done '.repeat(3)
    return [
      user(`Please 看看这个模块的设计文档并且改正 ${at % 3 === 0 ? words.join(' ') : `the module of round ${at}`}.`),
      assistant(`Done ${at}: ${at % 2 === 1 ? plain : hashes.join('/')}.`),
    ]
  }).flat()
  const source = sourceOf(pairMessages([user(demand), assistant('Understood.'), ...turns]))
  for (const maxTokens of [1120, 1160, 1320, 1340, 1360]) {
    const text = writeExtract({ kind: 'history', maxTokens, source })
    t.match(text, `## Constraints & Preferences\n- ${demand}\n`, `${maxTokens} tokens`)
    t.ok(estimateTextTokens(text) <= maxTokens, `${maxTokens} tokens`)
  }
})

t.test(
  'lines with a word of the focus that only a few messages have are brought in, wherever they stand',
  async (t) => {
    const log = Array.from({ length: 300 }, (_, line) => `served ${line} requests of the day`)
    log[150] = 'the wombat gateway listens on 10.0.0.7:4711'
    const early = [
      user('Look at the gateway.'),
      assistant('I look.\nIts wombat cache is off.', call('bash', { command: 'cat gateway.log' }, 'g')),
      ended('g', log.join('\n')),
      assistant('It runs.'),
    ]
    const paired = pairMessages([...early, ...SESSION])
    const [plain = '', focused = ''] = [undefined, 'the wombat'].map((focus) =>
      writeExtract({ kind: 'history', maxTokens: 2500, source: sourceOf(paired), ...(focus && { focus }) }),
    )
    t.same(linesWith(plain, 'wombat'), [])
    t.same(linesWith(focused, 'wombat'), [
      '  - I look. Its wombat cache is off.',
      '- Output: the wombat gateway listens on 10.0.0.7:4711',
    ])
    t.ok(estimateTextTokens(focused) <= 2500)
  },
)

t.test('with a focus, a summary is as long as without', async (t) => {
  const [plain, focused] = [extract(), extract({ focus: 'cartwheel' })]
  t.ok(Math.abs(plain.length - focused.length) < plain.length / 10, `${plain.length} and ${focused.length}`)
})

t.test('a rare word of the focus weighs more than a frequent one', async (t) => {
  t.ok(linesWith(extract({ focus: 'the modules and the gondola' }), 'gondola').length > 3)
})

t.test('a focus without a word of its own changes nothing', async (t) => {
  for (const focus of ['', '  ', 'Please keep all important details.', '!?'])
    t.equal(extract({ focus }), extract(), focus)
})

t.test('a focus in a language without spaces is found inside of longer words', async (t) => {
  const focus = readFocus('词法分析器')
  t.ok((focus?.matchesOf('先修复词法分析器的错误').at(0) ?? 0) > 0)
  t.same(focus?.matchesOf('parser'), [0, 0, 0, 0, 0])
})

t.test('what was done last stays that: a focus brings no older steps into it', async (t) => {
  const [, course = ''] = extract({ focus: 'quarry' }).split('- The newest commands')
  const steps = course.split(/\n(?! {2}- )/, 1)[0]
  t.match(steps, 'build:dynamo')
  t.notMatch(steps, 'quarry')
})
