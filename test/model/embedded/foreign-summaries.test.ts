import t from 'tap'
import { pairMessages } from '../../../src/extract/runs.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import { writeExtract } from '../../../src/model/embedded/write-extract.ts'
import type { Message } from '../../../src/session/message.ts'
import { extractShortSummary } from '../../../src/summary/draft.ts'
import { REQUIRED_SECTIONS } from '../../../src/prompt/templates.ts'
import { getSection, parseSections } from '../../../src/text/sections.ts'
import { HEADINGS } from '../../../src/text/summary-headings.ts'
import { assistant, buildEntries, user } from '../../support/build-entries.ts'

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
  ['- Planned earlier, not confirmed:', ...steps.map((step) => `  - ${step}`)].join('\n')

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
