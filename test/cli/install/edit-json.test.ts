import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import {
  appendInJson,
  removeElements,
  removeFromJson,
  setInJson,
  valueAt,
  valueOfJson,
} from '../../../src/cli/install/edit-json.ts'
import { parseJsonTree } from '../../../src/cli/install/json-tree.ts'

const SERVER = { command: 'node', args: ['/x/main.js', 'mcp'] }

/** Texts before and after the member `precis` is added to `mcpServers`. */
const CASES: [what: string, before: string, after: string][] = [
  ['an empty file', '', '{\n  "mcpServers": {\n    "precis": 1\n  }\n}\n'],
  ['an empty object', '{}', '{\n  "mcpServers": {\n    "precis": 1\n  }\n}'],
  ['one line', '{"a":1}', '{"a":1, "mcpServers": {"precis":1}}'],
  ['the server list is there', '{"mcpServers":{"x":2},"b":3}', '{"mcpServers":{"x":2, "precis": 1},"b":3}'],
  ['two spaces', '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "mcpServers": {\n    "precis": 1\n  }\n}\n'],
  ['tabs', '{\n\t"mcpServers": {}\n}', '{\n\t"mcpServers": {\n\t\t"precis": 1\n\t}\n}'],
  [
    'Windows line ends',
    '{\r\n    "a": 1\r\n}\r\n',
    '{\r\n    "a": 1,\r\n    "mcpServers": {\r\n        "precis": 1\r\n    }\r\n}\r\n',
  ],
  ['a byte order mark', '\uFEFF{\n  "a": 1\n}', '\uFEFF{\n  "a": 1,\n  "mcpServers": {\n    "precis": 1\n  }\n}'],
  [
    'comments, and a comma at the end',
    '// mine\n{\n  "a": 1, // one\n  /* two */ "b": [2,], // three\n  // four\n}\n',
    '// mine\n{\n  "a": 1, // one\n  /* two */ "b": [2,], // three\n  "mcpServers": {\n    "precis": 1\n  },\n  // four\n}\n',
  ],
  [
    'a comment after the last member',
    '{\n  "mcpServers": {\n    "x": {} // y\n    // z\n  }\n}\n',
    '{\n  "mcpServers": {\n    "x": {}, // y\n    "precis": 1\n    // z\n  }\n}\n',
  ],
  ['only a comment inside', '{ // nothing\n}', '{ // nothing\n  "mcpServers": {\n    "precis": 1\n  }\n}'],
  ['an older entry', '{"mcpServers": {"precis": {"command": "old"}, "x": 2}}', '{"mcpServers": {"precis": 1, "x": 2}}'],
]

for (const [what, before, after] of CASES)
  t.test(`a member is added, and nothing else changes: ${what}`, async (t) => {
    t.equal(setInJson(before, ['mcpServers', 'precis'], 1), after)
  })

t.test('an added member is removed again, and what was there before is as it was', async (t) => {
  for (const [what, before] of CASES.filter(([what]) => !/empty|older|only a comment/.test(what))) {
    const path = valueAt(valueOfJson(before), ['mcpServers']) === undefined ? ['precis'] : ['mcpServers', 'precis']
    const rest = removeFromJson(setInJson(before, path, SERVER), path)
    t.equal(rest, before, what)
  }
})

t.test('elements of a list are added at its end, and those that are ours removed', async (t) => {
  const isOurs = (value: unknown): boolean => value === 'ours'
  const cases: [before: string, after: string][] = [
    ['{"p":{"allow":["a"]}}', '{"p":{"allow":["a", "ours"]}}'],
    [
      '{\n  "p": {\n    "allow": [\n      "a"\n    ]\n  }\n}',
      '{\n  "p": {\n    "allow": [\n      "a",\n      "ours"\n    ]\n  }\n}',
    ],
    [
      '{\n  "p": {\n    "allow": [\n      "a", // b\n    ],\n  }\n}',
      '{\n  "p": {\n    "allow": [\n      "a", // b\n      "ours",\n    ],\n  }\n}',
    ],
  ]
  for (const [before, after] of cases) {
    t.equal(appendInJson(before, ['p', 'allow'], 'ours'), after)
    t.equal(removeElements(after, ['p', 'allow'], isOurs), before)
  }
  t.equal(appendInJson('{}', ['p', 'allow'], 'ours'), '{\n  "p": {\n    "allow": [\n      "ours"\n    ]\n  }\n}')
  t.equal(removeElements('["ours", 1, "ours"]', [], isOurs), '[ 1]')
})

t.test('the error names the line and what is wrong', async (t) => {
  const cases: [string, RegExp][] = [
    ['{\n  "a": 1\n  "b": 2\n}', /^line 3: comma expected$/],
    ['{\n  "a": ,\n}', /^line 2: value expected$/],
    ['{"a": tru}', /^line 1: invalid symbol$/],
    ['{"a" 1}', /^line 1: colon expected$/],
    ['{} {}', /^line 1: end of file expected$/],
    ['{"a": "b', /^line 1: unexpected end of string$/],
    [`{"a":\n${'['.repeat(100_000)}`, /^line 2: more than 500 objects and lists are one in another$/],
  ]
  for (const [text, message] of cases) t.throws(() => parseJsonTree(text), { message })
  t.throws(() => setInJson('{"hooks": []}', ['hooks', 'Stop'], 1), { message: 'line 1: "hooks" is no object' })
  t.throws(() => appendInJson('{"hooks": {"Stop": {}}}', ['hooks', 'Stop'], 1), {
    message: 'line 1: "hooks.Stop" is no list',
  })
  t.throws(() => setInJson('[]', ['a'], 1), { message: 'line 1: the document is no object' })
})

/** Objects of any depth, in any of the usual layouts, with comments. */
const layouts = fc.record({
  value: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
  indent: fc.constantFrom(undefined, 1, 2, 4, '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  comment: fc.constantFrom('', ' // c', ' /* c */'),
})

t.test('any document keeps its values and its lines', async (t) => {
  fc.assert(
    fc.property(
      layouts,
      fc.constantFrom(['precis'], ['mcpServers', 'precis']),
      ({ value, indent, eol, comment }, path) => {
        const { mcpServers: _servers, precis: _precis, ...rest } = value
        const plain = JSON.stringify(rest, undefined, indent)
        const text = indent === undefined ? plain : plain.replaceAll('\n', `${comment}${eol}`)
        const changed = setInJson(text, path, SERVER)
        const added = path.length === 1 ? { precis: SERVER } : { mcpServers: { precis: SERVER } }
        const back = removeFromJson(changed, path.slice(0, 1))
        const isWhole = isDeepStrictEqual(valueOfJson(changed), { ...(JSON.parse(plain) as object), ...added })
        return isWhole && (Object.keys(rest).length === 0 ? isDeepStrictEqual(valueOfJson(back), {}) : back === text)
      },
    ),
  )
  t.pass('fast-check has found none that is changed')
})
