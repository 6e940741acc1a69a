import t from 'tap'
import type { FileLists } from '../../src/session/entry.ts'
import type { Message } from '../../src/session/message.ts'
import { findProvenance, type Origin } from '../../src/summary/provenance.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'

const user = (id: string, text: string): Origin => ({
  id,
  message: { role: 'user', content: [{ type: 'text', text }] },
})
const run = (id: string, command: string): Origin => ({
  id,
  message: { role: 'assistant', content: [{ type: 'toolCall', id, name: 'bash', arguments: { command } }] },
})
const NO_FILES: FileLists = { readFiles: [], modifiedFiles: [] }

const provenanceOf = (summary: string, origins: readonly Origin[], details = NO_FILES) =>
  findProvenance({ summary, details }, origins)

t.test('each fact of a summary names the entries that have it, oldest first', async (t) => {
  const origins = [
    user('a', 'Please fix src/money.ts and "do not touch the database".'),
    run('b', 'npm test -- src/money.ts'),
    user('c', 'Nothing of interest.'),
  ]
  const summary = 'Fixed src/money.ts with `npm test`. The user: "do not touch the database". See `parseCents`.'
  t.strictSame(provenanceOf(summary, origins), {
    facts: [
      { text: 'src/money.ts', kind: 'path', entryIds: ['a', 'b'], count: 2 },
      { text: 'npm test', kind: 'command', entryIds: ['b'], count: 1 },
      { text: 'parseCents', kind: 'code', entryIds: [], count: 0 },
      { text: 'do not touch the database', kind: 'quote', entryIds: ['a'], count: 1 },
    ],
    entryFacts: { a: 2, b: 2 },
  })
})

t.test('a file of the project is part of the entry beside which a client shows it', async (t) => {
  const shown = { ...user('a', 'Hello.'), projectFiles: [{ path: '/p/GEMINI.md', text: 'Never touch lib/old.ts.' }] }
  t.strictSame(provenanceOf('- Never touch lib/old.ts. (rule of GEMINI.md)', [shown, user('b', 'lib/old.ts')]), {
    facts: [
      { text: 'lib/old.ts', kind: 'path', entryIds: ['a', 'b'], count: 2 },
      { text: 'GEMINI.md', kind: 'path', entryIds: ['a'], count: 1 },
    ],
    entryFacts: { a: 2, b: 1 },
  })
})

t.test('case, white space and the direction of slashes do not count', async (t) => {
  const { facts } = provenanceOf('`Cannot   read PROPERTY x`, src/a/b.ts', [
    user('a', 'TypeError: cannot read\n property x at src\\a\\b.ts'),
  ])
  t.strictSame(
    facts.map(({ text, count }) => [text, count]),
    [
      ['src/a/b.ts', 1],
      ['Cannot   read PROPERTY x', 1],
    ],
  )
})

t.test('a name inside a longer name is another name', async (t) => {
  const { facts } = provenanceOf('Changed check.ts.', [user('a', 'precheck.ts and check.tsx')])
  t.strictSame(facts, [{ text: 'check.ts', kind: 'path', entryIds: [], count: 0 }])
})

t.test('a shortened text is found if one entry has all of its parts', async (t) => {
  const summary = '> Use decimal strings … in every reply'
  const whole = user('whole', 'Use decimal strings, not floats, in every reply.')
  const parts = [user('x', 'Use decimal strings'), user('y', 'in every reply')]
  t.strictSame(provenanceOf(summary, [...parts, whole]).facts[0]?.entryIds, ['whole'])
})

t.test('a shortened path is found after any folder, and not in another path', async (t) => {
  const origins = [user('a', '/home/me/lib/app.ts'), user('b', '/home/me/mylib/app.ts'), user('c', 'lib/app.tsx')]
  for (const path of ['…/lib/app.ts', '.../lib/app.ts', '<repo>/lib/app.ts', '[redacted:token]/lib/app.ts'])
    t.strictSame(provenanceOf(`Changed ${path}.`, origins).facts, [
      { text: path, kind: 'path', entryIds: ['a'], count: 1 },
    ])
})

t.test('a short quote or a cut line opens no other quote', async (t) => {
  const summary = [
    '- handle_in("input", x) and handle_in("resize", y)',
    '- a 5" screen says "the whole text"',
    '- `a` and then `b`, with `` x `y` z ``',
    '- cut", and "one more text here"',
  ].join('\n')
  t.strictSame(
    provenanceOf(summary, []).facts.map(({ text }) => text),
    ['x `y` z', 'the whole text', 'one more text here'],
  )
})

t.test('a failed call in the evidence is found by its path, a failed command as it is', async (t) => {
  const read: Message = {
    role: 'assistant',
    content: [{ type: 'toolCall', id: 'r', name: 'Read', arguments: { file_path: '/p/my notes' } }],
  }
  const summary = '- failed: `Read /p/my notes` (error): no such file\n- failed: `cat src/x` (exit code 1)'
  const { facts } = provenanceOf(summary, [{ id: 'a', message: read }, run('b', 'cat src/x')])
  t.strictSame(facts, [
    { text: '/p/my notes', kind: 'path', entryIds: ['a'], count: 1 },
    { text: 'cat src/x', kind: 'command', entryIds: ['b'], count: 1 },
  ])
})

t.test('a path is found in a mention, and a version behind the name of a package', async (t) => {
  const { facts } = provenanceOf('See src/a.ts and 1.2.3.', [
    user('a', 'Look at @src/a.ts, left-pad@1.2.3'),
    user('b', 'me@src/a.ts 11.2.3'),
  ])
  t.strictSame(
    facts.map(({ text, entryIds }) => [text, entryIds]),
    [
      ['src/a.ts', ['a']],
      ['1.2.3', ['a']],
    ],
  )
})

t.test('the file lists count as facts, and long lists of entries are shortened', async (t) => {
  const origins = Array.from({ length: 30 }, (_, index) => user(`e${index}`, 'see lib/x.py'))
  const { facts } = provenanceOf('Nothing else.', origins, { readFiles: ['lib/x.py'], modifiedFiles: [] })
  t.strictSame(facts, [
    { text: 'lib/x.py', kind: 'path', entryIds: origins.slice(0, 20).map(({ id }) => id), count: 30 },
  ])
})

const FILES = Array.from({ length: 60 }, (_, index) => `src/module${index}/handler${index}.test.ts`)
/** Ends like all of these paths, at each eighth character. */
const HOSTILE = user('page', '.test.ts'.repeat(50_000))

t.test('one long output with texts that are almost alike hides no fact of other entries', async (t) => {
  const reads = FILES.map((path, index) => run(`e${index}`, `cat ${path}`))
  const { facts } = provenanceOf(FILES.join('\n'), [HOSTILE, ...reads])
  t.strictSame(
    facts.map(({ text, entryIds, count }) => [text, entryIds, count]),
    FILES.map((path, index) => [path, [`e${index}`], 1]),
  )
})

t.test('what was not found has no count where a part of a text was not searched: it may stand there', async (t) => {
  const { facts } = provenanceOf(FILES.join('\n'), [HOSTILE, user('a', FILES[0] ?? '')])
  t.strictSame(
    facts.map(({ count }) => count),
    FILES.map((_, index) => (index === 0 ? 1 : null)),
  )
  const known = provenanceOf(FILES.join('\n'), [user('a', FILES[0] ?? '')])
  t.strictSame(known.facts.map(({ count }) => count).slice(0, 2), [1, 0])
})

t.test('an id may have any name', async (t) => {
  const { entryFacts } = provenanceOf('See src/a.ts.', [user('__proto__', 'src/a.ts')])
  t.strictSame(Object.entries(entryFacts), [['__proto__', 1]])
})

t.test('texts that are almost alike take time in proportion to their length', async (t) => {
  const summary = Array.from({ length: 200 }, (_, index) => `\`${'a'.repeat(index + 20)}b${'a'.repeat(60)}\``).join(
    '\n',
  )
  const messages = (length: number): Message => ({
    role: 'user',
    content: [{ type: 'text', text: 'a'.repeat(length) }],
  })
  const work = (message: Message) => provenanceOf(summary, [{ id: 'x', message }])
  const growth = growthOf({ work, short: messages(25_000), long: messages(100_000), measurableMs: 50 })
  t.ok(growth <= MAX_GROWTH, `four times the length takes ${growth.toFixed(1)} times as long`)
})
