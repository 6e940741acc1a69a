import fc from 'fast-check'
import t from 'tap'
import { findWork } from '../../../src/extract/find-work.ts'
import { pairMessages } from '../../../src/extract/runs.ts'
import { readEarlierWork } from '../../../src/model/embedded/earlier-work.ts'
import { parseSummary } from '../../../src/model/embedded/parse-summary.ts'
import { writeExtract } from '../../../src/model/embedded/write-extract.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import type { Message } from '../../../src/session/message.ts'
import { extractShortSummary } from '../../../src/summary/draft.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../../support/build-entries.ts'

const messagesOf = (drafts: readonly EntryDraft[]): Message[] => buildEntries(drafts).map(({ message }) => message!)

function summaryOf(messages: readonly Message[], previousSummary?: string, isInTurn = false): string {
  const paired = pairMessages(messages)
  const earlier = previousSummary === undefined ? undefined : readEarlierWork(parseSummary(previousSummary))
  const work = findWork(paired, { earlier, next: isInTurn ? 'rest' : undefined })
  const source = sourceOf(paired, previousSummary, work)
  return extractShortSummary(writeExtract({ kind: 'history', maxTokens: 13_107, source })).text
}

const section = (summary: string, heading: string): string =>
  summary
    .split(`${heading}\n`)[1]
    ?.split(/\n+#{2,3} /)[0]
    ?.trim() ?? ''

const did = (id: string, name: string, args: unknown, output = 'ok', isError = false): EntryDraft[] => [
  assistant('', [call(id, name, args)]),
  result(id, output, { toolName: name, isError }),
]

t.test('in a turn, the first next step is what the newest request lacks', async (t) => {
  const todos = [
    { content: 'Write the lexer', status: 'completed' },
    { content: 'Write the parser', status: 'in_progress' },
  ]
  const text = summaryOf(
    messagesOf([
      user('Fix the adder.'),
      assistant('The adder is fixed.\n\nNext steps:\n- Publish it'),
      user('Please:\n- write the lexer\n- write the parser'),
      ...did('a', 'TodoWrite', { todos }),
      ...did('b', 'bash', { command: 'npm test' }, '1 failing', true),
    ]),
    undefined,
    true,
  )
  t.equal(section(text, '### Done'), '(none)')
  t.equal(
    section(text, '### In Progress'),
    '- [ ] Fix the adder. => The adder is fixed. (npm test failed after that)\n' +
      '- [ ] Please: - write the lexer - write the parser\n- Last tool call: `bash` of npm test: failed',
  )
  t.equal(
    section(text, '## Next Steps'),
    '- Finish the newest request:\n  - write the parser\n' +
      '- Plan recorded by `TodoWrite`, newest version:\n  - [in_progress] Write the parser\n' +
      '- Last failed check: `npm test`\n- Publish it',
  )
})

t.test('ids of tasks go on over two compactions, and what is done leaves the next steps', async (t) => {
  const created = (id: string, subject: string): EntryDraft[] =>
    did(`c${id}`, 'TaskCreate', { subject }, `Task #${id} created successfully: ${subject}`)
  const first = summaryOf(
    messagesOf([user('Do both.'), ...created('1', 'Fix add'), ...created('2', 'Fix sub'), assistant('I begin.')]),
    undefined,
    true,
  )
  t.match(section(first, '## Next Steps'), '  - [pending] #1 Fix add\n  - [pending] #2 Fix sub')
  const second = summaryOf(
    messagesOf([...did('u', 'TaskUpdate', { taskId: '2', status: 'completed' }, 'Updated task #2 status')]),
    first,
    true,
  )
  t.equal(
    section(second, '## Next Steps'),
    '- Plan recorded by `TaskCreate`, newest version:\n  - [pending] #1 Fix add',
  )
  t.match(section(second, '### Done'), 'what is done:\n  - [completed] #2 Fix sub')
})

t.test('an interrupted request and an older plan are not ticked, and are not orders', async (t) => {
  const text = summaryOf(
    messagesOf([
      user('Rename all of the flags, please.'),
      assistant('', [], { stopReason: 'aborted' }),
      user('What time is it, by the way?'),
      assistant('Ten.'),
      user('And the date?'),
      assistant('Monday.'),
    ]),
    '## Goal\nShip.\n\n## Progress\n\n### In Progress\n- [ ] The writer\n\n## Next Steps\n1. Measure the reader',
  )
  t.equal(section(text, '### In Progress'), '(none)')
  t.equal(
    section(text, '## Next Steps'),
    '- Planned earlier, not confirmed:\n  - Rename all of the flags, please. (interrupted)\n' +
      '  - Measure the reader\n  - The writer',
  )
  t.notMatch(section(text, '### Done'), 'Rename')
})

const TASKS = ['Write the lexer', 'Write the parser', 'Write the printer'] as const
const statuses = fc.array(fc.constantFrom('pending', 'in_progress', 'completed'), { minLength: 3, maxLength: 3 })
const turn = fc.record({
  request: fc.constantFrom('Fix the adder now.', 'Rename the old flag.', 'Explain the loader.', 'Go on.'),
  lists: fc.array(fc.option(statuses, { nil: [] }), { maxLength: 2 }),
  end: fc.constantFrom('done', 'asked', 'aborted', 'short', 'open'),
})

function draftsOf(turns: { request: string; lists: string[][]; end: string }[]): EntryDraft[] {
  return turns.flatMap(({ request, lists, end }, at) => [
    user(request),
    ...lists.flatMap((list, index) => {
      const todos = list.map((status, task) => ({ content: TASKS[task], status }))
      return did(`t${at}-${index}`, 'TodoWrite', { todos })
    }),
    ...(end === 'done' ? [assistant('It is done.')] : []),
    ...(end === 'asked' ? [assistant('Shall I?')] : []),
    ...(end === 'aborted' ? [assistant('', [], { stopReason: 'aborted' })] : []),
    ...(end === 'short' ? [assistant('I could not finish it.')] : []),
  ])
}

t.test('wherever a session is cut, no open task is written as done, and a compaction repeats itself', async () => {
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 5 }), fc.nat(), (turns, seed) => {
      const messages = messagesOf(draftsOf(turns))
      const at = seed % (messages.length + 1)
      const open = findWork(pairMessages(messages)).items.filter(
        ({ kind, state }) => kind === 'task' && state === 'open',
      )
      const first = summaryOf(messages.slice(0, at), undefined, true)
      const second = summaryOf(messages.slice(at), at === 0 ? undefined : first)
      const done = section(second, '### Done')
      for (const { text } of open)
        if (done.includes(`[completed] ${text}`)) throw new Error(`${text} is open, but written as done:\n${second}`)
      if (summaryOf(messages.slice(at), at === 0 ? undefined : first) !== second) throw new Error('It is another one.')
    }),
    { numRuns: 60 },
  )
})

const ran = (id: string, command: string, output: string, isError = false): EntryDraft[] =>
  did(id, 'bash', { command }, output, isError)

t.test('in a long turn, commits are what was done, and the next steps say where it stands', async (t) => {
  const refusal = 'Pre-commit failed\n┃ [F] → Function is too complex (13, max is 9).\n┃   lib/hooks.ex:144:7'
  const text = summaryOf(
    messagesOf([
      user('Work on app-1.'),
      ...ran('z', 'cat big.csv', '1;2;3;4\n'.repeat(3000)),
      assistant('The old table cannot go on, because its keys are floats.'),
      ...ran('a', 'git commit -m "Add the store\n\n- Keys are cents"', '[main 1a2b3c4] Add the store'),
      ...ran('b', 'git commit -m "Trace hooks\n\n- with_span/2 is a macro"', refusal, true),
      assistant('Let me fix the complexity first:', [
        call('c', 'edit', { path: 'lib/hooks.ex', old_string: 'x', new_string: 'y' }),
      ]),
      result('c', '<tool_use_error>String to replace not found in file.\nString: x', {
        toolName: 'edit',
        isError: true,
      }),
    ]),
    undefined,
    true,
  )
  t.equal(section(text, '### Done'), '- [x] Add the store (said to be done, commit 1a2b3c4)\n  - Keys are cents')
  t.equal(
    section(text, '### In Progress'),
    '- [ ] Work on app-1.\n' +
      '  - Not committed yet, in the words of the refused commit: with_span/2 is a macro\n' +
      '- Last tool call: `edit` of lib/hooks.ex: failed',
  )
  t.equal(
    section(text, '## Next Steps'),
    '- Finish the newest request: Work on app-1.\n' +
      '- Go on where the agent was: "Let me fix the complexity first:"\n' +
      '- Last refused commit: Trace hooks\n  - [F] → Function is too complex (13, max is 9). lib/hooks.ex:144:7\n' +
      '- Last failed edit: `lib/hooks.ex`: String to replace not found in file.',
  )
  t.equal(section(text, '## Key Decisions'), '- The old table cannot go on, because its keys are floats.')
})

t.test(
  'what the user has answered comes first, before what an earlier summary planned and what has happened since',
  async (t) => {
    const asked = call('q', 'AskUserQuestion', { questions: [{ question: 'How shall I go on?' }] })
    const answered = result('q', 'The user has answered.', {
      toolName: 'AskUserQuestion',
      userAnswers: [{ question: 'How shall I go on?', answer: 'main was clean; fix it' }],
    })
    const first = summaryOf(
      messagesOf([
        ...did('e', 'edit', { path: 'lib/panel.ex', old_string: 'a', new_string: 'b' }),
        assistant('', [asked]),
        answered,
      ]),
      '## Primary Request\nWork on app-1.\n\n## Current Work\nFixing lib/panel.ex:\n- pass `attrs` to lib/panel.ex\n- close the session\n\n' +
        '## Files\n- `lib/panel.ex` (NEW, has a compile error at line 3): draws\n\n## Next Step\nFix lib/panel.ex',
      true,
    )
    t.equal(
      section(first, '## Goal'),
      'Newest request:\nmain was clean; fix it\n(The agent had asked: "How shall I go on?")\n\nEarlier goal:\nWork on app-1.',
    )
    t.equal(
      section(first, '## Next Steps'),
      '- Do what the user answered: "main was clean; fix it" (the agent asked: "How shall I go on?")\n' +
        '- Planned earlier, not confirmed:\n  - Fix lib/panel.ex (since then: panel.ex changed once)\n' +
        '  - Fixing lib/panel.ex: (since then: panel.ex changed once)\n' +
        '  - pass `attrs` to lib/panel.ex (since then: panel.ex changed once)',
    )
    t.match(section(first, '### In Progress'), /^- close the session\n- \[ \] Changed files: \[lib\/panel\.ex\]\n/)
    t.match(section(first, '## State of the Code'), '- `lib/panel.ex` (NEW): draws (before 1 later change)')
  },
)
