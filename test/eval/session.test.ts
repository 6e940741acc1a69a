import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compactUpTo, planCut } from '../../eval/service.ts'
import { findCut, readSessionFile } from '../../eval/session.ts'
import { writeEvalTranscript } from '../../eval/transcript.ts'
import { folderOf } from '../support/temp-folder.ts'

function fileOf(t: Test, text: string, name = 'session.jsonl'): string {
  const path = join(folderOf(t), name)
  writeFileSync(path, text)
  return path
}

const message = (role: string, content: unknown, others: object = {}): object => ({
  type: 'message',
  message: { role, content, ...others },
})
const text = (words: string): object[] => [{ type: 'text', text: words }]
const toolCall = { type: 'toolCall', id: 'c1', name: 'write', arguments: { path: 'a.ts', content: 'one\ntwo' } }

/** Session version 1: no entry has an id. */
const ENTRIES = [
  message('user', text('First task.')),
  message('assistant', [toolCall]),
  message('toolResult', text('written'), { toolCallId: 'c1', toolName: 'write', isError: false }),
  { type: 'model_change', provider: 'p', modelId: 'm' },
  message('user', text('Second task.')),
  message('assistant', text('Done.')),
]
const LINES = [{ type: 'session', id: 's' }, ...ENTRIES].map((entry) => JSON.stringify(entry)).join('\n')

t.test('a session without ids is cut at an entry that the service names, or at a line', async (t) => {
  const file = readSessionFile(fileOf(t, LINES), true)
  const byId = findCut(file, 'e4')
  t.same(byId, { id: 'e4', index: 4, messageIndex: 4 })
  t.same(findCut(file, 'line:6'), byId)
})

t.test('exactly the entries before the cut are summarized, whatever form the session has', async (t) => {
  const messages = ENTRIES.flatMap((entry) => ('message' in entry ? [entry.message] : []))
  const forms: [string, string, string][] = [
    [fileOf(t, LINES), 'e4', 'e3'],
    [fileOf(t, JSON.stringify({ entries: ENTRIES }), 'session.json'), 'e4', 'e3'],
    [fileOf(t, JSON.stringify({ entries: ENTRIES }, undefined, 2), 'session.json'), 'e4', 'e3'],
    [fileOf(t, JSON.stringify({ messages }), 'session.json'), 'm3', 'm3'],
  ]
  for (const [path, cut, firstKept] of forms) {
    const file = readSessionFile(path, true)
    const reply = await compactUpTo(file, { cut: findCut(file, cut), env: {}, settings: {} })
    // Metadata just before the cut belongs to the first kept message.
    t.equal(reply.firstKeptEntryId, firstKept, path)
    t.match(reply.summary, 'First task.')
    t.notMatch(reply.summary, 'Second task.')
  }
})

t.test('a cut at metadata is the cut before the next message', async (t) => {
  const file = readSessionFile(fileOf(t, LINES), true)
  const cut = findCut(file, 'e3')
  t.same(cut, { id: 'e3', index: 3, messageIndex: 4 })
  t.equal((await compactUpTo(file, { cut, env: {}, settings: {} })).firstKeptEntryId, 'e3')
})

t.test('a cut between a call and its result is refused, with the nearest earlier place', async (t) => {
  const file = readSessionFile(fileOf(t, LINES), true)
  await t.rejects(compactUpTo(file, { cut: findCut(file, 'e2'), env: {}, settings: {} }), {
    message:
      "A session cannot be cut before the entry e2: a tool's result stays with its call. The nearest earlier place is --cut e1.",
  })
})

t.test('without a cut, the session is cut where the service would cut it', async (t) => {
  const entries = [message('user', text('Old. '.repeat(30_000))), message('user', text('New. '.repeat(30_000)))]
  const file = readSessionFile(fileOf(t, entries.map((entry) => JSON.stringify(entry)).join('\n')), true)
  t.equal((await planCut(file, {})).id, 'e1')
  await t.rejects(planCut(readSessionFile(fileOf(t, LINES), true), {}), {
    message: 'There is nothing to compact in this session. Choose a longer one, or name an entry with --cut.',
  })
})

t.test('a line that is not JSON does not change what is summarized', async (t) => {
  const lines = LINES.split('\n')
  lines.splice(3, 0, '{"type":"mess')
  const file = readSessionFile(fileOf(t, lines.join('\n')), true)
  const cut = findCut(file, 'line:7')
  t.same(cut, { id: 'e4', index: 4, messageIndex: 4 })
  const { summary } = await compactUpTo(file, { cut, env: {}, settings: {} })
  t.match(summary, 'First task.')
  t.notMatch(summary, 'Second task.')
})

t.test('a session in an envelope, and one that names its leaf, are read as the service reads them', async (t) => {
  const branches = [
    { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'First task.' } },
    { type: 'message', id: 'b', parentId: 'a', message: { role: 'assistant', content: 'Done.' } },
    { type: 'message', id: 'c', parentId: 'b', message: { role: 'user', content: 'Second task.' } },
    { type: 'message', id: 'd', parentId: 'a', message: { role: 'user', content: 'Another branch.' } },
  ]
  const session = { entries: branches, leafId: 'c' }
  for (const document of [session, { session }, { session: JSON.stringify(session), format: 'pi' }]) {
    const file = readSessionFile(fileOf(t, JSON.stringify(document), 'session.json'), true)
    t.same(
      file.branch.map(({ id }) => id),
      ['a', 'b', 'c'],
    )
    const { summary, firstKeptEntryId } = await compactUpTo(file, { cut: findCut(file, 'c'), env: {}, settings: {} })
    t.equal(firstKeptEntryId, 'c')
    t.match(summary, 'First task.')
    t.notMatch(summary, /Second task|Another branch/)
  }
})

t.test('faults of --session and --cut name the remedy', async (t) => {
  const path = fileOf(t, LINES)
  const file = readSessionFile(path, true)
  t.throws(() => readSessionFile('/no/such/file', true), {
    message: 'The session /no/such/file cannot be opened (ENOENT). Check the path after --session.',
  })
  t.throws(() => findCut(file, 'e9'), {
    message:
      "--cut e9 is not an entry of the session's active branch. Give the id of one of its entries, e0 to e5, or line:N.",
  })
  const broken = fileOf(t, '{"type":"message","id":5}')
  t.throws(() => readSessionFile(broken, true), { message: `The session ${broken} cannot be read: ` })
  const json = readSessionFile(fileOf(t, JSON.stringify({ entries: ENTRIES }), 'session.json'), true)
  t.throws(() => findCut(json, 'line:3'), { message: '--cut line:3 needs a session in JSON Lines.' })
})

t.test('the author of probes sees each entry with its id, whole, and without secrets', async (t) => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const output = `line\n`.repeat(2000)
  const entries = [
    message('user', text(`Use ${secret}.`)),
    message('assistant', [{ type: 'thinking', thinking: 'Hm.' }, toolCall]),
    message('toolResult', text(output), { toolCallId: 'c1', toolName: 'write', isError: true }),
    message('user', text('Next.')),
  ]
  const file = readSessionFile(fileOf(t, entries.map((entry) => JSON.stringify(entry)).join('\n')), true)
  const { before, after } = writeEvalTranscript(file.branch, findCut(file, 'e3'))
  t.notMatch(before, secret)
  t.match(before, /^\[e0\] user:\nUse \[redacted:/)
  t.ok(before.includes('[e1] assistant:\n(thinking) Hm.\n(calls write) path: "a.ts"\ncontent:\none\ntwo\n\n'))
  t.ok(before.includes(`[e2] result of write:\n(failed)\n${output.trim()}`))
  t.equal(after, '[e3] user:\nNext.')
})

t.test('of a session that was compacted before, the author sees the summary and the entries since then', async (t) => {
  const chain = [
    { type: 'message', message: { role: 'user', content: text('Forgotten.') } },
    { type: 'message', message: { role: 'user', content: text('Kept.') } },
    { type: 'compaction', summary: 'An old summary.', firstKeptEntryId: 'x1', tokensBefore: 9 },
    { type: 'message', message: { role: 'user', content: text('Since then.') } },
    { type: 'message', message: { role: 'user', content: text('After the cut.') } },
  ].map((entry, index) => ({ ...entry, id: `x${index}`, parentId: index === 0 ? null : `x${index - 1}` }))
  const file = readSessionFile(fileOf(t, chain.map((entry) => JSON.stringify(entry)).join('\n')), true)
  t.same(writeEvalTranscript(file.branch, findCut(file, 'x4')), {
    before: '[summary of the earlier session]\nAn old summary.\n\n[x1] user:\nKept.\n\n[x3] user:\nSince then.',
    after: '[x4] user:\nAfter the cut.',
  })
})
