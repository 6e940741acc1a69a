import t from 'tap'
import { hasParent, removeFromYaml, setInYaml, valueInYaml } from '../../../src/cli/install/edit-yaml.ts'

const PATH = ['tools', 'xdev'] as const

/** Texts before and after the key is set to false; the key is removed again unless `isOneWay`. */
const CASES: [what: string, before: string, after: string, isOneWay?: true][] = [
  ['no file', '', 'tools:\n  xdev: false\n'],
  ['other keys', '# mine\na: 1 # one\n', '# mine\na: 1 # one\ntools:\n  xdev: false\n'],
  ['no line end', 'a: 1', 'a: 1\ntools:\n  xdev: false\n', true],
  ['Windows line ends', 'a: 1\r\n', 'a: 1\r\ntools:\r\n  xdev: false\r\n'],
  [
    'keys with comments',
    'tools:\n    # about x\n    x: 1 # y\nb: [2]\n',
    'tools:\n    # about x\n    xdev: false\n    x: 1 # y\nb: [2]\n',
  ],
  ['a key without a value', 'tools: # none yet\nb: 2\n', 'tools: # none yet\n  xdev: false\nb: 2\n'],
  ['another value', 'tools:\n  xdev: true # mine\n', 'tools:\n  xdev: false # mine\n', true],
  ['braces', 'tools: { x: 1 }\n', 'tools: {xdev: false,  x: 1 }\n', true],
  ['JSON', '{"a": 1}', '{"a": 1, "tools": {"xdev":false}}', true],
]

for (const [what, before, after, isOneWay] of CASES)
  t.test(`a key is set, and nothing else changes: ${what}`, async (t) => {
    t.equal(setInYaml(before, PATH, false), after)
    t.equal(valueInYaml(after, PATH), false)
    if (isOneWay !== true) t.equal(removeFromYaml(after, PATH), before)
    else t.equal(valueInYaml(removeFromYaml(after, PATH), PATH), undefined)
  })

t.test('a key without a value that was there before stays', async (t) => {
  for (const text of ['a: 1\ntools:\n', 'tools:\n\nb: 2\n', 'tools: # none yet\n']) {
    t.equal(hasParent(text, PATH), true)
    t.equal(removeFromYaml(setInYaml(text, PATH, false), PATH, true), text)
  }
  t.equal(hasParent('a: 1\n', PATH), false)
})

t.test('a text keeps its value in quotation marks', async (t) => {
  const url = 'http://127.0.0.1:8080/compaction'
  t.equal(setInYaml('', ['compaction', 'remoteEndpoint'], url), `compaction:\n  remoteEndpoint: "${url}"\n`)
})

t.test('a document of another kind is refused', async (t) => {
  for (const [text, message] of [
    ['\n- a\n', /^line 2: the document is no list of keys$/],
    ['a: 1\ntools: 5\n', /^line 2: "tools" has no keys below it$/],
    ['a: 1\ntools: ~\n', /^line 2: "tools" has no keys below it$/],
    ['tools:\n  xdev:\n    a: 1\n', /^line 3: "tools\.xdev" has keys or a list below it$/],
    ['a: 1\n---\nb: 2\n', /^line 2: a second document begins$/],
    ['a: 1\n...\n', /^line 2: the document ends, and nothing can be added behind it$/],
    ['# mine\n{a: 1}\n', /^line 2: the document is in braces and is no JSON: only one with a key in each line can be/],
    ['a: 1\na: 2\n', /^line 2: Map keys must be unique$/],
    ['a: 1\nb: [1\nc: 1\n', /^line 3: Flow sequence/],
  ] as const)
    t.throws(() => setInYaml(text, PATH, false), { message })
})
