import fc from 'fast-check'
import t from 'tap'
import { pairCalls } from '../../src/extract/runs.ts'
import { cutTogether } from '../../src/recall/cut-together.ts'
import { findPassages, type RecalledEntry } from '../../src/recall/find-passages.ts'
import type { RecalledPassage } from '../../src/recall/passage.ts'

/** Returns the passages of one call, whose result is short. */
function passagesOf(name: string, args: Record<string, unknown>, result = 'Done.'): RecalledPassage[] {
  const entries: RecalledEntry[] = [
    { message: { role: 'assistant', content: [{ type: 'toolCall', id: 'c1', name, arguments: args }] } },
    {
      message: {
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: name,
        content: [{ type: 'text', text: result }],
        isError: false,
        isPruned: false,
      },
    },
  ]
  return findPassages(entries, pairCalls(entries.flatMap(({ message }) => message ?? [])))
}

/** Lines of code, of which every fifth is another one in each version. */
const code = (version: string, count: number): string =>
  Array.from({ length: count }, (_, at) =>
    at % 5 === 2 ? `  timeout${at} = '${version}' // zebra${at}` : `  const value${at} = compute(${at}, 'something')`,
  ).join('\n')

t.test('each part of a long edit names its file and has the new text beside the old one', async (t) => {
  const args = { path: 'src/wait.ts', oldText: code('old', 120), newText: `// Now with limits.\n${code('new', 120)}` }
  const [call, ...parts] = passagesOf('edit', args)
  t.match(call, {
    text: 'edit\npath: src/wait.ts\noldText: …\nnewText: …\n\nDone.',
    kinds: ['edit', 'call', 'output'],
    lead: '',
  })
  t.same(
    parts.map(({ lead }) => lead),
    parts.map((_part, at) => `edit src/wait.ts, part ${at + 1} of ${parts.length}`),
  )
  t.ok(parts.length > 3)
  for (let at = 2; at < 120; at += 5) {
    const found = parts.filter(({ text }) => text.includes(`zebra${at}\n`))
    t.equal(found.length, 1, `line ${at}`)
    t.match(found[0]?.text, new RegExp(`old text:[^]*timeout${at} = 'old'[^]*\nnew text:[^]*timeout${at} = 'new'`))
  }
  for (const { text, changes = [], kinds, before, after } of parts) {
    t.ok(text.length < 3000, `${text.length}`)
    t.same(kinds, ['edit', 'call'])
    t.same(
      changes.map(({ old }) => text.slice(old.start, old.end).includes("'new'")),
      [false],
    )
    t.ok(before + text.length + after > args.oldText.length)
  }
  t.same([parts[0]?.before, parts.at(-1)?.after], [0, 0])
})

t.test('short edits of a long list share a part, which says which of them it has', async (t) => {
  const edits = Array.from({ length: 12 }, (_, at) => ({ oldText: `a${at} = 1\n`.repeat(20), newText: `b${at} = 1` }))
  edits[7] = { oldText: code('old', 60), newText: code('new', 60) }
  const [, ...parts] = passagesOf('edit', { path: 'a.ts', edits })
  t.same(
    parts.map(({ lead }) => lead.replace('edit a.ts, ', '')),
    ['edits 1 to 7 of 12', ...['edit 8 of 12, part 1 of 2', 'edit 8 of 12, part 2 of 2'], 'edits 9 to 12 of 12'],
  )
  t.match(parts[0]?.text, /^old text of edit 1:\na0 = 1\n[^]*\nnew text of edit 7:\nb6 = 1$/)
})

t.test("Cline's blocks are read as edits with an old and a new text, and so are those of Roo", async (t) => {
  const blocks = (marks: readonly string[], count: number): string =>
    [marks[0], code('old', count), '=======', code('new', count), marks[1], marks[0], 'gone', '=======', marks[1]].join(
      '\n',
    )
  for (const marks of [
    ['------- SEARCH', '+++++++ REPLACE'],
    ['<<<<<<< SEARCH', '>>>>>>> REPLACE'],
  ]) {
    const args = { path: 'src/wait.ts', diff: blocks(marks, 3) }
    const [short, ...others] = passagesOf('replace_in_file', args)
    t.same(others, [])
    t.same(
      short?.changes?.map(({ old, new: now }) => [old, now].map(({ start, end }) => short.text.slice(start, end))),
      [
        [code('old', 3), code('new', 3)],
        ['gone', ''],
      ],
    )
    const [call, ...parts] = passagesOf('replace_in_file', { ...args, diff: blocks(marks, 60) })
    t.equal(
      call?.text,
      `replace_in_file\npath: src/wait.ts\ndiff: ${marks[0]}\n…\n=======\n…\n${marks[1]}\n${marks[0]}\n…\n=======\n${marks[1]}\n\nDone.`,
    )
    t.same(
      parts.map(({ lead }) => lead.replace('replace_in_file src/wait.ts, ', '')),
      [1, 2].map((part) => `edit 1 of 2, part ${part} of 2`).concat('edit 2 of 2'),
    )
    t.match(parts[1]?.text, /'old' [^]*new text:[^]*'new' /)
  }
})

t.test("the editor of Cline's command line is an edit with an old and a new text too", async (t) => {
  const [edit] = passagesOf('editor', { path: 'a.ts', old_text: 'one', new_text: 'two' })
  t.equal(edit?.changes?.length, 1)
})

t.test('each later part of a long patch, file or command says which it belongs to', async (t) => {
  const lines = (name: string): string =>
    Array.from({ length: 60 }, (_, at) => `+${name} line ${at} of the new file`).join('\n')
  const patch = `*** Begin Patch\n*** Add File: src/a.ts\n${lines('a')}\n*** Add File: src/b.ts\n${lines('b')}\n*** End Patch`
  const leads = (name: string, args: Record<string, unknown>): string[] =>
    passagesOf(name, args).map(({ lead }) => lead)
  t.same(leads('apply_patch', { input: patch }), ['', 'apply_patch src/a.ts', 'apply_patch src/b.ts'])
  t.same(leads('write', { path: 'src/a.ts', content: lines('a') }), ['', 'write src/a.ts'])
  const [, second] = passagesOf('bash', { command: `cat > notes.md <<'EOF'\n${lines('a')}\nEOF` })
  t.match(second?.lead, /^\$ cat > notes\.md <<'EOF' \+a line 0 /)
})

t.test('the pieces of a change have all of it, in its order, and none is too long or torn apart', async () => {
  const texts = fc
    .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.constantFrom('same', '🦓'.repeat(900), '}')), {
      maxLength: 60,
    })
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(texts, texts, (old, now) => {
      const pieces = cutTogether({ old, new: now })
      return (
        pieces.map((piece) => piece.old).join('') === old &&
        pieces.map((piece) => piece.new).join('') === now &&
        pieces.every((piece) => Math.max(piece.old.length, piece.new.length) <= 1600) &&
        [old, now].every(
          (text, at) => !text.isWellFormed() || pieces.every((piece) => [piece.old, piece.new][at]?.isWellFormed()),
        )
      )
    }),
  )
})
