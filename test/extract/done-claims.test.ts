import t from 'tap'
import { findWork } from '../../src/extract/find-work.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../support/build-entries.ts'

/** The states of the requests and wishes of a session, each after its text. */
const statesOf = (drafts: readonly EntryDraft[]): Record<string, string> =>
  Object.fromEntries(
    findWork(pairMessages(buildEntries(drafts).map(({ message }) => message!))).items.flatMap(
      ({ kind, text, state }) => (kind === 'request' || kind === 'wish' ? [[text, state]] : []),
    ),
  )

/** A call with its result. */
const did = (name: string, args: unknown, isError = false): EntryDraft[] => [
  assistant('', [call('c', name, args)]),
  result('c', isError ? 'Error: the text was not found' : 'ok', { toolName: name, isError }),
]

const todos = (...statuses: string[]): EntryDraft[] =>
  did('TodoWrite', { todos: statuses.map((status, at) => ({ content: `Item ${at}`, status })) })
const edited = (isError: boolean): EntryDraft[] => did('edit', { path: 'a.ts', oldText: 'a', newText: 'b' }, isError)

for (const [what, work, state] of [
  ['an item of its list is in progress', todos('completed', 'in_progress'), 'open'],
  ['an item of its list is pending', todos('completed', 'pending'), 'open'],
  ['all items of its list are completed', todos('completed', 'completed'), 'said'],
  ['its only edit has failed', edited(true), 'open'],
  ['its last edit has failed', [...edited(false), ...edited(true)], 'open'],
  ['the edit was tried again', [...edited(true), ...edited(false)], 'said'],
  ['a command has changed the file', [...edited(true), ...did('bash', { command: "sed -i 's/a/b/' a.ts" })], 'said'],
  ['a check has passed after the edit that failed', [...edited(true), ...did('bash', { command: 'npm test' })], 'open'],
] as const)
  t.test(`"Done." where ${what}: the request is ${state}`, async (t) => {
    t.strictSame(statesOf([user('Fix the adder.'), ...work, assistant('Done.')]), { 'Fix the adder.': state })
  })

t.test('what the user says does not work, or is missing, is not said to be done', async (t) => {
  const first = (words: string): string | undefined =>
    statesOf([user('Add a retry.'), assistant('Done.'), user(words)])['Add a retry.']
  for (const words of [
    'It does not retry at all',
    'That is still broken',
    'the second file is missing',
    "But the docs don't mention it.",
    'Es wiederholt gar nichts, und die zweite Datei fehlt',
    'Das ist noch kaputt.',
    'Le second fichier manque.',
    'El segundo archivo falta.',
    'O segundo arquivo não existe.',
    'Il secondo file manca.',
    'Второй файл отсутствует',
    '第二个文件缺少',
    '2つ目のファイルがありません',
    '두 번째 파일이 없습니다',
  ])
    t.equal(first(words), 'open', words)
  for (const words of [
    'Great, thanks.',
    'Now the docs.',
    'It is not urgent, but add docs.',
    'Add a flag that is not shown.',
  ])
    t.equal(first(words), 'said', words)
})
