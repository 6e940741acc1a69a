import t from 'tap'
import { pairMessages } from '../../../src/extract/runs.ts'
import { readEarlierWork } from '../../../src/model/embedded/earlier-work.ts'
import { parseSummary } from '../../../src/model/embedded/parse-summary.ts'
import { splitParts } from '../../../src/model/embedded/summary-parts.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import { writeExtract } from '../../../src/model/embedded/write-extract.ts'
import type { Message } from '../../../src/session/message.ts'
import { extractShortSummary } from '../../../src/summary/draft.ts'
import { REQUIRED_SECTIONS } from '../../../src/prompt/templates.ts'
import { getSection, parseSections } from '../../../src/text/sections.ts'
import { HEADINGS } from '../../../src/text/summary-headings.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../../support/build-entries.ts'

/** Summaries as models write them by the prompts of clients. */
const SUMMARIES = {
  Cline: `## Goal
fact-goal: make the importer faster.

## State
- Done: fact-done, the reader streams rows
  - fact-detail: 64 KiB at a time
- In Progress: fact-open, the writer
- Blocked: fact-blocked, no access to staging

## Highlights
- fact-choice: rows are streamed because of memory

## Next
1. fact-next: measure the writer

## Files
- src/fact-file.ts: reads rows`,
  opencode: `## Objective
- fact-goal: make the importer faster.

## Important Details
- fact-known: the price may be missing

## Work State
### Completed
- fact-done, the reader streams rows

### Active
- fact-open, the writer

### Blocked
- fact-blocked, no access to staging

## Next Move
1. fact-next: measure the writer

## Relevant Files
- src/fact-file.ts: reads rows`,
  Codex: `**Current Progress**
- fact-done, the reader streams rows

**Key Decisions:**
- fact-choice: rows are streamed because of memory

**Constraints and Preferences**
- fact-wish: no new packages

**What Remains To Be Done**
- fact-next: measure the writer

## Handoff
- fact-odd: ask Ada`,
  OpenHands: `USER_CONTEXT: fact-goal: make the importer faster.

COMPLETED: fact-done, the reader streams rows
PENDING: fact-later, the export

CODE_STATE: src/fact-file.ts reads rows
TESTS: fact-known, 12 passed`,
  'Gemini CLI': `<state_snapshot>
    <overall_goal>fact-goal: make the importer faster.</overall_goal>
    <key_knowledge>
        - fact-known: the price may be missing
    </key_knowledge>
    <file_system_state>
        - src/fact-file.ts: reads rows
    </file_system_state>
    <recent_actions>
        - fact-done, the reader streams rows
    </recent_actions>
    <current_plan>
        1. [DONE] fact-first, profile the importer
        2. [IN PROGRESS] fact-open, the writer
        3. [TODO] fact-next: measure the writer
    </current_plan>
</state_snapshot>`,
  Roo: `Context:
  1. Previous Conversation:
    fact-known: the importer was slow
  2. Current Work:
    fact-open, the writer
  3. Relevant Files and Code:
    - src/fact-file.ts reads rows
  4. Pending Tasks and Next Steps:
    - fact-next: measure the writer`,
  'an unknown program': `# Summary of the session

## Goal
fact-goal: make the importer faster.

## Risks
- fact-odd: the disk is slow

### Next Steps
- fact-next: measure the writer

#### Owners
fact-owner: Ada`,
  'Claude Code, in its tags': `<analysis>
Thoughts about Goal:
</analysis>

<summary>
1. Primary Request and Intent:
   fact-goal: make the importer faster.
2. Key Technical Concepts:
   - fact-known: the price may be missing
3. Files and Code Sections:
   - src/fact-file.ts: reads rows
8. Current Work:
   fact-open, the writer
</summary>`,
} as const

const { goal, constraints, done, blocked, state, decisions, nextSteps, context } = HEADINGS

/** The steps of a summary, after a newer request was answered. */
const older = (...steps: string[]): string =>
  [
    '- Planned earlier, not confirmed (it may be done or dropped since: look before doing it):',
    ...steps.map((step) => `  - ${step}`),
  ].join('\n')

/** What the sections have of the facts. All other sections are empty. */
const FACTS: Readonly<Record<keyof typeof SUMMARIES, Record<string, string>>> = {
  Cline: {
    [goal]: 'fact-goal: make the importer faster.',
    [done]: '- fact-done, the reader streams rows\n  - fact-detail: 64 KiB at a time',
    [blocked]: '- fact-blocked, no access to staging',
    [state]: '- src/fact-file.ts: reads rows',
    [decisions]: '- fact-choice: rows are streamed because of memory',
    [nextSteps]: older('fact-next: measure the writer', 'fact-open, the writer'),
  },
  opencode: {
    [goal]: '- fact-goal: make the importer faster.',
    [done]: '- fact-done, the reader streams rows',
    [blocked]: '- fact-blocked, no access to staging',
    [state]: '- src/fact-file.ts: reads rows',
    [nextSteps]: older('fact-next: measure the writer', 'fact-open, the writer'),
    [context]: 'Important Details:\n- fact-known: the price may be missing',
  },
  Codex: {
    [constraints]: '- fact-wish: no new packages',
    [done]: '- fact-done, the reader streams rows',
    [decisions]: '- fact-choice: rows are streamed because of memory',
    [nextSteps]: older('fact-next: measure the writer'),
    [context]: 'Handoff:\n- fact-odd: ask Ada',
  },
  OpenHands: {
    [goal]: 'fact-goal: make the importer faster.',
    [done]: 'fact-done, the reader streams rows',
    [state]: 'src/fact-file.ts reads rows',
    [nextSteps]: older('fact-later, the export'),
    [context]: 'TESTS:\nfact-known, 12 passed',
  },
  'Gemini CLI': {
    [goal]: 'fact-goal: make the importer faster.',
    [done]: '- fact-done, the reader streams rows\n- [x] fact-first, profile the importer (said to be done)',
    [state]: '- src/fact-file.ts: reads rows',
    [nextSteps]: older('fact-open, the writer', 'fact-next: measure the writer'),
    [context]: 'Key knowledge:\n- fact-known: the price may be missing',
  },
  Roo: {
    [state]: '- src/fact-file.ts reads rows',
    [nextSteps]: older('fact-next: measure the writer', 'fact-open, the writer'),
    [context]: 'Previous Conversation:\nfact-known: the importer was slow',
  },
  'an unknown program': {
    [goal]: 'fact-goal: make the importer faster.',
    [nextSteps]: older('fact-next: measure the writer'),
    [context]: 'Risks:\n- fact-odd: the disk is slow\n\nNext Steps, Owners:\nfact-owner: Ada',
  },
  'Claude Code, in its tags': {
    [goal]: 'fact-goal: make the importer faster.',
    [state]: '- src/fact-file.ts: reads rows',
    [nextSteps]: older('fact-open, the writer'),
    [context]: 'Key Technical Concepts:\n- fact-known: the price may be missing',
  },
}

const ROUNDS = 10

/** Returns the summaries of rounds, each of which has a request and its answer. */
function runRounds(first: string): string[] {
  const summaries = [first]
  for (let round = 1; round <= ROUNDS; round++) {
    const drafts = [user(`Change the module m${round}.`), assistant(`Changed the module m${round}.`)]
    const messages = buildEntries(drafts).map(({ message }) => message!)
    const source = sourceOf(pairMessages(messages), summaries.at(-1) ?? '')
    summaries.push(extractShortSummary(writeExtract({ kind: 'history', maxTokens: 13_107, source })).text)
  }
  return summaries.slice(1)
}

/** Returns the sections of a summary that have text, without what the rounds add to them. */
function factsIn(summary: string): Record<string, string> {
  const sections = parseSections(summary).map(({ heading, lines }): [string, string] => {
    const text = lines.filter((line) => !/module m\d|^(?:First|Newest|Earlier) |^\(/.test(line)).join('\n')
    return [heading?.line ?? '', text.trim()]
  })
  return Object.fromEntries(sections.filter(([, text]) => text !== ''))
}

for (const [name, summary] of Object.entries(SUMMARIES))
  t.test(`the headings of ${name} become ours, and ten compactions nest, double and lose nothing`, async (t) => {
    for (const text of runRounds(summary)) {
      t.strictSame(factsIn(text), FACTS[name as keyof typeof SUMMARIES])
      const headings = text.split('\n').filter((line) => line.startsWith('#'))
      t.strictSame(headings, [...REQUIRED_SECTIONS.history])
      t.notMatch(text, /<\/?[a-z_]+>/)
    }
  })

t.test('lines of a request that look like titles stay where they are in our own summaries', async (t) => {
  const request = 'Write the page.\n\n**Decisions**\n1. Goal: sell\n2. State: draft\n3. Next: print\nTests:\nnone yet'
  const message = buildEntries([user(request)]).map(({ message }) => message!)
  const write = (messages: Message[], previousSummary?: string) => {
    const source = sourceOf(pairMessages(messages), previousSummary)
    return extractShortSummary(writeExtract({ kind: 'history', maxTokens: 13_107, source })).text
  }
  const [answer] = buildEntries([assistant('It is written.')]).map(({ message }) => message!)
  const second = write([answer!], write(message))
  t.equal(getSection(parseSections(second), goal).join('\n').trim(), `Newest request:\n${request}`)
})

t.test('a word in the middle of a sentence is no tag, and items of a list are no titles', async (t) => {
  const words = '1. Tests: run them\n2. Plan: the tag `<summary>` ends with </summary> here\n- State: old'
  t.strictSame(factsIn(runRounds(words)[0] ?? ''), { [context]: words })
})

t.test(
  'what is only finished in current work is done, and without a goal, the first request is the goal',
  async (t) => {
    const request = 'Find the leak of the lobby server, then write a graceful shutdown.'
    const write = (previousSummary: string): string => {
      const messages = buildEntries([
        user(request),
        assistant('The leak is found.'),
        user('deployed, metrics look good. go on'),
        assistant('The shutdown comes next.'),
      ]).map(({ message }) => message!)
      const source = sourceOf(pairMessages(messages), previousSummary)
      return extractShortSummary(writeExtract({ kind: 'history', maxTokens: 13_107, source })).text
    }
    const section = (text: string, heading: string): string =>
      getSection(parseSections(text), heading).join('\n').trim()
    const finished = 'The model and the view are finished; 4 tests pass.'
    const begun = 'The view is finished; the model is next.'
    const text = write(`## Progress\n\n### In Progress\n- ${finished}\n- ${begun}`)
    t.equal(section(text, goal), `First request:\n${request}\n\nNewest request:\ndeployed, metrics look good. go on`)
    t.match(text, `- [x] ${finished} (said to be done)`)
    t.notMatch(text, `- [x] ${begun}`)
    t.match(text, begun)
    t.notMatch(section(write('## Goal\nA better lobby server.'), goal), request)
  },
)

t.test('a line that is written as the titles of a summary are is one, whatever it says', async (t) => {
  const forms: readonly [summary: string, parts: Record<string, string>][] = [
    [
      '**Constraints**\n- b\n\n**Remaining**\n1. c\n\n**Progress**\n- a\n\n**Odd Things:**\n- d\n**e** says:\n- f',
      { done: '- a', constraints: '- b', pending: '1. c', context: 'Odd Things:\n- d\n**e** says:\n- f' },
    ],
    [
      '1. Current Work:\n   a\n2. Completed:\n   - b\n   1. c:\n3. Ideas:\n   - d\n4. Next Step:\n1. e:\n2. f',
      { inProgress: 'a', done: '- b\n1. c:', context: 'Ideas:\n- d', nextSteps: '1. e:\n2. f' },
    ],
    // Below open work and constraints, it is an item.
    [
      '1. Current Work: a\n2. Completed: b\n3. Next Steps:\n4. Add c:\n5. Write d:\n6. Raise e:',
      { inProgress: 'a', done: 'b', nextSteps: '4. Add c:\n5. Write d:\n6. Raise e:' },
    ],
    [
      '**Done**\na\n\n**Next Steps**\n\n**Add b**\nFor c.\n\n**Write d**\nFor e.\n\n**Notes**\nf',
      { done: 'a', nextSteps: '**Add b**\nFor c.\n\n**Write d**\nFor e.', context: 'Notes:\nf' },
    ],
    [
      '**Constraints**\n**Never push**\n\n**Done**\n- a\n\n**Pending**\n**CSV export:**\n- b\n**Refunds:**\n- c',
      { constraints: '**Never push**', done: '- a', pending: '**CSV export:**\n- b\n**Refunds:**\n- c' },
    ],
    [
      '1. Current Work: a\n2. Completed: b\n3. Decisions: c\n4. Pending Tasks:\n5. CSV export:\n   - d',
      { inProgress: 'a', done: 'b', decisions: 'c', pending: '5. CSV export:\n   - d' },
    ],
    [
      'Handover\n\nDone so far:\n- a\n\nStill to do:\n- b\n\nLunch:\n- c',
      { context: 'Handover', done: '- a', pending: '- b\n\nLunch:\n- c' },
    ],
    ['TODO:\n- a\nDONE:\n- b', { pending: '- a', done: '- b' }],
    ['## Files\n```yaml\nstate:\nplan:\n  files:\n```', { state: '```yaml\nstate:\nplan:\n  files:\n```' }],
    [
      '**Erledigt**\n- a\n**Noch zu tun**\n- b\n**Chefsache**\n- c',
      { done: '- a', pending: '- b\n**Chefsache**\n- c' },
    ],
    ['## Fait\n- a\n## Reste à faire\n- b', { done: '- a', pending: '- b' }],
    ['## Hecho\n- a\n## Próximos pasos\n- b', { done: '- a', nextSteps: '- b' }],
    ['## 已完成\n- a\n## 待办\n- b', { done: '- a', pending: '- b' }],
    ['## Status\n- Done: a\n- Still open: b\n- Note: c', { done: '- a', pending: '- b', context: '- Note: c' }],
    [
      '## Status\n- Changes: a, not begun\n- Done?: b\n- Completed (partially): c\n- Finished: d',
      { context: 'Status:\n- Changes: a, not begun\n- Done?: b\n- Completed (partially): c\n- Finished: d' },
    ],
    ['## Next Steps\n**Phase 1**\n1. a', { nextSteps: '**Phase 1**\n1. a' }],
  ]
  for (const [summary, parts] of forms) t.strictSame(splitParts(summary), parts, summary)
})

t.test(
  'a step of an earlier summary is done where its own words or mark say so, and an order to see to it is not',
  async (t) => {
    const isDone = (step: string, part: string): boolean =>
      readEarlierWork(parseSummary(`## ${part}\n${step}`)).steps.every((one) => one.isDone === true)
    const finished = [
      ...['PhaseEstimator is finished and committed as 3f20b9a; its 9 tests pass.', '`src/parser.ts` was rewritten.'],
      ...['User auth has been implemented and merged.', 'Login page is done; all tests pass.', 'Parser ist fertig.'],
    ]
    const left = [
      ...[
        'Verify the login is fixed',
        'Ensure migrations are applied',
        'Tell Ada the export is finished',
        'Deploy what is merged',
      ],
      ...[
        'Parser is finished, printer is missing',
        'Parser is finished except for comments',
        'Parser is done, now the printer',
      ],
      ...[
        'Fix tests that were removed',
        'Merge once CI is green',
        'Only the parser is done',
        '3 of 5 steps are done',
        '- [ ] login page is done',
        'Export ist noch nicht fertig',
      ],
    ]
    t.strictSame(
      [...finished, ...left].filter((step) => isDone(step, 'Current Work')),
      finished,
    )
    const marked = ['~~Write it~~', '[DONE] Write it', '[x] Write it', '**Writer**: done']
    const unmarked = [
      ...['Get it done', 'Write it (half done)', 'Set the state: done', '~~Write~~ rewrite it', '[ ] Write it ✅'],
      ...['✅ emoji is missing in the header row', '✔ icon of the menu is misaligned', "Replace the text 'OK' by ✓"],
      ...[
        'Rename the label from Save - Done',
        'Translate the label: pending - erledigt',
        'Show the title Order – completed',
      ],
      ...['Add a filter for orders by status (done)', 'Show a ✓', 'Write it — not done'],
    ]
    t.strictSame(
      [...marked, ...unmarked].filter((step) => isDone(`- ${step}`, 'Next Steps')),
      marked,
    )
  },
)

t.test('a step of an earlier summary stays where a new list has a part of it, or reads what it is about', async (t) => {
  const tasks = (...contents: string[]): EntryDraft[] => {
    const args = { todos: contents.map((content) => ({ content, status: 'completed' })) }
    return [assistant('', [call('a', 'TodoWrite', args)]), result('a', 'ok', { toolName: 'TodoWrite' })]
  }
  const lists: readonly [steps: string[], completed: string[]][] = [
    [
      ['Add the CSV export and the PDF export', 'Printer of rows'],
      ['Add the CSV export', 'Printer'],
    ],
    [
      ['Add validation to the login form and the signup form', 'Lexer of rows'],
      ['Add validation to login form', 'Lexer'],
    ],
    [
      ['Translate the operator guide to French', 'Update the README in German'],
      ['Translate operator guide', 'README'],
    ],
    [
      ['Migrate the orders table on the replica', 'Printer of rows'],
      ['Migrate the orders table', 'Printer'],
    ],
    [
      ['Rewrite the parser', 'Rewrite the lexer'],
      ['Parser', 'Lexer'],
    ],
    [
      ['Rewrite and document the parser module', 'Delete the lexer module'],
      ['Document the parser module', 'Read the lexer module'],
    ],
  ]
  for (const [steps, completed] of lists) {
    const paired = pairMessages(buildEntries(tasks(...completed)).map(({ message }) => message!))
    const source = sourceOf(paired, `## Next Steps\n${steps.map((step) => `- ${step}`).join('\n')}`)
    const { text } = extractShortSummary(writeExtract({ kind: 'history', maxTokens: 4096, source }))
    t.strictSame(
      steps.filter((step) => !getSection(parseSections(text), HEADINGS.nextSteps).join('\n').includes(step)),
      [],
      steps.join(' / '),
    )
  }
})
