import t from 'tap'
import { openItem, type WorkItem, type WorkState } from '../../src/extract/work-item.ts'
import { moveDone, settleWork } from '../../src/summary/proven-lines.ts'
import { readSummary } from '../../src/summary/summary.ts'

const item = (kind: WorkItem['kind'], text: string, state: WorkState): WorkItem => ({
  ...openItem(kind, text, 1),
  state,
  ...(state === 'done' && { provenAt: 2 }),
})

const DRAFT = `## Goal
Fix add

## Progress

### Done
- [x] The parser

### In Progress
- [ ] Write docs

## Next Steps
1. **Fix add.**
   It is in calc.py.
2. Fix add in all files
3. Run tests
4. Tag it

## Critical Context
- Fix add`

const moved = (items: WorkItem[], draft = DRAFT): string =>
  moveDone(readSummary(draft), { items, failing: [], commits: [], isInTurn: false }).text

t.test(
  'only what is proven to be done, in the same words, moves from the open sections of a draft to Done',
  async (t) => {
    t.equal(
      moved([
        item('task', 'Fix add', 'done'),
        item('box', 'write docs', 'done'),
        item('step', 'Run tests', 'said'),
        item('task', 'Tag it', 'done'),
        item('box', 'Tag it', 'open'),
      ]),
      DRAFT.replace('- [x] The parser', '- [x] The parser\n- [x] write docs\n- [x] Fix add')
        .replace('- [ ] Write docs', '(none)')
        .replace('1. **Fix add.**\n   It is in calc.py.\n', ''),
    )
  },
)

t.test('what was done for an older request is open again, and a step with items below it stays', async (t) => {
  const newest: WorkItem = { ...item('request', 'Port the parser', 'open'), at: 3 }
  t.equal(moved([item('task', 'Fix add', 'done'), item('box', 'Run tests', 'done'), newest]), DRAFT)
  const withItems = DRAFT.replace('3. Run tests\n', '3. Run tests\n   - of the lexer, by hand\n')
  t.equal(moved([item('task', 'Run tests', 'done')], withItems), withItems)
})

t.test('a draft stays as it is where nothing is proven', async (t) => {
  t.equal(moved([item('request', 'Fix add', 'said'), item('step', 'Run tests', 'open')]), DRAFT)
})

t.test('a step that is proven to be done leaves the context of a turn for its progress', async (t) => {
  const turn =
    '## Original Request\nFix it\n\n## Early Progress\n- Fixed add\n\n## Context for Suffix\n- Write docs\n- Tag it'
  t.equal(
    moved([item('task', 'write docs', 'done')], turn),
    turn.replace('- Fixed add', '- Fixed add\n- [x] write docs').replace('- Write docs\n', ''),
  )
})

const REQUEST = 'Add the flag --debug, and mention it in docs/debug.md.'
const inTurn = (draft: string, { isInTurn = true, isExtract = false, others = [] as WorkItem[] } = {}): string =>
  settleWork(
    readSummary(draft),
    { items: [item('request', REQUEST, 'open'), ...others], failing: [], commits: [], isInTurn },
    isExtract,
  ).text
const ended = '## Goal\nA flag\n\n### In Progress\n- (none)\n\n## Next Steps\nNone.\n\n## Critical Context\n(none)'

t.test(
  'a summary by a model names the request and its open parts that it leaves out in the middle of a turn',
  async (t) => {
    const others = [item('task', 'Write the flag', 'done'), item('task', 'Write docs/debug.md', 'open')]
    t.equal(
      inTurn(ended, { others }),
      `## Goal\nA flag\n\n### In Progress\n- [ ] ${REQUEST}\n\n## Next Steps\n- Finish the newest request: Add the flag --debug, and mention it…\n` +
        '  - Write docs/debug.md\n\n## Critical Context\n(none)',
    )
    t.equal(inTurn('### In Progress'), `### In Progress\n- [ ] ${REQUEST}\n`)
  },
)

t.test(
  'what a model says is open stays as it is, and so does an extract and a summary of turns that have ended',
  async (t) => {
    const own = '### In Progress\n- [ ] The flag\n\n## Next Steps\n1. Test it'
    t.equal(inTurn(own), own)
    t.equal(inTurn(ended, { isInTurn: false }), ended)
    t.equal(inTurn(ended, { isExtract: true }), ended)
  },
)
