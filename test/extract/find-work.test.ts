import t from 'tap'
import { findWork } from '../../src/extract/find-work.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { findTaskTitles } from '../../src/extract/task-lists.ts'
import type { ToolResultMessage } from '../../src/session/message.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../support/build-entries.ts'

type Around = Parameters<typeof findWork>[1]

/** The items of a session, each on one line: its kind, text, state, the message that shows it, and the note. */
const workOf = (drafts: EntryDraft[], around?: Around): string[] =>
  findWork(pairMessages(buildEntries(drafts).map(({ message }) => message!)), around).items.map(
    ({ kind, id, text, state, provenAt, note, isOlder }) =>
      `${kind} ${id === undefined ? '' : `#${id} `}${text} => ${state}${provenAt === undefined ? '' : ` @${provenAt}`}` +
      `${note === undefined ? '' : ` (${note})`}${isOlder && kind !== 'request' && kind !== 'wish' ? ' older' : ''}`,
  )

let calls = 0

/** A call with its result. */
function did(name: string, args: unknown, output = 'ok', extras: Partial<ToolResultMessage> = {}): EntryDraft[] {
  const id = `c${calls++}`
  return [assistant('', [call(id, name, args)]), result(id, output, { toolName: name, ...extras })]
}

const ran = (command: string, output = '', exitCode = 0): EntryDraft[] =>
  did('bash', { command }, output, { exitCode, isError: exitCode !== 0 })

const TODOS = (first: string, second: string, field = 'content') => [
  { [field]: 'Fix add', status: first },
  { [field]: 'Run tests', status: second },
]

const TWO_TASKS = ['task Fix add => done @4', 'task Run tests => open @2']

/** Each tool says twice which tasks there are: first both are open, then the first one is done. */
const tools: Record<string, EntryDraft[][]> = {
  'TodoWrite of Claude Code': [
    did('TodoWrite', { todos: TODOS('in_progress', 'pending') }),
    did('TodoWrite', { todos: TODOS('completed', 'in_progress') }, 'Todos have been modified successfully.'),
  ],
  'update_plan of Codex': [
    did('update_plan', { plan: TODOS('in_progress', 'pending', 'step') }),
    did('update_plan', { explanation: 'One is done.', plan: TODOS('completed', 'pending', 'step') }, 'Plan updated', {
      isUnmarked: true,
    }),
  ],
  'todowrite and todoread of opencode': [
    did('todowrite', { todos: TODOS('in_progress', 'pending') }),
    did('todowrite', { todos: TODOS('completed', 'pending') }, JSON.stringify(TODOS('completed', 'pending'))),
    did('todoread', {}, JSON.stringify(TODOS('completed', 'pending'))),
  ],
  'write_todos of Gemini CLI': [
    did('write_todos', { todos: TODOS('in_progress', 'pending', 'description') }),
    did(
      'write_todos',
      { todos: TODOS('completed', 'pending', 'description') },
      'Successfully updated the todo list. The current list is now:\n1. [completed] Fix add',
    ),
  ],
  'todo_write of Qwen Code': [
    did('todo_write', { todos: TODOS('in_progress', 'pending').map((todo, index) => ({ id: `${index}`, ...todo })) }),
    did('todo_write', { todos: TODOS('completed', 'pending').map((todo, index) => ({ id: `${index}`, ...todo })) }),
  ],
  'task_progress of Cline': [
    did('read_file', { path: 'a.ts', task_progress: '- [ ] Fix add\n- [ ] Run tests' }),
    did('replace_in_file', { path: 'a.ts', task_progress: '- [x] Fix add\n- [ ] Run tests' }),
  ],
  'update_todo_list of Roo and Kilo': [
    did('update_todo_list', { todos: '[-] Fix add\n[ ] Run tests' }),
    did('update_todo_list', { todos: '[x] Fix add\n[-] Run tests' }, 'Todo list updated successfully.'),
  ],
  'todo of oh-my-pi': [
    did(
      'todo',
      { op: 'init', items: ['Fix add', 'Run tests'] },
      'Remaining items (2):\n  - Fix add [in_progress] (Work)\n  Work:\n    - [ ] Fix add (in progress)\n    - [ ] Run tests',
    ),
    did(
      'todo',
      { op: 'done', task: 'Fix add' },
      'Remaining items (1):\n  - Run tests [in_progress] (Work)\n  Work:\n    - [X] Fix add\n    - [ ] Run tests (in progress)',
    ),
  ],
  'task_tracker of OpenHands': [
    did('task_tracker', { command: 'plan', task_list: TODOS('in_progress', 'todo', 'title') }),
    did(
      'task_tracker',
      { command: 'plan', task_list: TODOS('done', 'todo', 'title') },
      'Task list has been updated with 2 items.',
    ),
    did('task_tracker', { command: 'view', task_list: [] }, '# Task List'),
  ],
  'a tool of a server': [
    did('mcp__board__set_plan', { entries: TODOS('in_progress', 'pending') }),
    did('mcp__board__set_plan', { entries: TODOS('completed', 'pending') }),
  ],
}

for (const [name, changes] of Object.entries(tools))
  t.test(`a task is done where ${name} says so`, async (t) => {
    t.strictSame(workOf([user('Fix the adder.'), ...changes.flat()]).slice(1), TWO_TASKS)
  })

/** A new version of Codex's plan. @param steps each with its status after a colon */
const planned = (...steps: string[]): EntryDraft[] =>
  did('update_plan', {
    plan: steps.map((step) => ({ step: step.split(': ')[0], status: step.split(': ')[1] })),
  })

const created = (id: string, subject: string): EntryDraft[] =>
  did('TaskCreate', { subject, description: '...' }, `Task #${id} created successfully: ${subject}`)
const updated = (taskId: string, status: string, output = `Updated task #${taskId} status`): EntryDraft[] =>
  did('TaskUpdate', { taskId, status }, output)

/** What is said of a box that was ticked before a command may have changed its file. */
const DOUBTED = 'was ticked, and its file may be an older one since'

/** What is said of a box that was open before a command may have ticked it: the program follows. */
const CHANGED_BY = 'may be ticked: its file was changed since by `'

/** Two commits, of which the user wants the second one to be taken back. */
const addedLock = [
  user('Add a cache.'),
  ...did('edit', { path: 'a.ts', oldText: 'a', newText: 'b' }),
  ...ran('git commit -am x', '[main 1a2b3c4] Add a cache\n 1 file changed'),
  assistant('The cache is added and committed.'),
  user('Add a lock.'),
  ...did('edit', { path: 'b.ts', oldText: 'a', newText: 'b' }),
  ...ran('git commit -am y', '[main 2a2b3c4] Add a lock\n 1 file changed'),
  assistant('The lock is added.'),
  user('Take that back.'),
]

const cases: [name: string, drafts: EntryDraft[], items: string[], around?: Around][] = [
  [
    'the ids of single tasks are those of the results',
    [user('Do three things.'), ...created('7', 'Fix add'), ...created('8', 'Fix sub'), ...updated('8', 'completed')],
    ['request Do three things. => open', 'task #7 Fix add => open @2', 'task #8 Fix sub => done @6'],
  ],
  [
    'a change that says nothing of the state, or the same as before, leaves the message that proved it',
    [
      user('Do a thing.'),
      ...created('7', 'Fix add'),
      ...updated('7', 'completed'),
      ...did('TaskUpdate', { taskId: '7', subject: 'Fix add and sub' }),
      ...updated('7', 'completed'),
    ],
    ['request Do a thing. => open', 'task #7 Fix add and sub => done @4'],
  ],
  [
    'a change of a task that was not known proves its state where it has one',
    [user('Do a thing.'), ...did('TaskUpdate', { taskId: '7', subject: 'Fix add' }), ...updated('7', 'completed')],
    ['request Do a thing. => open', 'task #7 Fix add => done @4'],
  ],
  [
    'ids go on after a compaction',
    [
      ...updated('3', 'completed'),
      ...did('TaskList', {}, '#3 [completed] Fix mul\n#4 [pending] Fix div [blocked by #3]'),
    ],
    ['request  => open', 'task #3 Fix mul => done @1', 'task #4 Fix div => open @3'],
    {
      earlier: {
        steps: [],
        tasks: [
          {
            list: 'TaskCreate',
            id: '3',
            text: 'Fix mul',
            status: 'open',
            word: 'pending',
            at: -1,
            provenAt: -1,
            seenAt: -1,
          },
        ],
      },
    },
  ],
  [
    'calls that have failed, were refused or have no result prove nothing',
    [
      user('Fix the adder.'),
      ...did('TodoWrite', { todos: TODOS('pending', 'pending') }),
      ...did('TodoWrite', { todos: TODOS('completed', 'pending') }, 'No such tool available', { isError: true }),
      ...did('TodoWrite', { todos: TODOS('completed', 'pending') }, 'Error: TodoWrite is disabled', {
        isUnmarked: true,
      }),
      ...updated('1', 'completed', 'Task not found'),
      assistant('', [call('x', 'TodoWrite', { todos: TODOS('completed', 'pending') })]),
    ],
    ['request Fix the adder. => open', 'task Fix add => open @2', 'task Run tests => open @2'],
  ],
  [
    'a list that is cleared proves nothing',
    [
      user('Fix the adder.'),
      ...did('TodoWrite', { todos: TODOS('completed', 'pending') }),
      ...did('TodoWrite', { todos: [] }),
    ],
    ['request Fix the adder. => open', 'task Fix add => done @2', 'task Run tests => open @2'],
  ],
  [
    'a task that is opened again is open, and one that is cancelled is not done',
    [
      user('Fix the adder.'),
      ...did('TodoWrite', { todos: TODOS('completed', 'pending') }),
      ...did('TodoWrite', { todos: TODOS('in_progress', 'cancelled') }),
    ],
    [
      'request Fix the adder. => open',
      'task Fix add => open @4',
      'task Run tests => unknown @4 (cancelled in the list)',
    ],
  ],
  [
    'a step that the same plan has no more in a newer version was taken out by the agent',
    [
      user('Port the parser.'),
      ...planned('Port the lexer: in_progress', 'Port the parser: pending', 'Update the docs: pending'),
      ...planned('Port the lexer: completed', 'Port the parser: in_progress'),
      ...planned('Port the parser: in_progress'),
      ...planned('Port the parser: pending', 'Measure how long it takes: pending', 'Tag it: pending'),
    ],
    [
      'request Port the parser. => open',
      'task Port the lexer => done @4',
      'task Port the parser => open @2',
      'task Measure how long it takes => open @8',
      'task Tag it => open @8',
    ],
  ],
  [
    'the unfinished steps of a plan are not known to be done after a new plan, which may share a step with it',
    [
      user('Port the parser.'),
      ...planned('Port the parser: pending', 'Update the docs: pending', 'Run the tests: pending'),
      ...planned('Rename the flag: pending', 'Run the tests: pending'),
      ...planned('Fix the login: pending'),
    ],
    [
      'request Port the parser. => open',
      'task Port the parser => unknown @4 (left the list without being done)',
      'task Update the docs => unknown @4 (left the list without being done)',
      'task Rename the flag => unknown @6 (left the list without being done)',
      'task Run the tests => unknown @6 (left the list without being done)',
      'task Fix the login => open @6',
    ],
  ],
  [
    'a task that the list of oh-my-pi strikes out is dropped',
    [
      user('Write LICENSE and NOTICE.'),
      ...did('todo', { op: 'init' }, '  Tasks:\n    - [ ] Write LICENSE (in progress)\n    - [ ] Write NOTICE'),
      ...did('todo', { op: 'drop' }, '  Tasks:\n    - [ ] Write LICENSE (in progress)\n    - [-] Write NOTICE'),
    ],
    [
      'request Write LICENSE and NOTICE. => open',
      'task Write LICENSE => open @2',
      'task Write NOTICE => unknown @4 (dropped in the list)',
    ],
  ],
  [
    'the list of a sub-agent is not that of the session',
    [user('Fix the adder.'), ...did('Task', { prompt: '- [x] Fix add\n- [x] Run tests' }, '- [x] Fix add\nAll done.')],
    ['request Fix the adder. => open'],
  ],
  [
    'a check that fails after the task of checking was finished opens that task',
    [
      user('Fix the adder.'),
      ...did('TodoWrite', { todos: TODOS('completed', 'completed') }),
      ...ran('npm test', '1 failing', 1),
    ],
    [
      'request Fix the adder. => open',
      'task Fix add => done @2',
      'task Run tests => open @2 (`npm test` failed after that)',
    ],
  ],
  [
    'a check that passed first, and failed by later work, opens nothing',
    [
      user('Fix the adder.'),
      ...did('TodoWrite', { todos: TODOS('completed', 'pending') }),
      ...ran('npm test | tail -5', '5 passing'),
      ...ran('cd a && npm test', '1 failing', 1),
    ],
    ['request Fix the adder. => open', 'task Fix add => done @2', 'task Run tests => open @2'],
  ],
  [
    'boxes are those of the newest version of a file, with its edits',
    [
      user('Follow PLAN.md.'),
      ...did(
        'read',
        { path: 'PLAN.md' },
        '     1→# Plan\n     2→- [ ] Add parser\n     3→- [ ] Add lexer\n     4→- [ ] Add tests',
      ),
      ...did('edit', { path: 'PLAN.md', oldText: '- [ ] Add parser', newText: '- [x] Add parser' }),
      ...did('edit', { path: 'PLAN.md', oldText: '[ ] Add lex', newText: '[x] Add lex' }, 'Could not find the text', {
        isError: true,
      }),
      ...did('edit', { path: 'PLAN.md', oldText: '- [ ] Add tes', newText: '- [x] Add tes' }),
    ],
    [
      'request Follow PLAN.md. => open',
      'box Add parser => done @4',
      'box Add lexer => open @2',
      'box Add tests => done @8',
    ],
  ],
  [
    'a file that is written has only its new boxes, and a refused edit changes nothing',
    [
      user('Plan it.'),
      ...did('write', { path: 'notes.md', content: '# Work\n- [ ] One\n- [ ] Two\n```\n- [x] Three\n```' }),
      ...did(
        'edit',
        { path: 'notes.md', oldText: '[ ] One', newText: '[x] One' },
        "The user doesn't want to proceed with this tool use.",
        { isError: true },
      ),
      ...did('edit', { path: 'notes.md', oldText: '[ ] Two', newText: '[x] Two' }),
      ...did('read', { path: 'README.md' }, '- [x] Something of others'),
    ],
    ['request Plan it. => open', 'box One => open @2', 'box Two => done @6'],
  ],
  [
    'boxes that a command may have changed, or that git took back, are not known to be ticked',
    [
      user('Plan it.'),
      ...did('write', { path: 'todo.md', content: '- [x] One\n- [ ] Two' }),
      ...ran("sed -i 's/ /x/' docs/todo.md"),
      ...did('write', { path: 'plan.md', content: '- [x] Three\n- [ ] Four' }),
      ...ran('git reset --hard'),
    ],
    [
      'request Plan it. => open',
      `box One => unknown @2 (${DOUBTED})`,
      `box Two => unknown @2 (${CHANGED_BY}sed\`)`,
      `box Three => unknown @6 (${DOUBTED})`,
      'box Four => open @6',
    ],
  ],
  [
    'a box of a file that was set back is proven by its next version',
    [
      user('Plan it.'),
      ...did('write', { path: 'todo.md', content: '- [x] One\n- [x] Two' }),
      ...ran('git checkout -- todo.md'),
      ...did('read', { path: 'todo.md' }, '- [x] One\n- [ ] Two'),
    ],
    ['request Plan it. => open', 'box One => done @6', 'box Two => open @6'],
  ],
  [
    'a request is said to be done where its final answer claims it, and answered where the user went on',
    [
      user('Fix the adder.'),
      ...did('edit', { path: 'a.ts', oldText: 'a', newText: 'b' }),
      assistant('I fixed the adder. All tests pass.'),
      user('Why was it wrong?'),
      assistant('It used the wrong sign.'),
      user('And the lexer?'),
      assistant('It reads characters.'),
    ],
    [
      'request Fix the adder. => said @3',
      'request Why was it wrong? => answered @6',
      'request And the lexer? => unknown @7',
    ],
  ],
  [
    'the last request is answered where the user goes on after the messages',
    [user('And the lexer?'), assistant('It reads characters.')],
    ['request And the lexer? => answered @1'],
    { next: 'request' },
  ],
  [
    'a turn that was interrupted or has failed is open, unless the user lets the agent go on',
    [
      user('Write the parser.'),
      assistant('I begin', [], { stopReason: 'aborted' }),
      user('What time is it?'),
      assistant('Ten.'),
      user('Write the lexer.'),
      assistant('', [], { stopReason: 'error', errorMessage: 'Overloaded' }),
      user('Write the printer.'),
      assistant('', [], { stopReason: 'aborted' }),
      user('continue'),
      assistant('The printer is done.'),
    ],
    [
      'request Write the parser. => open (interrupted)',
      'request What time is it? => answered @4',
      'request Write the lexer. => open (the turn failed)',
      'request Write the printer. => said @9',
    ],
  ],
  [
    'a task that was open when a request was answered is no word against it any more once it is done',
    [
      user('Fix the adder, please.'),
      ...did('todowrite', { todos: TODOS('completed', 'pending') }),
      assistant('The adder is fixed.'),
      user('Now the docs of the adder.'),
      ...did('todowrite', { todos: TODOS('completed', 'completed') }),
      assistant('The docs are written.'),
    ],
    [
      'request Fix the adder, please. => answered @3',
      'request Now the docs of the adder. => said @7',
      'task Fix add => done @2',
      'task Run tests => done @6',
    ],
  ],
  [
    'what is gone on with by its whole name after an interruption is answered with that, and nothing else is',
    [
      user('Add chunks of clusters.'),
      assistant('', [], { stopReason: 'aborted' }),
      user('go on with the chunks of clusters'),
      assistant('Chunks are done.'),
      user('Use a channel, or chunk the clusters.'),
      assistant('', [], { stopReason: 'aborted' }),
      user('go on with chunks'),
      assistant('Chunks are done.'),
      user('Add the CSV export for the order list.'),
      assistant('', [], { stopReason: 'aborted' }),
      user('So rename the order list to orders.'),
      assistant('The list is renamed.'),
      user('Rewrite the importer with streams and add metrics to the exporter.'),
      assistant('', [], { stopReason: 'aborted' }),
      user('Weiter mit exporter.'),
      assistant('The metrics are added.'),
      user('Fix the lexer.'),
      assistant('', [], { stopReason: 'aborted' }),
      user('go on with the tests of the lexer'),
      assistant('The tests are written.'),
    ],
    [
      'request Add chunks of clusters. => answered @3 (interrupted, and gone on with)',
      'request go on with the chunks of clusters => said @3',
      'request Use a channel, or chunk the clusters. => open (interrupted)',
      'request go on with chunks => said @7',
      'request Add the CSV export for the order list. => open (interrupted)',
      'request So rename the order list to orders. => said @11',
      'request Rewrite the importer with streams and add metrics to the exporter. => open (interrupted)',
      'request Weiter mit exporter. => said @15',
      'request Fix the lexer. => open (interrupted)',
      'request go on with the tests of the lexer => said @19',
    ],
  ],
  [
    'an agent that says what it has not done has not done it',
    [
      user('Please:\n- rename the flag\n- update the docs\n- add a test'),
      assistant('I updated the docs. I could not rename the flag. The test is left out.'),
      user('Fix the bug.'),
      assistant('Fixed: users could not log in, because a check was not done.'),
    ],
    [
      'request Please: - rename the flag - update the docs - add a test => open @1 (the agent: "I could not rename the flag.")',
      'wish rename the flag => open @1 (the agent: "I could not rename the flag.")',
      'wish update the docs => said @1',
      'wish add a test => open @1 (the agent: "The test is left out.")',
      'request Fix the bug. => said @3',
    ],
  ],
  [
    'a claim after a failed check, and one that the user contradicts, do not hold',
    [
      user('Fix the adder.'),
      ...ran('npm test', '1 failing', 1),
      assistant('The adder is fixed.'),
      user('Fix the lexer.'),
      assistant('Done.'),
      user('It still fails.'),
      assistant('', [call('z', 'bash', { command: 'ls' })]),
    ],
    [
      'request Fix the adder. => open @3 (`npm test` failed)',
      'request Fix the lexer. => open',
      'request It still fails. => open',
    ],
  ],
  [
    'work that the agent could not verify is answered, and says so',
    [
      user('Make the import repeatable.'),
      assistant('It is repeatable now. I could not run it against a database.'),
      user('Run it against the database.'),
      assistant('I could not run it against a database.'),
    ],
    [
      'request Make the import repeatable. => answered @2 (the agent: "I could not run it against a database.")',
      'request Run it against the database. => open @3 (the agent: "I could not run it against a database.")',
    ],
  ],
  [
    'several checks in one command have passed where each has passed',
    [
      user('Fix the adder.'),
      ...ran('npm run lint && npm test', '1 failing', 1),
      ...ran('npm run lint', 'ok'),
      ...ran('cd x; npm test 2>&1', '3 passing'),
      assistant('The adder is fixed.'),
    ],
    ['request Fix the adder. => said @7'],
  ],
  [
    'a check that fails in one folder has not passed in another one, and has passed in another spelling',
    [
      user('Fix the web.'),
      ...ran('cd web && npm test', '1 failing', 1),
      ...ran('npm --prefix /repo/api run test', '3 passing'),
      assistant('The web is fixed.'),
      user('Fix the api.'),
      ...ran('cd api && npm test', '1 failing', 1),
      ...ran('npm --prefix /repo/api run test', '3 passing'),
      assistant('The api is fixed.'),
    ],
    ['request Fix the web. => open @5 (`cd web && npm test` failed)', 'request Fix the api. => said @11'],
  ],
  [
    'a commit whose message speaks of --amend replaces none: the one before it was not taken back',
    [
      user('Keep nested tags.'),
      ...ran('git commit -am "Keep nested tags"', '[main a1b2c3d] Keep nested tags'),
      assistant('I fixed it: nested tags are kept.'),
      user('Explain amending in the docs.'),
      ...ran('git commit -am "Explain git commit --amend"', '[main b2c3d4e] Explain git commit --amend'),
      ...ran('git reset --hard HEAD~1', 'HEAD is now at a1b2c3d Keep nested tags'),
      assistant('The commit is gone.'),
    ],
    [
      "request Keep nested tags. => answered @3 (taken back in part: 'Explain git commit --amend', by `git reset --hard HEAD~1`)",
      'request Explain amending in the docs. => unknown @9',
    ],
  ],
  [
    'a check that fails in a command which edits first is about that edit, and opens only the newer request',
    [
      user('Fix the adder.'),
      ...ran('npm test', '3 passing'),
      ...ran('sed -i s/a/b/ add.ts && git commit -qam "Fix the adder"', '[main abc1234] Fix the adder'),
      assistant('The adder is fixed.'),
      user('Rename the lexer.'),
      ...ran("sed -i 's/lex/read/' lexer.ts && npm test", '1 failing', 1),
      assistant('The lexer is renamed.'),
    ],
    ['request Fix the adder. => said @5', 'request Rename the lexer. => open @9 (`npm test` failed)'],
  ],
  [
    'what the agent says is unresolved is a step',
    [
      user('Fix the adder.'),
      assistant('Fixed.\n\nUNRESOLVED: the test of dates is flaky.\n\n**Unresolved**\n- no test of months'),
      user('What time is it?'),
      assistant('Ten.'),
    ],
    [
      'request Fix the adder. => answered @1 (the agent: "UNRESOLVED: the test of dates is flaky.")',
      'request What time is it? => unknown @3',
      'step the test of dates is flaky. => open',
      'step no test of months => open',
    ],
  ],
  [
    'a check that fails in the work on a newer request says nothing of an older one',
    [
      user('Fix the adder.'),
      assistant('The adder is fixed.'),
      user('Write the lexer.'),
      ...did('edit', { path: 'lexer.ts', oldText: 'a', newText: 'b' }),
      ...ran('npm test', '1 failing', 1),
    ],
    ['request Fix the adder. => said @1', 'request Write the lexer. => open'],
  ],
  [
    'a request is replaced only by first words that withdraw it: others may be about a part',
    [
      user('Add a logger and then document the logger.'),
      assistant('', [], { stopReason: 'aborted' }),
      user('Use a tracer instead.'),
      assistant('Shall I start?'),
      user('Never mind.'),
      assistant('Understood.'),
    ],
    [
      'request Add a logger and then document the logger. => open (interrupted)',
      'wish Add a logger => open',
      'wish document the logger. => open',
      'request Use a tracer instead. => open',
      'request Never mind. => unknown @5',
    ],
  ],
  [
    'steps are done by a list, said to be done by a commit, a claim or a check that passed, and called off by the user',
    [
      user('Go on.'),
      ...did('TodoWrite', { todos: [{ content: 'Create src/core', status: 'completed' }] }),
      ...ran('git commit -am x', '[main 1a2b3c4] Move file0.ts to src/core\n 1 file changed'),
      ...ran('npm test', '3 passing'),
      assistant('The version is updated in package.json.'),
      user('Skip the changelog, please.'),
      assistant('OK.'),
    ],
    [
      'request Go on. => said @7',
      'request Skip the changelog, please. => unknown @9',
      'task Create src/core => done @2',
      'step 1. Create src/core => done @2 older',
      'step 2. Move `file0.ts` to src/core => said @4 older',
      'step Run npm test => said @6 older',
      'step Update the changelog => replaced @8 older',
      'step Update the docs => open older',
    ],
    {
      earlier: {
        steps: [
          '1. Create src/core',
          '2. Move `file0.ts` to src/core',
          'Run npm test',
          'Update the changelog',
          'Update the docs',
        ].map((text) => ({ text, isOlder: false })),
        tasks: [],
      },
    },
  ],
  [
    'the user takes back what was done, and what the words of a request skip is no step of it',
    [
      user('Follow plan.md. Skip the totals.'),
      ...did('write', { path: 'plan.md', content: '- [x] Tag the version\n- [ ] Write the totals' }),
      assistant('I tagged the version.'),
      user('Too early, take the tag of the version back.'),
      assistant('The tag is deleted.'),
      user('Wait, it must be deleted on the server too.'),
      assistant('', [call('y', 'bash', { command: 'ls' })]),
    ],
    [
      'request Follow plan.md. Skip the totals. => answered @3',
      'request Too early, take the tag of the version back. => open',
      'request Wait, it must be deleted on the server too. => open',
      'box Tag the version => replaced @4',
      'box Write the totals => replaced @0',
    ],
  ],
  [
    'a commit that was taken back proves nothing, and what it had is open again',
    [...addedLock, ...ran('git reset --hard HEAD~1'), assistant('OK.')],
    [
      'request Add a cache. => said @5',
      'request Add a lock. => open @11 (taken back by `git reset --hard HEAD~1`)',
      'request Take that back. => unknown @15',
    ],
  ],
  [
    'what a commit had that was reverted is open again, though the answer came after the commit',
    [
      ...addedLock,
      ...ran('git revert --no-edit HEAD', '[main 3a2b3c4] Revert "Add a lock"\n 1 file changed'),
      assistant('OK.'),
    ],
    [
      'request Add a cache. => said @5',
      'request Add a lock. => open @11 (taken back by `git revert --no-edit HEAD`)',
      'request Take that back. => unknown @15',
    ],
  ],
  [
    'a range is reverted, of which the output names the commit',
    [
      ...addedLock,
      ...ran('git revert --no-edit HEAD~1..HEAD', '[main 3a2b3c4] Revert "Add a lock"\n 1 file changed'),
      assistant('OK.'),
    ],
    [
      'request Add a cache. => said @5',
      'request Add a lock. => open @11 (taken back by `git revert --no-edit HEAD~1..HEAD`)',
      'request Take that back. => unknown @15',
    ],
  ],
  [
    'the newest commit that is reverted may have been a quiet one; the one before it stays',
    [
      ...addedLock.slice(0, 9),
      ...ran('git commit -qm "Add a lock"'),
      assistant('The lock is added.'),
      user('Take that back.'),
      ...ran('git revert --no-edit HEAD'),
      assistant('The commit is reverted.'),
    ],
    [
      'request Add a cache. => said @5',
      'request Add a lock. => open @11 (taken back by `git revert --no-edit HEAD`)',
      'request Take that back. => said @15',
    ],
  ],
  [
    'what a list calls done after a revert is done: it is newer',
    [
      user('Fix add.'),
      ...did('TodoWrite', { todos: TODOS('in_progress', 'pending') }),
      ...did('edit', { path: 'b.ts', oldText: 'a', newText: 'b' }),
      ...ran('git commit -am y', '[main 2a2b3c4] Bump\n 1 file changed'),
      ...ran('git revert --no-edit 2a2b3c4', '[main 3a2b3c4] Revert "Bump"'),
      ...did('TodoWrite', { todos: TODOS('completed', 'pending') }),
    ],
    ['request Fix add. => done @10', 'task Fix add => done @10', 'task Run tests => open @2'],
  ],
]

for (const argument of ['files', 'paths'])
  t.test(`a read of several files by ${argument} shows none of them whole: boxes that are missing stay`, async (t) => {
    const drafts = [
      user('Plan it.'),
      ...did('write', { path: 'PLAN.md', content: '- [ ] One\n- [ ] Two' }),
      ...did('read', { [argument]: ['PLAN.md', 'a.ts'] }, '- [x] Two'),
    ]
    t.strictSame(workOf(drafts), ['request Plan it. => open', 'box One => open @2', 'box Two => done @4'])
  })

for (const [name, drafts, items, around] of cases)
  t.test(name, async (t) => {
    t.strictSame(workOf(drafts, around), items)
  })

const PLAN = '- [ ] Tenant model\n- [ ] Tenant middleware (by subdomain)'
const tick = (box: string, before: string, after: string, words = box): EntryDraft[] =>
  did('edit', { path: 'PLAN.md', oldText: `- [${before}] ${box}`, newText: `- [${after}] ${words}` })
const ticked = [
  user('Follow the plan.'),
  ...did('write', { path: 'PLAN.md', content: PLAN }),
  ...tick('Tenant model', ' ', 'x'),
  ...ran('git commit -am a', '[main a11ce01] Tenant model'),
  ...tick('Tenant middleware (by subdomain)', ' ', 'x'),
  ...ran('git commit -am b', '[main b22df02] Tenant middleware by subdomain'),
  assistant('Both are done.'),
  user('Do it by a header, and untick the box until it is tested.'),
]
const renamed = 'Tenant middleware (by header)'
const committed = ran('git commit -am c', '[main d44fa04] Tenant middleware by header')
const reads = (content: string): EntryDraft[] => did('read', { path: 'PLAN.md' }, content)

for (const [how, drafts, boxes, open] of [
  [
    'in other words, after a commit was reverted',
    [
      ...ran('git revert --no-edit b22df02'),
      ...tick('Tenant middleware (by subdomain)', 'x', ' ', renamed),
      ...committed,
    ],
    ['box Tenant model => said @6', `box ${renamed} => open @16 (its tick was taken away)`],
    ['Tenant middleware by header'],
  ],
  [
    'by the user himself, as the next read shows',
    [...reads(PLAN.replace('[ ]', '[x]')), assistant('The tenant middleware by subdomain is done and committed.')],
    ['box Tenant model => done @4', 'box Tenant middleware (by subdomain) => open @14 (its tick was taken away)'],
    ['Tenant middleware by subdomain'],
  ],
  [
    'and ticked again',
    [...tick('Tenant middleware (by subdomain)', 'x', ' '), ...tick('Tenant middleware (by subdomain)', ' ', 'x')],
    ['box Tenant model => done @4', 'box Tenant middleware (by subdomain) => done @16'],
    [],
  ],
] as const)
  t.test(`a box whose tick was taken away is open, whatever commits and answers say of it: ${how}`, async (t) => {
    const session = [...ticked, ...drafts, assistant('', [call('z', 'bash', { command: 'ls' })])]
    t.strictSame(
      workOf(session).filter((line) => line.startsWith('box')),
      boxes,
    )
    const { commits } = findWork(pairMessages(buildEntries(session).map(({ message }) => message!)))
    t.strictSame(
      commits.flatMap(({ subject, isOpen }) => (isOpen === true ? subject : [])),
      open,
    )
  })

const OPEN_BOXES = ['box Lexer => open @2', 'box Parser => open @2']
const MAY_BE_TICKED = ['Lexer', 'Parser'].map((box) => `box ${box} => unknown @2 (${CHANGED_BY}`)
const SED = "sed -i '2s/ /x/' docs/PLAN.md"

for (const [what, commands, boxes] of [
  [
    'a search that shows all boxes',
    [ran(SED), ran("grep -n '\\[.\\]' docs/PLAN.md", '2:- [x] Lexer\n3:- [ ] Parser')],
    ['box Lexer => done @6', 'box Parser => open @6'],
  ],
  [
    'the file',
    [ran(SED), ran('cat docs/PLAN.md', '# Plan\n- [x] Lexer\n- [ ] Parser')],
    ['box Lexer => done @6', 'box Parser => open @6'],
  ],
  [
    'a look in the same command',
    [ran(`${SED} && cat docs/PLAN.md`, '# Plan\n- [x] Lexer\n- [ ] Parser')],
    ['box Lexer => done @4', 'box Parser => open @4'],
  ],
  [
    'a search for open ones',
    [ran(SED), ran("grep -n '\\[ \\]' docs/PLAN.md", '3:- [ ] Parser')],
    ['box Parser => open @6'],
  ],
  ['a search for open ones that finds none', [ran(SED), ran("cd docs && grep '\\[ \\]' PLAN.md", '', 1)], []],
  ['a count of open ones', [ran(SED), ran("grep -c '\\[ \\]' docs/PLAN.md", '0', 1)], []],
  [
    'a search in several files',
    [ran(SED), ran("grep -rn '\\[.\\]' docs", 'docs/PLAN.md:2:- [x] Lexer\ndocs/PLAN.md-3-- [ ] Parser')],
    ['box Lexer => done @6', 'box Parser => open @6'],
  ],
  ['nothing after sed', [ran(SED)], MAY_BE_TICKED.map((box) => `${box}sed\`)`)],
  [
    'nothing after Python',
    [ran("python3 - <<'EOF'\np='docs/PLAN.md'; open(p,'w').write(t.replace('[ ]','[x]'))\nEOF")],
    MAY_BE_TICKED.map((box) => `${box}python3\`)`),
  ],
  [
    'nothing after a look before the change',
    [ran(`cat docs/PLAN.md; ${SED}`, '- [ ] Lexer\n- [ ] Parser')],
    MAY_BE_TICKED.map((box) => `${box}sed\`)`),
  ],
  [
    'a search for other lines',
    [ran(SED), ran("grep '\\[ \\] Lexer' docs/PLAN.md", '', 1)],
    MAY_BE_TICKED.map((box) => `${box}sed\`)`),
  ],
  [
    'a search in another file',
    [ran(SED), ran("grep '\\[ \\]' TODO.md", '', 1)],
    MAY_BE_TICKED.map((box) => `${box}sed\`)`),
  ],
  ['a quiet search', [ran(SED), ran("grep -q '\\[ \\]' docs/PLAN.md")], MAY_BE_TICKED.map((box) => `${box}sed\`)`)],
  [
    'a search whose end is cut off',
    [ran(SED), ran("grep '\\[ \\]' docs/PLAN.md | head -1", '- [ ] Parser')],
    [`${MAY_BE_TICKED[0]}sed\`)`, 'box Parser => open @6'],
  ],
  [
    'a search for a set of signs',
    [ran(SED), ran("grep '^- [ ]' docs/PLAN.md", '', 1)],
    MAY_BE_TICKED.map((box) => `${box}sed\`)`),
  ],
  [
    'a file that is missing',
    [ran(SED), ran("grep '\\[ \\]' docs/PLAN.md", 'grep: docs/PLAN.md: No such file or directory', 2)],
    MAY_BE_TICKED.map((box) => `${box}sed\`)`),
  ],
  [
    'an output that is changed on its way',
    [ran("cat docs/PLAN.md | sed 's/\\[ \\]/[x]/'", '- [x] Lexer\n- [x] Parser')],
    OPEN_BOXES,
  ],
  ['code that only reads', [ran('python3 -c "print(open(\'PLAN.md\').read())"', '- [x] Lexer')], OPEN_BOXES],
  [
    'nothing after a change that names one of them',
    [ran("sed -i 's/[ ] Lexer/[x] Lexer/' docs/PLAN.md")],
    [`${MAY_BE_TICKED[0]}sed\`)`, 'box Parser => open @2'],
  ],
  ['errors that are left out', [ran('wc -l docs/PLAN.md 2>/dev/null', '3 docs/PLAN.md')], OPEN_BOXES],
  ['a line that is appended', [ran("echo '- [ ] Printer' >> docs/PLAN.md")], OPEN_BOXES],
  ['a change that failed', [ran(SED, "sed: can't read docs/PLAN.md: No such file or directory", 2)], OPEN_BOXES],
  [
    'a mark that is neither',
    [ran("sed -i 's/- \\[ \\] Lexer/- [~] Lexer/' docs/PLAN.md"), ran("grep '\\[ \\]' docs/PLAN.md", '- [ ] Parser')],
    ['box Lexer => open @2', 'box Parser => open @2'],
  ],

  ['a file of another folder', [ran("cd ../other && grep '\\[ \\]' PLAN.md", '', 1)], OPEN_BOXES],
  ['the file of another copy', [ran("cd /tmp/copy && grep -c '\\[ \\]' docs/PLAN.md", '0', 1)], OPEN_BOXES],
  ['a file with the same name', [ran("grep '\\[ \\]' PLAN.md", '', 1)], OPEN_BOXES],
  ['a folder that may be missing', [ran("cd docs 2>/dev/null && grep '\\[ \\]' PLAN.md", '', 1)], OPEN_BOXES],
  ['another copy', [ran('cd ../other && cat docs/PLAN.md', '- [x] Lexer\n- [x] Parser')], OPEN_BOXES],
  [
    'a look before it was set back',
    [ran('cat docs/PLAN.md && git checkout -- docs/PLAN.md', '- [x] Lexer\n- [x] Parser')],
    OPEN_BOXES,
  ],
  [
    'a search that replaces what it prints',
    [ran("rg '\\[ \\] (.*)' -r '[x] $1' docs/PLAN.md", '[x] Lexer\n[x] Parser')],
    OPEN_BOXES,
  ],
  ['a list that a tool has cut', [ran("grep '\\[ \\]' docs/PLAN.md", '- [ ] Parser\n[output truncated]')], OPEN_BOXES],
  [
    'a call that was refused',
    [did('bash', { command: "grep '\\[ \\]' docs/PLAN.md" }, '', { isError: true })],
    OPEN_BOXES,
  ],
  ['a change of its title', [ran("sed -i 's/^# Plan/# The plan/' docs/PLAN.md")], OPEN_BOXES],
  ['a search on another branch', [ran("grep '\\[ \\]' docs/PLAN.md", '', 1), ran('git checkout main')], OPEN_BOXES],
] as const)
  t.test(`the boxes of a file that a command changes are those that were shown after it: ${what}`, async (t) => {
    const written = did('write', { path: 'docs/PLAN.md', content: '# Plan\n- [ ] Lexer\n- [ ] Parser' })
    t.strictSame(workOf([user('Plan it.'), ...written, ...commands.flat()]).slice(1), boxes)
  })

for (const command of [
  "python3 -c \"import shutil; shutil.copy('docs/PLAN.md.orig', 'docs/PLAN.md')\"",
  "node -e \"fs.copyFileSync('docs/PLAN.orig', 'docs/PLAN.md')\"",
  "find docs -name PLAN.md -exec sed -i 's/x/ /' {} +",
  "ls docs/PLAN.md | xargs sed -i 's/x/ /'",
  "sed -i '3s/x/ /' docs/PLAN.md",
])
  t.test(`ticks in a file that a command may have changed are not certain: ${command}`, async (t) => {
    const written = did('write', { path: 'docs/PLAN.md', content: '- [x] docs\n- [x] tests' })
    t.strictSame(workOf([user('Plan it.'), ...written, ...ran(command)]).slice(1), [
      `box docs => unknown @2 (${DOUBTED})`,
      `box tests => unknown @2 (${DOUBTED})`,
    ])
  })

t.test('a search for open boxes does not find those whose brackets are escaped', async (t) => {
  const written = did('write', { path: 'PLAN.md', content: '- \\[ \\] Lexer' })
  const drafts = [user('Plan it.'), ...written, ...ran("grep '\\[ \\]' PLAN.md", '', 1)]
  t.strictSame(workOf(drafts).slice(1), ['box Lexer => open @2'])
})

t.test('a task that is only named by its id has the title from before the messages', async (t) => {
  const titles = findTaskTitles(buildEntries(created('2', 'Fix sub')).map(({ message }) => message!))
  const step = { text: '#2 Fix sub', isOlder: false }
  const earlier = { steps: [step, { ...step, text: 'Fix mul' }], tasks: [], titles }
  t.strictSame(workOf([...updated('2', 'completed'), ...updated('3', 'completed')], { earlier }).slice(1), [
    'task #2 Fix sub => done @1',
    'task #3 Task #3 => done @3',
    'step #2 Fix sub => done @1',
    'step Fix mul => open',
  ])
})

t.test('steps of an earlier summary are not open in a file in which a search finds no open box', async (t) => {
  const task = { list: 'PLAN.md', text: 'Lexer', status: 'open', word: ' ', at: -1, provenAt: -1, seenAt: -1 } as const
  const earlier = { steps: [], tasks: [task, { ...task, list: 'TODO.md', text: 'Docs' }] }
  t.strictSame(workOf(ran("grep '\\[ \\]' PLAN.md", '', 1), { earlier }).slice(1), ['task Docs => open @-1'])
})

t.test('what the agent could not reproduce is not done, whatever else it has done', async (t) => {
  const stateAfter = (answer: string): string =>
    workOf([user('The avatar flickers on Android. Fix it.'), assistant(answer), user('Sort the list.')])[0] ?? ''
  const open = 'request The avatar flickers on Android. Fix it. => answered @'
  for (const words of [
    "I couldn't reproduce the flicker. I added logging.",
    'Added logging. I was not able to reproduce the flicker.',
    'Ich habe Logging ergänzt. Das Flackern konnte ich nicht nachstellen.',
  ])
    t.match(stateAfter(words), open)
  for (const words of [
    'Fixed: after the change I cannot reproduce the flicker any more.',
    'The flicker is fixed. I can no longer reproduce it.',
  ])
    t.match(stateAfter(words), 'request The avatar flickers on Android. Fix it. => said @1')
})

t.test('issues of a tracker are tasks, with the title that the agent has seen', async (t) => {
  const items = workOf([
    user('Work on app-4te, please.'),
    ...ran('bd show app-4te.1', '○ app-4te.1 · Add the parser   [● P1 · OPEN]\nType: task'),
    ...ran('bd update app-4te.1 --status in_progress', '✓ Updated issue: app-4te.1'),
    ...ran('git push && bd close app-4te.1', '✓ Closed app-4te.1'),
    ...ran('bd update app-4te.2 --status=in_progress', '✓ Updated issue: app-4te.2'),
    ...ran('bd close app-4te.3', 'Error: no such issue', 1),
    ...ran('gh issue close 12 --reason completed', '✓ Closed issue #12'),
    ...ran('gh pr close 13', '✓ Closed pull request #13'),
  ])
  t.same(
    items.filter((item) => item.startsWith('task')),
    [
      'task #app-4te.1 Add the parser => done @6',
      'task #app-4te.2 Task #app-4te.2 => open @8',
      'task #12 completed => done @12',
    ],
  )
})

const EARLIER = [
  'Fix the guard in `panel_view.ex`',
  'Pass attrs to PanelView',
  'Add tests',
  'Close app-1',
  'The error: tests fail',
]

t.test(
  'a step of an earlier summary is not an order any more if something has happened to what it names',
  async (t) => {
    const steps = EARLIER.map((text) => ({ text, isOlder: false }))
    const edit = did('edit', { path: 'lib/panel_view.ex', old_string: 'a', new_string: 'b' })
    const items = workOf([...edit, ...ran('bd close app-1', '✓'), ...ran('mix test', '3 tests, 0 failures')], {
      earlier: { steps, tasks: [] },
    })
    t.same(
      items.filter((item) => item.startsWith('step')),
      [
        'step Fix the guard in `panel_view.ex` => open (since then: panel_view.ex changed once, `mix test` passed) older',
        'step Pass attrs to PanelView => open (since then: panel_view.ex changed once, `mix test` passed) older',
        'step Add tests => open',
        'step Close app-1 => done',
        'step The error: tests fail => open (since then: `mix test` passed) older',
      ],
    )
    const failed = did('edit', { path: 'lib/panel_view.ex', old_string: 'a', new_string: 'b' }, 'no', { isError: true })
    t.match(workOf(failed, { earlier: { steps, tasks: [] } })[1], 'Fix the guard in `panel_view.ex` => open')
  },
)

t.test('commits have their messages, and are left out if they are taken back', async (t) => {
  const paired = pairMessages(
    buildEntries([
      user('Fix both.'),
      ...ran('git commit -m "Fix add\n\n- It adds"', '[main 1a2b3c4] Fix add'),
      ...ran('git commit -m "Fix sub"', '[main 2b3c4d5] Fix sub'),
      ...ran('git reset --hard HEAD~1'),
    ]).map(({ message }) => message!),
  )
  t.same(findWork(paired).commits, [{ hash: '1a2b3c4', subject: 'Fix add', body: ['It adds'], at: 2 }])
})

const COMMITTED = ran('git commit -qam "Parse tags" && git log --oneline | head -1', '1a2b3c4 Parse tags')

t.test('a request of which only the commit was missing is said to be done once it is committed', async (t) => {
  const asked = [
    user('Parse the tags.'),
    assistant('The parser reads tags. It is not committed yet. Which name do you like?'),
  ]
  t.same(workOf([...asked, user('Keep the name and commit it.'), ...COMMITTED, assistant('Committed as 1a2b3c4.')]), [
    'request Parse the tags. => said @4 (committed since)',
    'request Keep the name and commit it. => said @5',
  ])
  t.same(
    workOf([...asked, user('Keep the name.'), assistant('It stays.')])[0],
    'request Parse the tags. => open @1 (the agent: "It is not committed yet.")',
    'nothing was committed',
  )
  const german = [
    user('Lies die Tags.'),
    assistant('Der Leser steht. Noch nicht eingecheckt: der Name gefällt mir nicht.'),
  ]
  t.match(workOf([...german, user('Check es so ein.'), ...COMMITTED, assistant('Eingecheckt.')])[0], /=> said @4/)
})

t.test('where a test was missing too, a check has passed before the commit', async (t) => {
  const asked = [user('Parse the tags.'), assistant('The parser works. It is not tested and not committed yet.')]
  const rest = (...checked: EntryDraft[]) => [
    ...asked,
    user('Go ahead then.'),
    ...checked,
    ...COMMITTED,
    assistant('Committed.'),
  ]
  t.match(workOf(rest(...ran('npm test', 'ok')))[0], /=> said @6/)
  t.match(workOf(rest())[0], /=> answered @1 .the agent: /)
})

t.test('what an agent has left out is no fault once the user agrees', async (t) => {
  const asked = [
    user('Write the export.'),
    assistant('The export works. Comments are left out, since the format has none.'),
  ]
  t.match(workOf([...asked, user('Leave them out, fine. Now the import.')])[0], /=> answered @1$/)
  t.match(workOf([...asked, user('Now the import.')])[0], /=> open @1/)
})

t.test('that an agent has not touched something is no fault, in German either', async (t) => {
  t.match(
    workOf([
      user('Räum auf.'),
      assistant('Eingecheckt als 7d41c0e. Die alten Ordner habe ich nicht angefasst.'),
      user('Gut.'),
    ])[0],
    /=> said/,
  )
  t.match(workOf([user('Räum auf.'), assistant('Eingecheckt ist die Datei noch nicht.'), user('Gut.')])[0], /=> open/)
})

t.test('work that the user stops is neither done nor to be finished', async (t) => {
  const asked = [user('Serve files too.'), assistant('The request is not answered: the error ends the process.')]
  t.same(
    workOf([...asked, user('Wait. Stop here, I have to leave.')])[0],
    'request Serve files too. => open (stopped by the user)',
  )
  t.match(workOf([...asked, user('Now index stop words.')])[0], /=> answered/)
})

t.test('a request whose last command failed is not answered', async (t) => {
  const failed = [
    user('Publish it.'),
    ...ran('npm run build', 'error TS2305: no', 1),
    assistant('Oh wait, let me check.'),
  ]
  t.same(workOf([...failed, user('Now the colours.')])[0], 'request Publish it. => open @3 (`npm run build` failed)')
  t.match(
    workOf([...failed.slice(0, 3), ...ran('npm run deploy', 'ok'), assistant('There.'), user('Now the colours.')])[0],
    /=> answered/,
  )
  t.match(workOf([...failed, user('Again.'), ...ran('npm run build', 'ok')])[0], /=> answered/, 'it has passed later')
})

t.test('work that the user has undone, or wants undone, is not said to be done', async (t) => {
  const done = [user('Port the selector to the theme.'), assistant('I have ported the selector to the theme.')]
  for (const words of [
    'i undid your changes, try again. read the full file',
    "I've reverted all of your edits.",
    'yeah you can undo that, it was the logs',
    'Please revert your last changes.',
    'Ich habe deine Änderungen rückgängig gemacht.',
  ])
    t.same(
      workOf([...done, user(words), assistant('Done. I have ported it.')])[0],
      'request Port the selector to the theme. => replaced @2 (undone by the user)',
      words,
    )
  for (const words of ['You broke the menu. i undid your changes, try again.', 'Good. The blue line, undo that.'])
    t.equal(
      workOf([...done, user(words), assistant('Done. I have ported it.')])[0],
      'request Port the selector to the theme. => answered @2',
      words,
    )
  for (const words of ['Undo should work for it too.', 'Revert it to the old colour.', 'Add a button to undo that.'])
    t.notMatch(workOf([...done, user(words), assistant('Done.')])[0], /undone/, words)
})

t.test('a request that the user says once more is replaced by it', async (t) => {
  const words = 'if we can get a language, add it to the text. but do not assume english'
  t.same(workOf([user(`${words}. like the others`), assistant('Certainly! I have added it.'), user(words)]), [
    `request ${words}. like the others => replaced @2`,
    `request ${words} => open`,
  ])
})

t.test('work that the user has interrupted went on if the next turn changes the same file', async (t) => {
  const edited = (path: string): EntryDraft[] => did('edit', { path, oldText: 'a', newText: 'b' })
  const interrupted = [
    user('The rows are too wide.'),
    ...edited('row.ts'),
    assistant('', [], { stopReason: 'aborted' }),
    user('It must stop at a new line.'),
  ]
  t.same(workOf([...interrupted, ...edited('row.ts'), assistant('Fixed both.')]), [
    'request The rows are too wide. => answered @7 (interrupted, and gone on with)',
    'request It must stop at a new line. => said @7',
  ])
  t.match(
    workOf([...interrupted, ...edited('other.ts'), assistant('Fixed.')])[0],
    /=> open \(interrupted\)/,
    'not if it changes another one',
  )
})

t.test('a check whose end alone has shown its failure is over once the same command shows none', async (t) => {
  const build = 'cd app && npm run build 2>&1 | tail -3'
  const shown = (command: string, output: string): EntryDraft[] => did('bash', { command }, output)
  const drafts = [
    user('Build it.'),
    ...shown(build, 'npm error command failed\nnpm error command sh -c tsgo -p tsconfig.build.json && chmod +x cli.js'),
    ...shown('cd app && npx tsgo -p tsconfig.build.json | grep error', 'src/a.ts(4,3): error TS2353: no linkUrl'),
  ]
  const failingIn = (all: EntryDraft[]): string[] =>
    findWork(pairMessages(buildEntries(all).map(({ message }) => message!))).failing.map(({ command }) => command)
  t.strictSame(failingIn(drafts), ['npm run build', 'npx tsgo -p tsconfig.build.json'])
  t.strictSame(failingIn([...drafts, ...shown(build, 'Waiting for the debugger to disconnect...')]), [])
})

t.test('interrupted work that the user does not want any more is withdrawn, and other work goes on', async (t) => {
  const begun = [user('Print all tables.'), assistant('', [], { stopReason: 'aborted' })]
  const request = 'request Print all tables. => '
  for (const words of [
    'Leave it. Something else: the colours.',
    'Never mind. Now the colours.',
    'No, forget it, too many rows.',
    'ok, scrap that please',
    '算了，先做颜色。',
    'Lass es, das dauert zu lange.',
    'Laisse tomber, passons aux couleurs.',
  ])
    t.same(workOf([...begun, user(words)])[0], `${request}replaced @2 (withdrawn by the user)`, words)
  for (const words of [
    'Leave it as wide as it is, and go on.',
    'Do not drop them, print all.',
    'The borders are slow, forget it. Only the tables.',
    'Staging needs the VPN, never mind. Print them here.',
    'Use ten columns instead.',
    'Den Rahmen brauchen wir nicht, lass es.',
    'Le titre, laisse tomber.',
    '边框不用了。',
  ])
    t.notMatch(workOf([...begun, user(words)])[0], /withdrawn/, words)
})

t.test('a plan that the user rejects, and work that the user corrects, is answered', async (t) => {
  const plan = [user('How would you read the prices?'), assistant('I would read a TOML file.')]
  t.same(
    workOf([...plan, user('No TOML, forget that file. Read the CSV.'), assistant('I have read it.')])[0],
    'request How would you read the prices? => answered @2',
  )
  const done = [user('Add a command cost.'), assistant('I added `cost`.\n\nNot done: `--start` is not checked.')]
  t.same(
    workOf([...done, user('Stop, the commit has a secret in it.'), assistant('It is taken out, done.')])[0],
    'request Add a command cost. => answered @2',
  )
})

t.test('what is missing in some case is not what is missing now', async (t) => {
  const states = [
    'Ramps end when less than 1 degree is missing.',
    'If a name is missing, it is an error.',
    'A name is missing.',
  ]
  t.strictSame(
    states.map((text) => workOf([user('Fix ramps.'), assistant(`Both are fixed. ${text}`)])[0]?.replace(/ @1.*/, '')),
    ['said', 'said', 'open'].map((state) => `request Fix ramps. => ${state}`),
  )
})

t.test('a check that fails as it did before the request does not keep it open, once the user goes on', async (t) => {
  const red = (...names: string[]): EntryDraft[] =>
    ran('npm test', names.map((name, at) => `not ok ${at + 1} - ${name}`).join('\n'), 1)
  const session = (before: EntryDraft[], after: EntryDraft[]): EntryDraft[] => [
    user('Measure again.'),
    ...before,
    assistant('The sum is red.'),
    user('Add a command plan.'),
    ...after,
    assistant('It is added.'),
  ]
  const planned = (...drafts: EntryDraft[]): string | undefined =>
    workOf(drafts).find((line) => line.startsWith('request Add a command plan.'))
  const asBefore = session(red('zones', 'sum'), red('sum'))
  const open = 'request Add a command plan. => open @7'
  t.same(
    planned(...asBefore, user('Good. Next one.')),
    'request Add a command plan. => answered @7 (`npm test` failed, as before)',
  )
  t.same(planned(...asBefore), `${open} (\`npm test\` failed, as before)`)
  t.same(planned(...session(red('sum'), red('plan', 'sum')), user('Good. Next one.')), `${open} (\`npm test\` failed)`)
  t.match(planned(...session([], red('sum')), user('Good. Next one.')), /=> open @5 \(`npm test` failed\)$/)
})

for (const [what, box, state] of [
  ['the box for the same file', 'gaps.csv: every gap over 6 hours', 'done @1'],
  ['a box that has less', 'gaps.csv for every hive', 'open'],
  ['a box of few words', 'gaps.csv', 'open'],
] as const)
  t.test(`a step of an earlier summary in the words of a ticked box: ${what}`, async (t) => {
    const step = 'Write data/clean/gaps.csv with every gap over 6 hours'
    const items = workOf(did('write', { path: 'PLAN.md', content: `- [x] ${box}\n` }), {
      earlier: { steps: [{ text: step, isOlder: true }], tasks: [] },
    })
    t.equal(items.at(-1)?.replace(/ older$/, ''), `step ${step} => ${state}`)
  })

t.test('a step that the user forbids, or whose thing the user keeps, is replaced; in doubt it stays', async (t) => {
  const stateOf = (step: string, words: string): string | undefined =>
    workOf([user(words), assistant('OK.'), user('Add colors to the output.')], {
      earlier: { steps: [{ text: step, isOlder: false }], tasks: [] },
    })
      .find((line) => line.startsWith('step '))
      ?.slice(`step ${step} => `.length)
      .replace(' older', '')
  for (const [step, words] of [
    ['Remove the class components', "Stop. Don't remove the class components."],
    ['Remove the class components', 'Please do not remove the class components, we need them in the demo.'],
    ['Remove the class components', 'Keep the class components as they are.'],
    ['Remove the `newNav` flag', 'Drop that, keep newNav.'],
    ['Publish 0.3.0 to crates.io', "Don't publish 0.3.0. Write the man page."],
    ['Publish version 0.3.0', "OK, but don't publish 0.3.0 at all!"],
    ['Publish 0.3.0', "Let's not publish 0.3.0 because the API changes."],
    ['Delete the branch old-c', 'Keep the branch old-c.'],
    ['Delete the branch old-c', 'Fix the parser, but never delete old-c.'],
    ['Push to main', "Don't push to main."],
  ] as const)
    t.equal(stateOf(step, words), 'replaced @0', `${step}: ${words}`)
  for (const [step, words] of [
    ['Publish 0.3.0', "Don't publish 0.3.0 yet."],
    ['Publish 0.3.0', "Don't publish yet."],
    ['Publish 0.3.0', "Don't publish 0.3.0. Fix the tests first."],
    ['Publish 0.3.0', "Wait. Don't publish 0.3.0."],
    ['Publish 0.3.0', "If a test fails, don't publish 0.3.0."],
    ['Publish 0.3.0', "Don't publish 0.3.0 without the changelog."],
    ['Publish 0.3.0', "Don't forget to publish 0.3.0."],
    ['Publish 0.3.0', 'Stop the server before you publish 0.3.0.'],
    ['Publish 0.3.0', "Why don't you publish 0.3.0?"],
    ['Publish 0.3.0', "Don't publish 0.4.0."],
    ['Publish 0.3.0 and tag it', "Don't publish 0.3.0."],
    ['Remove the class components', "Don't remove the tests of the class components."],
    ['Remove the tests of the class components', "Don't remove the class components."],
    ['Remove the class components', "Don't remove all the class components."],
    ['Remove the class components', "Don't remove them yet."],
    ['Remove the class components', 'Keep the class components until the release.'],
    ['Rename the class components', 'Keep the class components.'],
    ['Delete the branch old-c', 'Keep the branch old-c up to date.'],
    ['Delete the branch old-c', "Don't delete the branch."],
    ['Delete the tag old-c', "Don't delete the branch old-c."],
    ['Merge dev into main', "Don't merge main into dev."],
  ] as const)
    t.equal(stateOf(step, words), 'open', `${step}: ${words}`)
})

t.test('what the user wants taken out again is replaced by its name, wherever it stands', async (t) => {
  const done = (id: string) => did('TaskUpdate', { taskId: id, status: 'completed' }, `Updated task #${id} status`)
  const items = workOf([
    user('One of our members only knows Fahrenheit. The table needs a --fahrenheit option, for her.'),
    ...did(
      'TaskCreate',
      { subject: 'Option --fahrenheit of the table' },
      'Task #1 created successfully: Option --fahrenheit of the table',
    ),
    ...done('1'),
    assistant('`table --fahrenheit` works now.'),
    user('She has left. Take --fahrenheit out again.'),
    assistant('It is removed.'),
  ])
  t.match(items, [
    /table needs a --fahrenheit option, for her\. => answered @6$/,
    /Take --fahrenheit out again\. => answered/,
    /#1 Option --fahrenheit of the table => replaced @6/,
  ])
})

t.test(
  'the items that a sentence numbers are wishes, and done once the tasks that were made of them are',
  async (t) => {
    const created = (id: string, subject: string): EntryDraft[] =>
      did('TaskCreate', { subject }, `Task #${id} created successfully: ${subject}`)
    const items = workOf([
      user(
        'Last round: (1) docs/handout.md for the members, with a table for each schedule; (2) a script compare.js that only reads. One commit for both.',
      ),
      ...created('1', 'docs/handout.md with a table for each schedule'),
      ...created('2', 'Script compare.js'),
      ...did('TaskUpdate', { taskId: '1', status: 'completed' }, 'Updated task #1 status'),
    ])
    t.strictSame(
      items.filter((line) => line.startsWith('wish')),
      [
        'wish docs/handout.md for the members, with a table for each schedule => done @6',
        'wish a script compare.js that only reads. => open',
        'wish One commit for both. => open',
      ],
    )
    t.notMatch(workOf([user('See (1) and (3) of the list. Fix both of them.')]).join('\n'), /wish/)
  },
)

t.test(
  'a failure that the agent reports with a question is for the user to judge, and what he wants not forgotten is not called off',
  async (t) => {
    const asked = [
      user('Set the new figures.'),
      ...ran('npm test', 'not ok 1 - the sum', 1),
      assistant('They are set, and committed. One test is red: shall I write 10.22?'),
    ]
    t.same(workOf(asked)[0], 'request Set the new figures. => open @3 (the agent asked back)')
    t.same(
      workOf([
        ...asked,
        user("No, the test stays red so that I don't forget it. Describe the rest."),
        assistant('It is done.'),
      ])[0],
      'request Set the new figures. => answered @5',
    )
  },
)

/** What an agent says is missing, the words of the user after it, and how the request stands then. */
const MISSING: Record<string, [missing: string, next: string, state: string]> = {
  'asked for it in other words': ['The buttons are there, but the route is missing.', 'then do the route', 'answered'],
  'asked for it in German': [
    'Das Erneuern ist nur im Frontend da, die Route fehlt noch.',
    'dann mach die route noch',
    'answered',
  ],
  'asked for it in French': ['Il reste fail2ban (point 4).', 'top. fail2ban alors, bantime 1h', 'answered'],
  'asked for it in Spanish': ['Faltan las pruebas.', 'entonces las pruebas', 'answered'],
  'asked for it in a later turn': ['`--json` is not done yet.', 'which crates do we use?', 'answered'],
  'asked for one of two things': ['`--json` is not done yet, and the test is missing.', 'now the json', 'open'],
  'asked for another thing': ['The route is missing.', 'rename the button', 'open'],
  'asked for another part of the thing': ['The route is missing.', 'write the docs of the route', 'open'],
  'said that it is missing': ['The route is missing.', 'the route is still missing', 'open'],
  'postponed it': ['The route is missing.', 'the route can wait', 'open'],
  'asked about it': ['The route is missing.', 'why is the route missing?', 'open'],
}

for (const [what, [missing, next, state]] of Object.entries(MISSING))
  t.test(`a request whose answer says "${missing}" is ${state} once the user has ${what}`, async (t) => {
    const later = what.includes('later') ? [assistant('serde.'), user('and now json please')] : []
    const drafts = [user('Write the page.'), assistant(missing), user(next), ...later, assistant('It is there.')]
    t.match(workOf(drafts)[0], `request Write the page. => ${state} `)
    t.match(workOf(drafts.slice(0, -1))[0], `request Write the page. => ${state} `, 'also while the agent is at it')
    t.notOk(
      workOf(drafts).some((item) => item.startsWith('step')),
      'what the agent says is no step',
    )
  })

/** A request at whose end the agent asks whether to do more; the next turn has not done that. */
const ASKED_MORE: Record<string, [request: string, answer: string, state: string]> = {
  'a question that was answered': [
    'thx. what happens if all are down?',
    'One mail each. Shall I group them?',
    'answered',
  ],
  'a question in German': ['Wie viele Mails gibt das?', 'Eine je Station. Soll ich sie bündeln?', 'answered'],
  'a question in French': ['Combien de mails en tout ?', 'Un par station. Je les groupe ?', 'answered'],
  'a question in Spanish': ['¿cuántos correos son?', 'Uno por estación. ¿Los agrupo?', 'answered'],
  'a question that the agent only asked back on': ['How many are pending?', 'In which database?', 'open'],
  'a polite order': ['Could you group the mails?', 'There are two ways. Which one?', 'open'],
  'an order beside a question': ['Group the mails. How many are there?', 'Forty. By region?', 'open'],
}

for (const [what, [request, answer, state]] of Object.entries(ASKED_MORE))
  t.test(`${what} is ${state}, whatever the next turn has left`, async (t) => {
    const next = [user('yes, by region'), assistant('Grouped by region. The subject is missing.')]
    t.match(workOf([user(request), assistant(answer), ...next])[0], new RegExp(`=> ${state}(?: |$)`))
  })

t.test('a check that fails after a file was written by a command says nothing of the work before', async (t) => {
  const fixed = [
    user('The build is red. Fix it.'),
    ...ran("sed -i 's/LINKS/links/' f.ts && npm run build"),
    assistant('Fixed.'),
  ]
  const next = (...work: EntryDraft[]) => [
    ...fixed,
    user('Now the dark mode.'),
    ...work,
    ...ran('npx vitest run', 'x failed', 1),
  ]
  t.match(workOf(next(...ran("cat > dark.ts <<'E'\nexport const dark = 1\nE")))[0], /=> said @3$/)
  t.match(workOf(next(...ran('cat dark.ts', 'x')))[0], /=> open @3 .`npx vitest run` failed after that.$/)
})

t.test(
  'a task is replaced where the user does not need it any more, in languages in which its name comes first',
  async (t) => {
    const stateAfter = (content: string, request: string): string | undefined =>
      /^task .* => (\w+)/m.exec(
        workOf([
          user('Go on.'),
          ...did('todo_write', { todos: [{ content, status: 'pending' }] }),
          assistant('Next.'),
          user(request),
        ]).join('\n'),
      )?.[1]
    const [sort, sorted, test] = ['按名称排序', '名前で並べ替え', '写测试']
    for (const [task, request] of [
      [sort, '排序不用了,顺序不变就好。清空列表,把测试改成不排序。'],
      [sort, '不用做排序了'],
      [sort, '排序算了'],
      [sort, '好的。排序就不要了'],
      [sort, '取消排序'],
      [test, '测试不需要了,谢谢'],
      ['写文档', '文档不用写了'],
      ['添加缓存功能', '缓存取消吧'],
      [sorted, '並べ替えはやめてください'],
    ] as const)
      t.equal(stateAfter(task, request), 'replaced', request)
    for (const [task, request] of [
      [sort, '排序先不用了'],
      [sort, '排序不用了吗?'],
      [sort, '暂时不用做排序了'],
      [sort, '不要改排序'],
      [sort, '谢谢,不用了'],
      [sort, '排序不要用冒泡'],
      [sort, '文档不用了'],
      [`${sort}并且写文档和测试`, '排序不用了'],
      [test, '测试失败了,算了,明天再看'],
      [sorted, '並べ替えは今は不要です'],
      [sorted, '並べ替えは不要な列を除いてください'],
      [sorted, '並べ替えは必要なので続けて'],
      ['删除旧版导出', '旧版导出不用了，可以删了'],
      ['캐시 추가', '캐시는 필요해요'],
    ] as const)
      t.equal(stateAfter(task, request), 'open', request)
  },
)

const lineOf = (items: readonly string[], begin: string): string | undefined =>
  items.find((item) => item.startsWith(begin))?.replace(/^.*? => /, '')

t.test(
  'what the user says next, and what was committed, stands beside a request that is not known to be done',
  async (t) => {
    const sinceOf = (drafts: EntryDraft[]): readonly string[] =>
      findWork(pairMessages(buildEntries(drafts).map(({ message }) => message!))).items.flatMap(
        ({ since = [] }) => since,
      )
    const aborted = assistant('', [], { stopReason: 'aborted' })
    const committed = (hash: string, subject: string): EntryDraft[] =>
      ran(`git commit -qam "${subject}" && git log --oneline -1`, `${hash} ${subject}`)
    const parts = user('Please do:\n1. Set the limit to 5\n2. Delete the row on cancel\n3. Rename the reserve button')
    t.strictSame(sinceOf([parts, aborted, user('wait. dont delete the row. set cancelled_at instead')]), [
      "the user then: 'wait. dont delete the row. set cancelled_at instead'",
    ])
    const timer = user('The hold timer jumps when the tab is hidden. Count from the deadline.')
    const first = user('wait, first this: `/api/promo` (prod) answers 500')
    const interrupted = [timer, aborted, first, assistant('Fixed.'), user('back to the timer')]
    t.strictSame(sinceOf([...interrupted, ...committed('a9914f0', 'Count the hold timer from the deadline')]), [
      "committed since: a9914f0 'Count the hold timer from the deadline'",
      "the user then: 'wait, first this: /api/promo prod answers 500'",
      "the agent then: 'Fixed.'",
      "the user then: 'back to the timer'",
    ])
    t.strictSame(sinceOf([...interrupted, ...committed('b9914f0', 'Answer 404 for unknown codes')]).slice(1), [
      "the agent then: 'Fixed.'",
      "the user then: 'back to the timer'",
    ])
    const own = [user('The promo route answers 500.'), ...committed('d07f3b5', 'Answer 404 for unknown codes')]
    const left = [...own, assistant('It is fixed. It still has to be deployed.')]
    t.strictSame(sinceOf([...left, user('deployed it myself, the 500s are gone')]), [
      "the user then: 'deployed it myself, the 500s are gone'",
    ])
    t.strictSame(sinceOf([...left, user('go on'), assistant('OK.'), user('The colours, please.')]), [
      "the user then: 'The colours, please.'",
    ])
    t.strictSame(
      sinceOf([...own, assistant('It is fixed.'), user('Now the colours.')]),
      [],
      'the agent says it is done',
    )
    t.strictSame(sinceOf([...own, assistant('It is fixed.'), user('It still fails.')]).slice(-1), [
      "the user then: 'It still fails.'",
    ])
  },
)

t.test(
  'a request of which one commit is taken back is answered, and one whose only commit is taken back is open',
  async (t) => {
    const commit = (hash: string, subject: string): EntryDraft[] => [
      ...did('edit', { path: 'hero.css', oldText: 'a', newText: hash }),
      ...ran(`git commit -qam "${subject}" && git log --oneline -1`, `${hash} ${subject}`),
    ]
    const revert = ran('git revert --no-edit e3d9916', '[main 90ab7d4] Revert "Crop the hero"')
    const asked = user('Fix the jumps of the page.')
    const after = (...drafts: EntryDraft[]): string | undefined =>
      lineOf(
        workOf([
          asked,
          ...drafts,
          assistant('The jumps of the page are fixed.'),
          user('The hero as before, please.'),
          ...revert,
          assistant('Reverted.'),
        ]),
        'request Fix the jumps',
      )
    t.equal(
      after(...commit('77b0e4d', 'Give pictures their size'), ...commit('e3d9916', 'Crop the hero')),
      "answered @9 (taken back in part: 'Crop the hero', by `git revert --no-edit e3d9916`)",
    )
    t.match(after(...commit('e3d9916', 'Crop the hero')), /^open @5 \(taken back by/)
  },
)

t.test('what has no explanation yet is not missing from a part that shares its words', async (t) => {
  const items = workOf([
    user('- make the import fast again\n- a --stations 014,087 option so I can rerun single ones'),
    ...did('edit', { path: 'a', oldText: 'a', newText: 'b' }),
    assistant(
      'Done:\n- The import is fast again.\n- `--stations 014,087` reruns single stations.\n\nI could not find out why station 087 sends duplicates.',
    ),
    user('great. now the alerts please, by mail'),
  ])
  t.match(lineOf(items, 'wish a --stations'), /^said/)
})

t.test('an item has one box, however many stand before its text', async (t) => {
  const content = '- [x] [x] parser\n- [ ] [ ] lexer\n- [ ] [a] key'
  const drafts = [
    user('Write the plan.'),
    assistant('', [call('w', 'write', { path: 'PLAN.md', content })]),
    result('w', 'ok', { toolName: 'write' }),
  ]
  const { items } = findWork(pairMessages(buildEntries(drafts).map(({ message }) => message!)))
  t.strictSame(
    items.flatMap(({ kind, text, state }) => (kind === 'box' ? [`${text}: ${state}`] : [])),
    ['parser: done', 'lexer: open', '[a] key: open'],
  )
})

const LIST_PAGE =
  'Please:\n1. add a search box to src/list.js\n2. sort the list by date\n3. translate the page to German\n4. update docs/list.md'

/** The states of the wishes of a request, in their order. */
const wishStates = (request: string, ...drafts: EntryDraft[]): string[] =>
  workOf([user(request), ...drafts, user('thanks, later more'), assistant('See you.')])
    .filter((line) => line.startsWith('wish'))
    .map((line) => line.split(' => ').at(-1)!.split(' ')[0]!)

t.test('a wish that an answer names as not done is open, though the answer claims all', async (t) => {
  const edit = ['src/list.js', 'docs/list.md'].flatMap((path) => did('edit', { path, oldText: 'a', newText: 'b' }))
  const left = {
    'Done:\n- the search box\n- sorting by date\n\nStill to do:\n- the translation\n- docs/list.md': [3, 4],
    'Done.\n\n## Open\n\n1. the translation\n2. docs/list.md': [3, 4],
    'All is done.\n\n**Not done yet:**\n- the search box': [1],
    'All of it is done except the docs: docs/list.md is a draft.': [4],
    'Everything is done except the translation.': [3],
    'Alles ist erledigt bis auf docs/list.md.': [4],
    'Tout est terminé sauf docs/list.md.': [4],
  }
  for (const [answer, numbers] of Object.entries(left)) {
    const states = wishStates(LIST_PAGE, ...edit, assistant(answer))
    t.strictSame(
      states.flatMap((state, at) => (state === 'open' ? [at + 1] : [])),
      numbers,
      answer,
    )
  }
  const shown = workOf([user(LIST_PAGE), ...edit, assistant('Done.\n\n## Open\n\n1. the translation')])
  t.match(shown[0], /=> answered/, 'and its request is not done as a whole')
  t.match(shown.join('\n'), /wish translate the page to German => open @5 \(the agent: "the translation"\)/)
  const all = wishStates(LIST_PAGE, ...edit, assistant('All done.\n\nFollowing files changed:\n- docs/list.md'))
  t.strictSame(all, ['said', 'said', 'said', 'said'], 'a list of what was changed leaves nothing')
})

t.test('a claim and a commit about one wish say nothing of another one with the same verb', async (t) => {
  const request = 'Please:\n- fix the login on mobile\n- fix the logout'
  const commit = (subject: string): EntryDraft[] =>
    ran(`git commit -am '${subject}'`, `[main aaa1111] ${subject}\n 1 file changed`)
  const answer = assistant('Fixed the login on desktop first; on mobile it still fails in Safari.')
  t.strictSame(wishStates(request, ...commit('auth: fix the login'), answer), ['open', 'open'])
  t.strictSame(wishStates(request, ...commit('auth: fix the logout'), answer), ['open', 'said'])
  const cart = 'Please:\n- validate the postal code of the cart\n- rename the cart button'
  const looked = assistant('I have looked at the rest.')
  t.not(wishStates(cart, ...commit('cart: validate the phone code'), looked)[0], 'said')
  t.equal(wishStates(cart, ...commit('cart: validate the postal code'), looked)[0], 'said')
})

t.test('a ban in a list of wishes is not said to be done', async (t) => {
  const request =
    'Please:\n1. fix the login\n2. add a cache\n3. Do NOT push. One commit per number.\n4. keep the tab that does not load'
  const states = wishStates(request, ...did('edit', { path: 'a', oldText: 'a', newText: 'b' }), assistant('All done.'))
  t.strictSame(states, ['said', 'said', 'answered', 'said'])
})
