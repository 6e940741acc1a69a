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

function summaryOf(
  messages: readonly Message[],
  previousSummary?: string,
  isInTurn = false,
  kept: readonly Message[] = [],
): string {
  const paired = pairMessages(messages)
  const earlier = previousSummary === undefined ? undefined : readEarlierWork(parseSummary(previousSummary))
  const work = findWork(paired, { earlier, next: isInTurn ? 'rest' : undefined, kept })
  const source = sourceOf(paired, previousSummary, work)
  return extractShortSummary(writeExtract({ kind: 'history', maxTokens: 13_107, source })).text
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const section = (summary: string, heading: string): string =>
  summary
    .split(`${heading}\n`)[1]
    ?.split(/\n+#{2,3} /)[0]
    ?.trim() ?? ''

const did = (id: string, name: string, args: unknown, output = 'ok', isError = false): EntryDraft[] => [
  assistant('', [call(id, name, args)]),
  result(id, output, { toolName: name, isError }),
]

t.test('a newer request is in progress also where an earlier summary has words that postpone something', (t) => {
  const earlier =
    "## Goal\n- Add search\n\n## Next Steps\n- Postponed or to be left, in the user's words (not to be done before its time):\n" +
    '  - "The export comes after the launch."'
  const messages = messagesOf([user('Write docs/p.md, then fix the lexer.'), ...did('a', 'read', { path: 'a.ts' })])
  const summary = summaryOf(messages, earlier, true)
  t.match(section(summary, '### In Progress'), '- [ ] Write docs/p.md, then fix the lexer.')
  t.match(section(summary, '## Next Steps'), '"The export comes after the launch."')
  t.end()
})

t.test(
  'what the messages that stay go on with is said, and what they have answered is not to be finished',
  async (t) => {
    const before = [user('Explain the fix of the adder.'), ...did('a', 'read', { path: 'a.ts' })]
    const stepsAfter = (...kept: EntryDraft[]): string => {
      const messages = messagesOf([...before, ...kept])
      return section(summaryOf(messages.slice(0, 3), undefined, true, messages.slice(3)), '## Next Steps')
    }
    const finish = '- Finish the newest request: Explain the fix of the adder.'
    const calls = did('b', 'read', { path: 'b.ts' })
    const answer = assistant('It returned a - b.')
    t.equal(stepsAfter(...calls), `${finish} (its turn goes on below)`)
    t.equal(stepsAfter(...calls, answer), '(none)')
    t.equal(stepsAfter(answer, user('Now fix the lexer.')), '- Do what the user asks in the messages below')
    t.equal(stepsAfter(answer, user('Thanks!')), '(none)')
    t.equal(
      stepsAfter(...calls, user('Read c.ts too.')),
      '- Do what the user asks in the messages below\n' +
        '- Finish the request before it, unless the messages below have done so: Explain the fix of the adder.',
    )
  },
)

t.test('a check that has run again with a hidden end has not passed: the request stays open', async (t) => {
  for (const again of ['pytest -q | tail -0', 'pytest -q || true', 'pytest -q > out.log; date', 'pytest -q &']) {
    const summary = summaryOf(
      messagesOf([
        user('Fix the adder.'),
        ...did('a', 'bash', { command: 'pytest -q' }, '1 failed, 8 passed in 0.2s', true),
        ...did('b', 'edit', { path: 'a.py' }),
        ...did('c', 'bash', { command: again }, ''),
        assistant('I fixed the adder.'),
      ]),
    )
    t.match(section(summary, '## Next Steps'), '- Last failed check: `pytest -q`: 1 of 9 tests failed', again)
    t.notMatch(summary, '[x] Fix', again)
  }
})

t.test(
  'of a request of which parts are done, the open ones are named, also if its first words name the others',
  async (t) => {
    const plan = (...steps: [string, string][]): EntryDraft[] => {
      const [id] = [`p${steps.map(([, status]) => status).join()}`]
      return did(id, 'update_plan', { plan: steps.map(([step, status]) => ({ step, status })) })
    }
    const request =
      'Change the limit to 2h30, since 4 hours was wrong. Then a `--since DATE` option that drops older findings, and a table of hours for each person (`--hours`).'
    const messages = messagesOf([
      user(request),
      ...plan(['Limit', 'in_progress'], ['--since DATE', 'pending'], ['--hours table (each person)', 'pending']),
      ...did('a', 'write', { path: 'limit.py', content: 'LIMIT = 150' }),
      ...plan(['Limit', 'completed'], ['--since DATE', 'completed'], ['--hours table (each person)', 'in_progress']),
    ])
    const summary = summaryOf(messages, undefined, true)
    const open = '(still open of it by update_plan: --hours table each person)'
    t.equal(
      section(summary, '### In Progress').split('\n')[0],
      `- [ ] Change the limit to 2h30, since 4… [limit.py] ${open}`,
    )
    t.equal(
      section(summary, '## Next Steps').split('\n')[0],
      '- Go on with the plan: --hours table (each person) (for the newest request: Change the limit to 2h30, since 4…)',
    )
    const later = summaryOf(messagesOf([...did('b', 'write', { path: 'hours.py', content: 'H = 1' })]), summary, true)
    t.notMatch(section(later, '### In Progress'), 'still open of it')
    t.match(section(later, '### In Progress'), '- [ ] Change the limit to 2h30, since 4…')
  },
)

t.test(
  'what was found in a turn is marked as said earlier also if the messages that stay answer it, and at a later compaction',
  async (t) => {
    const found =
      'I have uncommitted changes in lexer.ts since the `tokens` function must not read strings twice, which belongs to the first task.'
    const pending =
      'The keywords of parser.ts are still missing, so the grammar rejects each statement that begins with one of them.'
    const messages = messagesOf([
      user('Please continue with the implementation of the parser.'),
      assistant(found, [call('a', 'bash', { command: 'git add lexer.ts && git commit -m "The lexer"' })]),
      result('a', '[main 1234567] The lexer\n 1 file changed, 2 insertions(+)'),
      assistant(pending, [call('b', 'read', { path: 'parser.ts' })]),
      result('b', 'rule '.repeat(3000)),
      assistant('Now the rules.', [call('c', 'read', { path: 'rules.ts' })]),
      result('c', 'rule '.repeat(3000)),
      assistant('All done: the parser is written.'),
    ])
    const first = summaryOf(messages.slice(0, 7), undefined, true, messages.slice(7))
    const marked = `${found.slice(0, -1)} (said earlier; since then: commit 1234567).`
    t.match(section(first, '### In Progress'), marked)
    t.match(section(first, '### In Progress'), pending)
    const edit = did('d', 'edit', { path: 'parser.ts', oldText: 'rules', newText: 'rules and keywords' })
    const later = section(summaryOf(messagesOf(edit), first, true), '### In Progress')
    t.match(later, marked)
    t.match(later, `${pending.slice(0, -1)} (said earlier; since then: parser.ts changed once).`)
  },
)

t.test('a request that the messages that stay answer is in progress where the summary ends', async (t) => {
  const todos = [{ content: 'Write the parser', status: 'in_progress' }]
  const messages = messagesOf([
    user('Please continue with the implementation of the parser.'),
    assistant('The lexer is there. Let me claim the parser and read its tests:', [call('a', 'TodoWrite', { todos })]),
    result('a', 'ok', { toolName: 'TodoWrite' }),
    ...did('b', 'bash', { command: 'npm test' }, '1 failing', true),
    ...did('c', 'bash', { command: 'npm test' }, '4 passing'),
    assistant('All done: the parser is written, and its tests pass.'),
  ])
  const cut = summaryOf(messages.slice(0, 5), undefined, true, messages.slice(5))
  t.equal(section(cut, '### Done'), '(none)')
  t.equal(
    section(cut, '### In Progress'),
    '- [ ] Please continue with the… => The lexer is there. Let me claim the parser and read its tests: ' +
      '(its turn goes on below, and is answered there)',
  )
  t.equal(
    section(cut, '## Next Steps'),
    '- The messages below answer the newest request; what follows is as it was before them:\n' +
      '- Plan recorded by `TodoWrite`, newest version:\n' +
      '  - [in_progress] Write the parser\n' +
      '- Last failed check: `npm test`: 1 test failed',
  )
  const next = summaryOf(messages.slice(5), cut)
  t.equal(
    section(next, '### Done'),
    '- [x] Please continue with the… => All done: the parser is written, and… (said to be done)',
  )
  t.match(section(next, '## Next Steps'), '"All done: the parser is written, and its tests pass."')
  t.equal(section(next, '### In Progress'), '(none)')
  t.notMatch(next, 'below')
})

t.test('a run of all tests that failed, and of which some have passed since, says so wherever it stands', async (t) => {
  const text = summaryOf(
    messagesOf([
      user('Fix the parser.'),
      ...did('a', 'bash', { command: 'pytest' }, 'E   KeyError: rows\n=== 2 failed, 9 passed in 1s ===', true),
      ...did('b', 'bash', { command: 'pytest tests/a.py' }, '=== 4 passed in 1s ==='),
    ]),
    undefined,
    true,
  )
  const request = ' (for the newest request: Fix the parser.)'
  t.equal(
    section(text, '## Next Steps').split('\n')[0],
    `- Last failed check: \`pytest\`: 2 of 11 tests failed; passed since: \`pytest tests/a.py\`${request}`,
  )
  t.match(section(text, '## Critical Context'), '- Error (some runs passed since): E   KeyError: rows\n')
})

t.test(
  'errors from before the newest request, and failed runs that a later one replaces, stand in the evidence only',
  async (t) => {
    const failed = '=== 1 failed, 9 passed in 1s ==='
    const text = summaryOf(
      messagesOf([
        user('Fix the parser.'),
        ...did('a', 'bash', { command: 'pytest -q' }, `E   KeyError: rows\n${failed}`, true),
        ...did('b', 'bash', { command: 'alembic upgrade head && pytest -q' }, `E   KeyError: columns\n${failed}`, true),
        assistant('One test fails.'),
        user('Explain the loader.'),
        ...did('c', 'bash', { command: './load.sh' }, 'Error: no such day', true),
      ]),
    )
    const context = section(text, '## Critical Context')
    t.notMatch(context, 'KeyError')
    t.notMatch(context, '- `pytest -q`')
    t.match(context, '- Error: Error: no such day')
  },
)

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
  t.equal(
    section(text, '### Done'),
    '- [x] Plan recorded by `TodoWrite`, what is done:\n  - [completed] Write the lexer',
  )
  t.equal(
    section(text, '### In Progress'),
    '- [ ] Fix the adder. => The adder is fixed (npm test failed after that)\n' +
      '- [ ] Please: - write the lexer - write the parser\n- Last tool call: `bash` of npm test: failed',
  )
  t.equal(
    section(text, '## Next Steps'),
    '- Last failed check: `npm test`: 1 test failed (for the newest request: Please: - write the lexer - write the…)\n' +
      '- Finish the newest request:\n  - "Please:": write the parser\n' +
      '- Plan recorded by `TodoWrite`, newest version:\n  - [in_progress] Write the parser\n- Publish it',
  )
})

t.test('the first next step is the most concrete one that the session shows', async (t) => {
  const asked = 'Make the retry of the uploader use exponential backoff, capped at 30 seconds.'
  const first = (...drafts: EntryDraft[]): string =>
    section(summaryOf(messagesOf([user(asked), ...drafts]), undefined, true), '## Next Steps').split('\n')[0] ?? ''
  const edit = (path: string): EntryDraft[] => did(path, 'edit', { path, oldText: 'a', newText: 'b' })
  const test = did('t', 'bash', { command: 'npm test' }, 'not ok 1 - caps\n# pass 1\n# fail 1', true)
  const frame = ' (for the newest request: Make the retry of the uploader use…)'
  const failed = '- Last failed check: `npm test`: 1 of 2 tests failed: caps'
  t.equal(
    first(...edit('retry.ts')),
    '- Finish the newest request: Make the retry of the uploader use… (edited last: `retry.ts`)',
  )
  t.equal(first(...edit('retry.ts'), ...test), failed + frame)
  t.equal(first(...test, ...edit('retry.ts')), `${failed} (before the last edit of \`retry.ts\`)${frame}`)
  const next = assistant('Next I will cap the delay in retry.ts.', [call('n', 'read', { path: 'a.ts' })])
  const said = `- The agent's last words at work: "Next I will cap the delay in retry.ts."${frame}`
  t.equal(first(...test, next, result('n', 'x')), said)
  t.equal(
    first(...test, next, result('n', 'x'), ...edit('retry.ts')),
    `${failed} (before the last edit of \`retry.ts\`)${frame}`,
  )
  const left = [assistant('The delay doubles now. The cap is not done yet.'), user('ok go on, I was at lunch')]
  t.equal(
    first(...edit('retry.ts'), ...left, ...did('r', 'read', { path: 'a.ts' })),
    '- Finish the newest request: Make the retry of the uploader use… (the agent: The cap is not done yet.)',
  )
})

const closings: [name: string, steps: string, ...drafts: EntryDraft[]][] = [
  [
    'an aside',
    '- The newest request is answered. The agent\'s closing words: "june.md is written. I restarted nothing; nothing arrived yet."',
    user('Write the summary of June.'),
    ...did('a', 'write', { path: 'june.md', content: '3210' }),
    assistant('june.md is written. I restarted nothing; nothing arrived yet.'),
  ],
  [
    'what the agent has left, in a list below a line',
    '- The newest request is answered. The agent\'s closing words: "Verkauf und Lager sind umgestellt. Nicht gemacht: - Personal: die Vorlage hat kein Feld für Schichten"',
    user('Stell die drei Berichte auf die neue Vorlage um.'),
    ...did('a', 'edit', { path: 'verkauf.html', oldText: 'a', newText: 'b' }),
    assistant(
      'Verkauf und Lager sind umgestellt.\n\nNicht gemacht:\n\n- Personal: die Vorlage hat kein Feld für Schichten',
    ),
  ],
  [
    'what an answer says is missing, before a long last paragraph',
    '- The newest request has an answer, but is not known to be finished. The agent\'s closing words: "All tests pass. The reports take two seconds now."\n  - the agent: The Excel files are still missing: openpyxl needs its read-only mode.',
    user('Convert the reports, the lists and the Excel files to the new template.'),
    ...did('a', 'edit', { path: 'report.html', oldText: 'a', newText: 'b' }),
    assistant(
      `The reports and lists are converted. ${'Each has its own header now, as in the example. '.repeat(8)}\n\nThe Excel files are still missing: openpyxl needs its read-only mode.\n\nAll tests pass. The reports take two seconds now.`,
    ),
  ],
  [
    'the last paragraph of a long answer',
    '- The newest request is answered. The agent\'s closing words: "The bread of Monday costs 4.20."',
    user('What does the bread of Monday cost?'),
    assistant(`${'Flour got dearer in May. '.repeat(30)}\n\nThe bread of Monday costs 4.20.`),
  ],
  [
    'a question',
    '- The agent waits for the user\'s answer: "I would split it into a reader and a writer. ¿Empiezo con el lector?"',
    user('Plan how to split the importer.'),
    assistant('I would split it into a reader and a writer. ¿Empiezo con el lector?'),
  ],
  [
    'an answer to a question, with the question and what it was about',
    '- Finish the newest request: yes\n' +
      '- It answers the agent\'s question: "I would split it into a reader and a writer. Shall I start?"\n' +
      '- The request before it, which the agent had answered with a question: Plan how to split the importer.',
    user('Plan how to split the importer.'),
    assistant('I would split it into a reader and a writer. Shall I start?'),
    user('yes'),
  ],
  [
    'a list of tasks that is open',
    '- The newest request is answered. The agent\'s closing words: "The first one is sent."\n' +
      '- Plan recorded by `TodoWrite`, newest version:\n  - [pending] Send the second letter',
    user('Send both letters.'),
    ...did('a', 'TodoWrite', {
      todos: [
        { content: 'Send the first letter', status: 'completed' },
        { content: 'Send the second letter', status: 'pending' },
      ],
    }),
    assistant('The first one is sent.'),
  ],
]

for (const [name, steps, ...drafts] of closings)
  t.test(`the next steps quote how an answer closes, and give no order of it: ${name}`, async (t) => {
    const isInTurn = drafts.at(-1)?.message?.role === 'user'
    t.equal(section(summaryOf(messagesOf(drafts), undefined, isInTurn), '## Next Steps'), steps)
  })

t.test('a later summary has the closing words at their request', async (t) => {
  const closing = 'The June sum is 3210.50 EUR in fourteen invoices, and one of them has no number'
  const first = summaryOf(messagesOf([user('Write the summary of June.'), assistant(`${closing}.`)]))
  t.match(section(first, '## Next Steps'), `"${closing}."`)
  t.equal(first.split(closing).length, 2)
  const second = summaryOf(messagesOf([user('What about July?'), assistant('July is empty.')]), first)
  t.match(section(second, '### Done'), `- Write the summary of June. => ${closing}`)
  t.notMatch(section(second, '## Next Steps'), closing)
})

t.test('in a long turn, a part of the request that a commit names is no next step', async (t) => {
  const text = summaryOf(
    messagesOf([
      user('Rename parseAll to parseEach everywhere, then add a cache to the loader, and update the docs.'),
      ...did('a', 'edit', { path: 'parse.ts', oldText: 'parseAll', newText: 'parseEach' }),
      ...did(
        'b',
        'bash',
        { command: 'git commit -qam "Rename parseAll to parseEach"' },
        '[main 1a2b3c4] Rename parseAll to parseEach',
      ),
      ...did('c', 'edit', { path: 'loader.ts', oldText: 'Loader', newText: 'CachedLoader' }),
    ]),
    undefined,
    true,
  )
  t.equal(
    section(text, '## Next Steps'),
    '- Finish the newest request:\n  - add a cache to the loader\n  - update the docs.',
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
    '- Go on with the plan: Fix add\n- Plan recorded by `TaskCreate`, newest version:\n  - [pending] #1 Fix add',
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
    '- The newest request is answered. The agent\'s closing words: "Monday."\n' +
      '- Planned earlier, not confirmed (it may be done or dropped since: look before doing it):\n' +
      "  - [ ] Rename all of the flags, please (interrupted; the user then: 'What time is it, by the way?'; the agent then: 'Ten.')\n" +
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
      // No cut is between a call and its result.
      fc.pre(messages[at]?.role !== 'toolResult')
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
  t.equal(section(text, '### Done'), '- [x] Add the store (said to be done, in commit 1a2b3c4)\n  - Keys are cents')
  t.equal(
    section(text, '### In Progress'),
    '- [ ] Work on app-1. => Let me fix the complexity first:\n' + '- Last tool call: `edit` of lib/hooks.ex: failed',
  )
  t.equal(
    section(text, '## Next Steps'),
    '- Last failed edit: `lib/hooks.ex`: String to replace not found in file. (for the newest request: Work on app-1.)\n' +
      '- The agent\'s last words at work: "Let me fix the complexity first:"\n' +
      '- Last refused commit: Trace hooks\n  - [F] → Function is too complex (13, max is 9). lib/hooks.ex:144:7',
  )
  t.equal(section(text, '## Key Decisions'), '- The old table cannot go on, because its keys are floats.')
})

t.test('the last failed check says which tests failed in its last run', async (t) => {
  const drafts = [
    user('Work on app-1.'),
    ...ran('a', 'npm test', 'not ok 1 - adds\nnot ok 2 - divides\nok 3 - all\n# pass 1\n# fail 2', true),
    ...ran('b', 'npm test', 'ok 1 - adds\nnot ok 2 - divides\nok 3 - all\n# pass 2\n# fail 1', true),
  ]
  t.equal(
    section(summaryOf(messagesOf(drafts), undefined, true), '## Next Steps'),
    '- Last failed check: `npm test`: 1 of 3 tests failed: divides (for the newest request: Work on app-1.)',
  )
})

t.test(
  'a reason is marked if its file has changed since, and the newest check is quoted while nothing has',
  async (t) => {
    const refusal = 'Pre-commit failed\n┃ [F] → Function is too complex (13, max is 9).\n┃   lib/hooks.ex:144:7'
    const changed = (id: string, path: string): EntryDraft[] =>
      did(id, 'Edit', { file_path: path, old_string: 'x', new_string: 'y' })
    const complaint = '[R] Prefer an implicit try.\n  lib/trace.ex:91:5'
    const until = [
      user('Work on app-1.'),
      ...ran('b', 'git add -A && git commit -m "Trace hooks"', refusal, true),
      ...changed('c', 'lib/hooks.ex'),
      ...ran('d', 'mix credo --strict 2>&1 | tail', `${complaint}\nfound 1 code readability issue.`),
      ...changed('e', 'lib/other.ex'),
    ]
    const marked =
      '- Last refused commit: Trace hooks\n' +
      '  - [F] → Function is too complex (13, max is 9). lib/hooks.ex:144:7 (since then: hooks.ex changed once)'
    const current = section(summaryOf(messagesOf(until), undefined, true), '## Next Steps')
    const frame = ' (for the newest request: Work on app-1.)'
    t.equal(
      current.replace(frame, ''),
      '- What the last check complains about: `mix credo --strict 2>&1 | tail`\n' +
        `  - [R] Prefer an implicit try. lib/trace.ex:91:5\n${marked}`,
    )
    const fixed = summaryOf(messagesOf([...until, ...changed('f', 'lib/trace.ex')]), undefined, true)
    t.equal(section(fixed, '## Next Steps').replace(frame, ''), marked)
  },
)

t.test(
  'what an old text announces is no open work, and what it found is marked if its place has changed',
  async (t) => {
    const edit = (id: string, path: string): EntryDraft[] =>
      did(id, 'Edit', { file_path: path, old_string: 'x', new_string: 'y' })
    const text = summaryOf(
      messagesOf([
        user('Work on app-1.'),
        ...ran('z', 'cat big.csv', '1;2;3;4\n'.repeat(3000)),
        assistant('Continuing with app-1. Now let me update both views to pass the new attributes.'),
        ...edit('a', 'lib/views.ex'),
        assistant('The guard of `lib/guard.ex:25` fails, because the session is never nil. Let me simplify it.'),
        ...edit('b', 'lib/guard.ex'),
        ...ran('c', 'mix test', '410 tests, 0 failures'),
        assistant('The keys of the old table are integers in `lib/keys.ex`. Need to add the handler in both views.'),
        ...edit('d', 'lib/views.ex'),
        assistant('Let me fix the other faults. First let me read both files.'),
        ...did('e', 'Read', { file_path: 'lib/other.ex' }),
      ]),
      undefined,
      true,
    )
    const progress = section(text, '### In Progress')
    t.notMatch(progress, /both views|Continuing|simplify/)
    t.match(progress, '  - The keys of the old table are integers in `lib/keys.ex`.')
    t.match(text, '- `mix test`: ok, printed: 410 tests, 0 failures (before 1 later edit)')
    t.match(section(text, '## Next Steps'), '- The agent\'s last words at work: "Let me fix the other faults."')
  },
)

t.test('the open parts of an issue are open tasks once the agent works on one of them', async (t) => {
  const shown =
    '○ app-4 [EPIC] · Trace all   [● P1 · OPEN]\n\nCHILDREN\n  ↳ ✓ app-4.1: Add the deps ● P1\n' +
    '  ↳ ○ app-4.2: Trace the hooks ● P1\n  ↳ ○ app-4.3: Trace the jobs ● P1'
  const looked = messagesOf([user('Work on app-4.'), ...ran('a', 'bd show app-4', shown)])
  t.notMatch(summaryOf(looked, undefined, true), '[open] #app-4.3')
  const text = summaryOf(
    messagesOf([
      user('Work on app-4.'),
      ...ran('z', 'cat big.csv', '1;2;3;4\n'.repeat(3000)),
      ...ran('a', 'bd show app-4', shown),
      ...ran('b', 'bd update app-4.2 --status in_progress', '✓ Updated issue: app-4.2'),
    ]),
    undefined,
    true,
  )
  t.match(
    section(text, '## Next Steps'),
    '  - [in_progress] #app-4.2 Trace the hooks\n  - [open] #app-4.3 Trace the jobs',
  )
  t.match(section(text, '### Done'), '  - [closed] #app-4.1 Add the deps')
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
      '- Do what the user answered: "main was clean; fix it" (the agent asked: "How shall I go on?")',
    )
    t.equal(
      section(first, '### Done'),
      '- Planned earlier, and worked on since (look before doing it again):\n' +
        '  - Fix lib/panel.ex (since then: panel.ex changed once)\n' +
        '  - Fixing lib/panel.ex: (since then: panel.ex changed once)\n' +
        '  - pass `attrs` to lib/panel.ex (since then: panel.ex changed once)',
    )
    t.match(section(first, '### In Progress'), /^- close the session\n- \[ \] Changed files: \[lib\/panel\.ex\]\n/)
    t.match(section(first, '## State of the Code'), '- `lib/panel.ex` (NEW): draws (before 1 later change)')
  },
)

t.test('where the newest request only asks to go on, the open work before it comes first', async (t) => {
  const edit = did('e', 'edit', { path: 'src/a.ts', oldText: 'a', newText: 'b' })
  const steps = (newest: string): string =>
    section(
      summaryOf(
        messagesOf([
          user('Move the discounts to the database, and test them.'),
          ...edit,
          assistant('The discounts are moved. The test of the discounts still fails.'),
          user('Which table has the discounts of last year?'),
          assistant('The table discounts_2025.'),
          user(newest),
          ...edit,
        ]),
        undefined,
        true,
      ),
      '## Next Steps',
    )
  for (const newest of ['deployed, looks good on staging. go on', 'Merged! Tests are green, continue.'])
    t.match(
      steps(newest),
      /^- Asked before it, and not known to be finished: Move the discounts [^\n]* still fails; the user then: 'Which/,
      newest,
    )
  for (const newest of ['Deployed, the metrics look bad. Go on.', 'Looks good. Rename the table.'])
    t.match(steps(newest), /^- Finish the newest request/, newest)
})

t.test(
  'what the agent was at when the user added something is a next step too, until the work has ended',
  async (t) => {
    const edit = did('e', 'edit', { path: 'src/a.ts', oldText: 'a', newText: 'b' })
    const asked = 'Give each customer a discount of at most 50 percent.'
    const steps = (...drafts: EntryDraft[]): string =>
      section(summaryOf(messagesOf(drafts), undefined, true), '## Next Steps')
    t.equal(
      steps(
        user(asked),
        ...edit,
        user('/compact and go on with the rest'),
        user('By the way, at most 40 percent.'),
        ...edit,
      ),
      `- Finish the newest request: By the way, at most 40 percent. (edited last: \`src/a.ts\`)\n- Asked before it, and not known to be finished: Give each customer a discount of at…`,
    )
    t.equal(
      steps(user(asked), ...edit, assistant('It is implemented.'), user('By the way, at most 40 percent.'), ...edit),
      '- Finish the newest request: By the way, at most 40 percent. (edited last: `src/a.ts`)',
    )
  },
)

t.test('an item of a list never stands without the line above its list, and a list of bans is no step', async (t) => {
  const stepsOf = (request: string, ...drafts: EntryDraft[]): string =>
    section(summaryOf(messagesOf([user(request), ...drafts]), undefined, true), '## Next Steps')
  const look = [assistant('', [call('a', 'read', { path: 'a' })])]
  const head = '- Finish the newest request:\n'
  t.equal(
    stepsOf('Do\n- fix the login\n- run the tests\n\nJo does these.\n- the mails\n- the invoices', ...look),
    `${head}  - "Do": fix the login\n  - "Do": run the tests\n  - "Jo does these.": the mails\n  - "Jo does these.": the invoices`,
  )
  t.notMatch(stepsOf('Fix the login. Do not:\n- deploy to prod\n- delete users', ...look), '  - ')
  const answered = messagesOf([user('Off limits:\n- the mails\n- the invoices'), assistant('The invoices are done.')])
  t.match(summaryOf(answered), 'The answer does not name: "Off limits:": the mails')
})

for (const answer of ['All but 2 are done.', '1 and 3 are done, 2 is not done.', '1) and 3) are done, 2) comes later.'])
  t.test(
    `an answer names the items of a list by their numbers, and leaves them open in doubt: ${answer}`,
    async (t) => {
      const request = 'Some bits:\n1) runbook: a new name\n2) drop the old nodes\n3) versions table in README'
      const summary = summaryOf(messagesOf([user(request), assistant(answer)]))
      t.notMatch(summary, 'does not name')
      t.match(summary, /^  - .*drop the old nodes.*the answer names its number/m)
    },
  )

t.test(
  'words with a file that the agent has not named stay quoted over compactions, until it names that',
  async (t) => {
    const edit = (path: string) => did(path, 'edit', { path, oldText: 'a', newText: 'b' })
    const asked = user('Add a --debug flag. Mention it in docs/debug.md too.')
    const quoted = '"Mention it in docs/debug.md too." (the user\'s words; the agent has not named docs/debug.md since'
    const first = summaryOf(messagesOf([asked, ...edit('src/cli.ts'), assistant('The flag is added.')]))
    t.match(section(first, '## Next Steps'), `  - ${quoted})`)
    const second = summaryOf(messagesOf([user('Which version of node is it?'), assistant('It is 22.')]), first)
    t.match(section(second, '## Next Steps'), `  - ${quoted})`)
    const kept = summaryOf(messagesOf([user('Jo writes debug.md. And the lexer?'), assistant('It is there.')]), second)
    t.match(section(kept, '## Next Steps'), `  - ${quoted}; the user then: 'Jo writes debug.md.')`)
    const named = summaryOf(messagesOf([user('Go on, please.'), ...edit('docs/debug.md'), assistant('Done.')]), second)
    t.notMatch(section(named, '## Next Steps'), 'Mention it')
  },
)

t.test('the parts of the newest request stay next steps over three compactions, and end with its turn', async (t) => {
  const asked = user('Please:\n- write the lexer of the reader\n- write the parser of the reader')
  const first = summaryOf(
    messagesOf([asked, ...did('a', 'edit', { path: 'src/a.ts', oldText: 'a', newText: 'b' })]),
    undefined,
    true,
  )
  const steps =
    '- Finish the newest request:\n  - "Please:": write the lexer of the reader\n  - "Please:": write the parser of the reader'
  t.equal(section(first, '## Next Steps'), steps)
  const second = summaryOf(messagesOf(did('b', 'edit', { path: 'src/b.ts', oldText: 'a', newText: 'b' })), first, true)
  t.equal(section(second, '## Next Steps'), steps)
  const third = summaryOf(
    messagesOf([assistant('Both are written.'), user('Thanks. Now close the issue, please.')]),
    second,
  )
  t.equal(section(third, '## Next Steps'), '- Finish the newest request: Thanks. Now close the issue, please.')
  t.match(
    section(third, '### Done'),
    '- [x] Please: - write the lexer of the reader - write the parser of the reader => Both are written [src/a.ts, src/b.ts] (said to be done)',
  )
})

t.test('what is known of a request that was left open survives the next compactions with its answer', async (t) => {
  const left = [
    user('Rename all of the flags, please.'),
    assistant('Half of the flags are renamed.', [call('e', 'edit', { path: 'src/f.ts', oldText: 'a', newText: 'b' })]),
    result('e', 'ok', { toolName: 'edit' }),
    assistant('', [], { stopReason: 'aborted' }),
  ]
  const first = summaryOf(messagesOf(left))
  const request = 'Rename all of the flags, please. => Half of the flags are renamed [src/f.ts] (interrupted)'
  t.equal(section(first, '### In Progress'), `- [ ] ${request}`)
  const other = (text: string): EntryDraft[] => [user(text), assistant('It is fixed.')]
  const second = summaryOf(messagesOf(other('Fix the date of the day, please.')), first)
  const third = summaryOf(messagesOf(other('And fix the date of the week, please.')), second)
  for (const text of [second, third]) {
    t.match(section(text, '### Done'), `- ${request}`)
    t.equal(section(text, '### In Progress'), '(none)')
  }
})

t.test('what is missing beside what was asked does not keep a request open, once the user goes on', async (t) => {
  const turns = [
    user('Read the files of the office.'),
    assistant('The files are read now, and all tests pass. Not done: dates of leap years are not checked.'),
    user('Write the report of the month.'),
    assistant('', [call('e', 'edit', { path: 'src/f.ts', oldText: 'a', newText: 'b' })]),
    result('e', 'ok', { toolName: 'edit' }),
  ]
  const text = summaryOf(messagesOf(turns), undefined, true)
  t.match(
    section(text, '### Done'),
    /^- Read the files of the office\. => .* Not done: dates of leap years are not checked \(answered\)/,
  )
  t.notMatch(section(text, '### In Progress'), 'office')
})

t.test('a request stays done where a client wakes the agent after its answer', async (t) => {
  const woken: EntryDraft = user('<task-notification>\n<task-id>b1</task-id>\n</task-notification>')
  const text = summaryOf(
    messagesOf([
      user('Fix the adder of the book.'),
      assistant('The adder is fixed.'),
      woken,
      ...did('r', 'read', { path: 'out' }),
    ]),
    undefined,
    true,
  )
  t.match(section(text, '### Done'), '- [x] Fix the adder of the book. => The adder is fixed (said to be done)')
})

t.test('what an earlier summary says is not committed is over, or marked, with a commit', async (t) => {
  const text = summaryOf(
    messagesOf([user('Go on.'), ...ran('a', 'git commit -m "Add the store"', '[main 1a2b3c4] Add the store')]),
    '## Primary Request\nWork.\n\n## Current Work\nThe code is NOT committed.\n\n## Next Steps\n- Commit the changes of the store.\n- Commit the store and push it.\n\n' +
      '## Errors and Fixes\n- The store is fixed, but not committed.',
    true,
  )
  t.notMatch(section(text, '## Next Steps'), 'Commit the changes')
  t.equal(
    section(text, '### Done'),
    '- [x] Add the store (said to be done, in commit 1a2b3c4)\n' +
      '- Planned earlier, and worked on since (look before doing it again):\n' +
      '  - Commit the store and push it. (since then: commit 1a2b3c4)',
  )
  t.match(text, '- The store is fixed, but not committed (said earlier; since then: commit 1a2b3c4).')
})

const STEPS = [
  '## Next Steps',
  '- **app-3** (in_progress): draw the panels',
  '  - pass the attributes to lib/panel.ex',
  '  - add tests for the panels',
  '- make lib/panel.ex and lib/page.ex smaller',
  '- Fix lib/panel.ex, e.g. its guard',
].join('\n')
const WORKED = '- Planned earlier, and worked on since (look before doing it again):'
const editedPanel = did('e', 'edit', { path: 'lib/panel.ex', old_string: 'a', new_string: 'b' })
const SMALLER = '  - make lib/panel.ex and lib/page.ex smaller (since then: panel.ex changed once)'

t.test(
  'a step that was worked on is over once the agent has reported on it, if all of its files were changed',
  async (t) => {
    const doneAfter = (...drafts: EntryDraft[]): string =>
      section(summaryOf(messagesOf([user('Go on.'), ...editedPanel, ...drafts]), STEPS), '### Done')
    const fix = '  - Fix lib/panel.ex, e.g. its guard (since then: panel.ex changed once)'
    const pass = '  - pass the attributes to lib/panel.ex (app-3) (since then: panel.ex changed once)'
    t.equal(doneAfter(), [WORKED, pass, SMALLER, fix].join('\n'))
    t.match(doneAfter(...ran('c', 'git commit -m "Add it"', '[main 1a2b3c4] Add it')), `\n${WORKED}\n${SMALLER}`)
    t.match(doneAfter(assistant('The panel is fixed.')), new RegExp(`${escapeRegExp(`${WORKED}\n${SMALLER}`)}$`))
    t.match(
      doneAfter(assistant('I could not test the panel.')),
      new RegExp(`${escapeRegExp([WORKED, pass, SMALLER, fix].join('\n'))}$`),
    )
  },
)

t.test('the parts of an issue are over with it, also where files were changed later', async (t) => {
  const closed = ran('c', 'bd close app-3', 'Closed app-3')
  const text = summaryOf(messagesOf([user('Go on.'), ...closed, ...editedPanel]), STEPS, true)
  t.match(section(text, '### Done'), `\n${WORKED}\n${SMALLER}\n`)
  t.notMatch(text, 'pass the attributes')
  t.notMatch(text, 'add tests for the panels')
})

t.test('steps that were worked on are carried on until the agent reports on anything', async (t) => {
  const first = summaryOf(messagesOf([user('Go on.'), ...editedPanel]), STEPS, true)
  const look = did('r', 'read', { path: 'lib/other.ex' })
  t.match(section(summaryOf(messagesOf(look), first, true), '### Done'), SMALLER)
  const fixed = summaryOf(messagesOf([...look, assistant('The panels are fixed.')]), first)
  t.notMatch(fixed, 'make lib/panel.ex and lib/page.ex smaller')
})

t.test(
  'a step that the agent has named before the newest request was worked on if its files were changed since',
  async (t) => {
    const text = summaryOf(
      messagesOf([
        user('Fix the adder of the book.'),
        assistant('The adder is fixed.\n\nNext steps:\n- let src/a.ts use the adder\n- ask for the colours'),
        user(
          'Please write the report of the month now, and make sure that it has all of the numbers of the year before.',
        ),
        ...did('e', 'edit', { path: 'src/a.ts', old_string: 'a', new_string: 'b' }),
        ...did('r', 'read', { path: 'report.md' }, 'A line of the report. '.repeat(200)),
      ]),
      undefined,
      true,
    )
    t.match(section(text, '### Done'), `${WORKED}\n  - let src/a.ts use the adder (since then: a.ts changed once)`)
    t.match(section(text, '## Next Steps'), /- Planned earlier, not confirmed [^\n]*:\n  - ask for the colours$/)
  },
)

t.test(
  'errors are those that did not pass: of a file that was changed since, of staging before a commit, of earlier rounds',
  async (t) => {
    const failing = [
      user('Fix the adder of the book.'),
      ...did(
        'a',
        'Edit',
        { file_path: '/p/a.ts', old_string: 'x', new_string: 'y' },
        'String not found in file.',
        true,
      ),
      ...did('b', 'Write', { file_path: '/p/a.ts', content: 'x' }),
      ...ran('c', 'git add dist/a.js', 'The following paths are ignored by one of your .gitignore files', true),
      ...ran('d', 'git commit -m "Fix it"', '[main 1a2b3c4] Fix it'),
      ...ran('e', 'make docs', 'Error: no such target', true),
    ]
    const first = summaryOf(messagesOf(failing), undefined, true)
    t.same(first.match(/^- Error.*$/gm), ['- Error: Error: no such target'])
    const second = summaryOf(messagesOf(ran('f', 'make all', 'ok')), first, true)
    t.same(second.match(/^- Error.*$/gm), ['- Error seen earlier: Error: no such target'])
  },
)

t.test('a claim is not ticked beside a failing script of tests, and greetings are no questions', async (t) => {
  const text = summaryOf(
    messagesOf([
      assistant('Hello! How can I help you today?'),
      user('Fix the failing test in calc.py.'),
      ...ran('a', 'python3 test_calc.py', 'AssertionError: 0 != 4', true),
      assistant('Fixed: add() returned a - b.'),
    ]),
  )
  t.match(section(text, '### In Progress'), '- [ ] Fix the failing test in calc.py. => Fixed: add() returned a - b (')
  t.equal(section(text, '## Key Decisions'), '(none)')
})

t.test('what an earlier summary says is unresolved is open work', async (t) => {
  const earlier =
    '## Progress\n- [x] Fixed the adder\n\nUNRESOLVED: the test of dates is flaky\n\n## Critical Context\n- It adds.'
  const text = summaryOf(messagesOf([user('Split the view.'), assistant('It is split.')]), earlier, true)
  t.notMatch(section(text, '### Done'), 'flaky')
  t.match(section(text, '## Next Steps'), 'UNRESOLVED: the test of dates is flaky')
})

t.test('greetings and commands of a shell are no work that was done, and an answer is', async (t) => {
  const said = ['yo', 'ls -la', 'cat a.ts', 'Drop the table of months.', 'yes', 'thanks']
  const answers = [
    'Hi.',
    'There are two files.',
    'It adds.',
    'Shall I drop its index too?',
    'Both are dropped.',
    'Bye.',
  ]
  const turns = said.flatMap((words, index) => [user(words), assistant(answers[index] ?? '')])
  const done = section(
    summaryOf(messagesOf([...turns, user('Go on with the view.'), assistant('It is split.')])),
    '### Done',
  )
  t.match(done, /Drop the table of months[^]*- (?:\[x\] )?yes => Both are dropped/)
  t.notMatch(done, /yo =>|ls -la|cat a\.ts|thanks/)
})

t.test(
  'steps about issues that a tracker has closed, and lines that repeat the request, are no next steps',
  async (t) => {
    const closed = ran('c', 'bd close app-1 --reason "All tests pass"', 'Closed app-1: All tests pass')
    const text = summaryOf(
      messagesOf([user('Go on with the issues, please.'), ...closed]),
      '## Primary Request\nWork.\n\n## Pending Tasks\n- **app-1**: Trace the store\n- **app-2**: Trace the view\n\n' +
        '## Next Step\nThe user\'s original request was: "Work on app-1."',
      true,
    )
    t.notMatch(section(text, '## Next Steps'), /app-1|original request/)
    t.match(text, '- **app-2**: Trace the view')
  },
)

t.test('the advice of an environment is no part of a request, and the words below its list are', async (t) => {
  const request =
    'Please:\n- write the lexer\n- write the parser\n\nWhen it is done, update the README.\n\nGENERAL TIPS:\n1. Look twice at each file\n2. Think'
  const text = summaryOf(
    messagesOf([user(request.split('\n\nGENERAL')[0] ?? ''), assistant('', [call('a', 'read', { path: 'a' })])]),
    undefined,
    true,
  )
  t.match(section(text, '## Next Steps'), '  - "Please:": write the parser\n  - When it is done, update the README.')
  const advised = summaryOf(
    messagesOf([user(request), assistant('', [call('a', 'read', { path: 'a' })])]),
    undefined,
    true,
  )
  t.notMatch(section(advised, '## Next Steps'), 'Look twice')
})

t.test('thoughts between tags are no words of the agent', async (t) => {
  const text = summaryOf(
    messagesOf([
      user('Fix the adder of the book.'),
      assistant('<think>It is done, I think.</think>\n\nThe cause is a typo.'),
    ]),
  )
  t.notMatch(text, 'think')
  t.match(section(text, '### Done'), 'The cause is a typo')
})

t.test('in a turn, the last command that failed is among the next steps, until another one succeeds', async (t) => {
  const published = [
    user('Publish it.'),
    ...did('a', 'bash', { command: 'npm publish' }, 'building\nerror TS2554: Expected 0-4 arguments, but got 5.', true),
  ]
  const stepsOf = (drafts: EntryDraft[]): string =>
    section(summaryOf(messagesOf(drafts), undefined, true), '## Next Steps')
  t.equal(
    stepsOf(published),
    '- Last command, which failed: `npm publish` (for the newest request: Publish it.)\n  - error TS2554: Expected 0-4 arguments, but got 5.',
  )
  t.equal(
    stepsOf([...published, ...did('b', 'bash', { command: 'npm publish' }, 'published')]),
    '- Finish the newest request: Publish it.',
  )
})

for (const [failed, passed, hasPassed = true] of [
  ['make -C . check', 'make check'],
  ['make -C /work/p check', 'cd /work/p && make check'],
  ['gmake -C /work/p check', 'cd /work/p && gmake check'],
  ['npm --prefix /work/p test', 'cd /work/p; npm t'],
  ['npm --prefix /srv/web test', 'npm test', false],
  ['npm -C ./p t', 'cd p && npm test'],
  ['npm --prefix . test', 'npm test'],
  ['npm --prefix web t', 'npm test', false],
  ['npm t', 'npm --prefix web test', false],
  ['gmake -C firmware check', 'gmake check', false],
  ['npm t', 'npm run test'],
  ['yarn --cwd /work/p test', 'cd /work/p && yarn test'],
  ['pnpm --dir /work/p t', 'cd /work/p && pnpm test'],
  ['cargo test --manifest-path p/Cargo.toml', 'cd p && cargo test'],
  ['go -C ./p test ./...', 'cd p && go test ./...'],
  ['go -C tools test ./...', 'go test ./...', false],
  ['make -C /work/p check', 'make lint', false],
  ['make -C /work/p check', 'make -C /work/q check', false],
  ['npm --prefix ./p test', 'npm --prefix ./q test', false],
] as const)
  t.test(`a command that has failed is over when it passes in another spelling: ${failed}, ${passed}`, async (t) => {
    const ran = [
      ...did('a', 'bash', { command: failed }, 'error: exit 1', true),
      ...did('b', 'bash', { command: passed }),
    ]
    const steps = section(summaryOf(messagesOf([user('Make it pass.'), ...ran]), undefined, true), '## Next Steps')
    t.equal(/failed/.test(steps), !hasPassed, steps)
  })

t.test('a file that was deleted has no state', async (t) => {
  const text = summaryOf(
    messagesOf([
      user('Try a theme.'),
      assistant('Words without weight. '.repeat(300)),
      ...did('a', 'write', { path: 'themes/nord.json', content: '{\n  "accent": "nord8"\n}' }),
      ...did('b', 'bash', { command: 'rm themes/nord.json' }, ''),
    ]),
  )
  t.equal(section(text, '## State of the Code'), '(none)')
})

t.test('messages of the user that a client keeps beside its summary are no open work', async (t) => {
  const kept = [
    user('Add a discount to total(): a fixed amount.'),
    user('Wait: it must be a percentage.'),
    user('Round in total().'),
  ]
  const text = summaryOf(
    messagesOf([...kept, ...did('a', 'bash', { command: 'npm test' }, 'ok')]),
    '## Progress\n\n### Done\n- [x] The discount',
    true,
  )
  t.equal(section(text, '## Next Steps'), '- Finish the newest request: Round in total().')
  t.equal(section(text, '### In Progress'), '- [ ] Round in total().\n- Last tool call: `bash` of npm test: ok')
})

t.test('work that the user has stopped is no next step, but it is in progress', async (t) => {
  const text = summaryOf(
    messagesOf([
      user('Let the server answer with a file of its folder.'),
      ...did('a', 'edit', { path: 'server.mjs', oldText: 'a', newText: 'b' }),
      assistant('The request is not answered at all: the error ends the process.'),
      user('Wait. Stop here, I have to leave. Tell me which file names sessions.'),
      ...did('b', 'read', { path: 'apis.md' }),
    ]),
    undefined,
    true,
  )
  t.match(
    section(text, '### In Progress'),
    /- \[ \] Let the server answer .*\(stopped by the user; the user then: 'Wait\. Stop here/,
  )
  t.notMatch(section(text, '## Next Steps'), 'Let the server')
})

t.test('what an agent says is missing stands once on a line', async (t) => {
  const missing = 'The old rows could not be read.'
  const text = summaryOf(messagesOf([user('Import the rows of the year.'), assistant(missing)]))
  t.ok(text.split('\n').every((line) => line.split(missing.slice(0, -1)).length < 3))
})

t.test('below a request that is done, no short sentence says what failed on the way', async (t) => {
  const text = summaryOf(
    messagesOf([
      user('Port the tests to the new theme.'),
      assistant('These are missing the theme of `markdown.test.ts`.'),
      ...did('a', 'edit', { path: 'markdown.test.ts', oldText: 'a', newText: 'b' }),
      assistant('The signature of `Markdown` has the theme as its fourth parameter: all calls get it.'),
      ...did('b', 'edit', { path: 'markdown.test.ts', oldText: 'b', newText: 'c' }),
      ...ran('z', 'cat big.csv', '1;2;3;4\n'.repeat(3000)),
      assistant('All tests are ported.'),
      user('Thanks.'),
      assistant('Welcome.'),
    ]),
  )
  t.equal(
    section(text, '### Done').split('\n').slice(0, 2).join('\n'),
    '- [x] Port the tests to the new theme. => All tests are ported [markdown.test.ts] (said to be done)\n' +
      '  - The signature of `Markdown` has the theme as its fourth parameter: all calls get it.',
  )
})

t.test('what the agent said of work that the user has undone is left out', async (t) => {
  const text = summaryOf(
    messagesOf([
      user('Port the selector.'),
      assistant('I have ported the selector.\n\nIt uses `listContainer` as a child of the container for its items.'),
      user('I undid your changes, try again.'),
      ...ran('z', 'cat big.csv', '1;2;3;4\n'.repeat(3000)),
      assistant('Done.'),
    ]),
  )
  t.match(section(text, '### Done'), '- Port the selector. => I have ported the selector (undone by the user)')
  t.notMatch(text, 'listContainer')
})

t.test('a command of a client that was interrupted alone is no request, and an attached file is no fact', async (t) => {
  const aborted = assistant('', [], { stopReason: 'aborted' })
  const text = summaryOf(messagesOf([user('Fix it.'), assistant('Fixed.'), user('/them'), aborted, user('Next one.')]))
  t.notMatch(text, '/them')
})

t.test('a step about an issue that the list of the tracker has open is no step of its own', async (t) => {
  const shown = '○ app-1.2: Write the runbook ● P1'
  const text = summaryOf(
    messagesOf([
      user('Work on app-1.'),
      ...ran('a', 'bd show app-1', `app-1 · Tracing [● P1 · OPEN]\n\nCHILDREN\n  ↳ ${shown}`),
      ...ran('b', 'bd update app-1.2 --status in_progress', '✓ Updated issue: app-1.2'),
      assistant('I have read it.\n\nNext steps:\n- app-1.2: write the runbook and its tests\n- Publish the package'),
    ]),
    undefined,
    true,
  )
  t.notMatch(section(text, '## Next Steps'), 'write the runbook and its tests')
  t.match(section(text, '## Next Steps'), '- Publish the package')
})

t.test('what waits for somebody is blocked, with what the user has said of it since', async (t) => {
  const words = 'Leave the sum alone until the accountant has confirmed it, that test stays red.'
  const blocked = (text: string): string => section(text, '### Blocked')
  const begun = [user(words), assistant('I leave it.'), user('Now describe the table.'), assistant('It is described.')]
  const first = summaryOf(messagesOf(begun))
  t.equal(blocked(first), `- Waits for somebody, in the user's words: "${words}"`)
  const later = (said: string): string => blocked(summaryOf(messagesOf([user(said), assistant('Fine.')]), first))
  t.equal(later('Now the colours of the table.'), blocked(first))
  const come = 'The accountant has confirmed the sum, write 10.22.'
  t.equal(later(come), `${blocked(first)} (said earlier; since then: the user said "${come}")`)
  for (const other of ['Run it until all tests pass.', 'Do not stop until you have confirmed it.'])
    t.equal(blocked(summaryOf(messagesOf([user(other), assistant('Fine.')]))), '(none)', other)
})

t.test('a report of failures is over once files were changed and a check has passed', async (t) => {
  const reported = [
    user('Say what a firing costs.'),
    assistant('Two of the new tests fail: the total is 10.14 instead of 10.11.', [
      call('e', 'edit', { path: 'cost.js', oldText: 'a', newText: 'b' }),
    ]),
    result('e', 'ok', { toolName: 'edit' }),
  ]
  const decisions = (...drafts: EntryDraft[]): string =>
    section(summaryOf(messagesOf([...drafts, assistant('That is all there is to say of it.')])), '## Key Decisions')
  t.match(decisions(...reported), 'Two of the new tests fail')
  t.match(decisions(...reported, ...did('t', 'bash', { command: 'npm test' }, '1 failing', true)), 'Two of the new')
  t.equal(decisions(...reported, ...did('t', 'bash', { command: 'npm test' }, '# fail 0')), '(none)')
  const chosen = 'A retry must not fail, because the client sends it once, so I keep its id.'
  t.match(
    decisions(
      user('Add retries.'),
      assistant(chosen),
      ...did('e', 'edit', { path: 'retry.js', oldText: 'a', newText: 'b' }),
      ...did('t', 'bash', { command: 'npm test' }, '# fail 0'),
    ),
    chosen,
  )
})

t.test(
  'of many commits, the newest ten have lines, over two compactions too, and the others are counted',
  async (t) => {
    const commits = (from: number, count: number): EntryDraft[] =>
      Array.from({ length: count }, (_, n) => from + n).flatMap((n) =>
        ran(`c${n}`, `git commit -m "Port module ${n}"`, `[main ${String(n).padStart(7, 'a0')}] Port module ${n}`),
      )
    const long = ran('z', 'cat big.csv', '1;2;3;4\n'.repeat(3000))
    const written = (from: number): string =>
      Array.from(
        { length: 10 },
        (_, n) => `- [x] Port module ${from + n} (said to be done, in commit ${String(from + n).padStart(7, 'a0')})`,
      ).join('\n')
    const first = summaryOf(messagesOf([user('Port all modules.'), ...long, ...commits(10, 60)]), undefined, true)
    t.match(section(first, '### Done'), `(50 older items are left out.)\n${written(60)}`)
    const second = summaryOf(messagesOf([...long, ...commits(70, 8), assistant('All are ported.')]), first)
    t.match(section(second, '### Done'), `(58 older items are left out.)\n${written(68)}`)
  },
)

t.test(
  'a step that a list, a commit and an earlier summary have is done once, and its copies are no next steps',
  async (t) => {
    const todos = (first: string, second: string) => ({
      todos: [
        { content: 'Add a retry to the uploader', status: first },
        { content: 'Write docs', status: second },
        { content: 'Publish the notes', status: 'pending' },
      ],
    })
    const earlier =
      '## Goal\nShip it.\n\n## Progress\n\n### In Progress\n- [ ] Add a retry to the uploader\n\n## Next Steps\n1. Add retries to uploader\n2. Write the docs\n3. Publish notes\n4. Tag it'
    const text = summaryOf(
      messagesOf([
        user('Go on with the plan.'),
        ...ran('z', 'cat big.csv', '1;2;3;4\n'.repeat(3000)),
        ...did('a', 'todowrite', todos('in_progress', 'pending')),
        ...ran(
          'b',
          'git commit -m "feat(up): add a retry to the uploader"',
          '[main 1a2b3c4] feat(up): add a retry to the uploader',
        ),
        ...did('d', 'todowrite', todos('completed', 'completed')),
        assistant('I need the token for the rest.'),
        user('Here it is: 12.'),
      ]),
      earlier,
    )
    t.equal(
      section(text, '### Done'),
      '- Go on with the plan. => I need the token for the rest (answered)\n- [x] Plan recorded by `todowrite`, what is done:\n  - [completed] Add a retry to the uploader\n  - [completed] Write docs',
    )
    t.equal(
      section(text, '## Next Steps'),
      '- Finish the newest request: Here it is: 12.\n' +
        '- Plan recorded by `todowrite`, newest version:\n  - [pending] Publish the notes\n' +
        '- Planned earlier, not confirmed (it may be done or dropped since: look before doing it):\n  - Tag it',
    )
  },
)

t.test(
  'a wish that the agent has left, what was interrupted and what the user postpones are among the next steps, and not only done',
  async (t) => {
    const messages = messagesOf([
      user('Read dates from the files.'),
      assistant('Dates can be read. Not done: 31.02.2026 passes the pattern.'),
      user('Bump the version to 2.0.0 and tag it.'),
      assistant('Bumped to 2.0.0. I did not tag it because the working tree is dirty.'),
      user('Move the retry logic to src/retry.ts.'),
      assistant('', [], { stopReason: 'aborted' }),
      user('Remove the flag newNav everywhere.'),
      assistant('Removed the flag from src/a.ts. src/b.ts is generated, so you will have to change its template.'),
      user('Cache the lookups and document them in docs/cache.md.'),
      assistant('Caching is in. Shall I write docs/cache.md now?'),
      user('no, later'),
      assistant('OK, docs/cache.md is left for later.'),
      ...['Which port is it?', 'Which host is it?', 'How many tests do we have?'].flatMap((question) => [
        user(question),
        assistant('See the config.'),
      ]),
    ])
    const summary = summaryOf(messages)
    t.match(section(summary, '### Done'), '\n- Read dates from the files. => Dates can be read.', 'its rest is done')
    const steps = [
      "  - tag it. (the agent: I did not tag it because the working tree is dirty; the user then: 'Move the retry logic to src/retry.ts.')",
      "  - [ ] Move the retry logic to src/retry.ts (interrupted; the user then: 'Remove the flag newNav everywhere.'; the agent then: 'Removed the flag from src/a.ts. src/b.ts is generated, so…')",
      '- What the agent said to be missing of earlier requests (it may be settled since):',
      '  - "Not done: 31.02.2026 passes the pattern." (of: Read dates from the files.; the user then: \'Bump the version to 2.0.0 and tag it.\')',
      '  - "src/b.ts is generated, so you will have to change its template." (of: Remove the flag newNav everywhere.; the user then: \'Cache the lookups and document them in docs/cache.md.\')',
      "- Postponed or to be left, in the user's words (not to be done before its time):",
      '  - "no, later" (the agent had asked: "Caching is in. Shall I write docs/cache.md now?")',
    ]
    t.strictSame(section(summary, '## Next Steps').split('\n').slice(-steps.length), steps)
    const later = section(
      summaryOf(messagesOf([user('And the log?'), assistant('See the log.')]), summary),
      '## Next Steps',
    )
    t.match(later, steps.slice(-5).join('\n'), 'what is missing or postponed stays at a later compaction')
  },
)
