import t from 'tap'
import { openItem, sliceWork, type WorkItem } from '../../src/extract/work-item.ts'
import { writeWorkStates } from '../../src/prompt/work-states.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'

const item = (kind: WorkItem['kind'], text: string, at: number, others: Partial<WorkItem> = {}): WorkItem => ({
  ...openItem(kind, text, at),
  ...others,
})
const write = (items: WorkItem[]): string => writeWorkStates({ items, failing: [], commits: [], isInTurn: false })

t.test('the states of the work stand in a prompt newest first, each with its proof', async (t) => {
  t.equal(
    write([
      item('request', 'Fix the adder.', 0, { state: 'said', provenAt: 4, entry: 5 }),
      item('request', 'Why?', 5, { state: 'answered', provenAt: 6, entry: 7 }),
      item('request', 'Write the parser.', 1, { note: 'interrupted' }),
      item('request', 'Write the lexer.', 7, { note: 'interrupted' }),
      item('wish', 'Write the docs', 7, { state: 'replaced', provenAt: 9, entry: 10 }),
      item('task', 'Fix add', 2, { state: 'done', provenAt: 3, entry: 4, source: 'TaskCreate', id: '3' }),
      item('task', 'Fix sub', 2, { state: 'unknown', source: 'TaskCreate', id: '4' }),
      item('task', 'Fix mul', 2, { state: 'unknown', note: 'left the list without being done', source: 'TaskCreate' }),
      item('task', 'Fix div', 1, { source: 'TaskCreate', id: '5' }),
      item('step', 'Commit', -1, { state: 'said', entry: 6, provenAt: 5 }),
    ]),
    `- replaced by the user: Write the docs (wish, entry 10)
- open: Write the lexer. (request, interrupted)
- said to be done: Commit (next step, entry 6)
- said to be done: Fix the adder. (request, entry 5)
- done: Fix add (task #3 of TaskCreate, entry 4)
- unknown: Fix mul (task of TaskCreate, left the list without being done)
- open: Fix div (task #5 of TaskCreate)`,
  )
  t.equal(write([]), '')
})

t.test('what nothing shows to be done is not said to be open: later work may have done it', async (t) => {
  const unproven = [
    item('step', 'Fix the compile error', -1),
    item('request', 'Write the parser.', 1, { note: 'interrupted' }),
    item('wish', 'Write the docs', 1),
    item('request', 'Go on.', 5),
  ]
  t.equal(write(unproven), '')
})

t.test('the states of the work have 600 tokens at most: the newest stay', async (t) => {
  const text = write(Array.from({ length: 200 }, (_, at) => item('task', `Task number ${at} of many.`, at)))
  t.ok(estimateTextTokens(text) <= 600)
  t.match(text, /^- open: Task number 199 of many\. \(task\)\n/)
})

t.test(
  'the request of the turn that follows stands first, with what was committed in it: the history does not know them',
  async (t) => {
    const commit = (hash: string, subject: string, at: number) => ({ hash, subject, at })
    const work = {
      items: [
        item('task', 'Fix add', 2, { state: 'done', provenAt: 8, entry: 9, source: 'bd', id: '3' }),
        item('request', 'continue', 6),
      ],
      failing: [],
      commits: [commit('a1b2c3d', 'fix: lexer', 4), commit('b2c3d4e', 'fix: add', 7), commit('c3d4e5f', 'fix: sub', 9)],
      isInTurn: true,
    }
    t.equal(
      writeWorkStates(sliceWork(work, 0, 6)),
      `- open: continue (newest request: it begins after this conversation, so nothing waits for the user)
- committed in the newest turn: fix: sub (c3d4e5f)
- committed in the newest turn: fix: add (b2c3d4e)
- done: Fix add (task #3 of bd, entry 9)`,
    )
    t.equal(writeWorkStates(sliceWork(work, 6, Infinity)), '')
  },
)

t.test('what was read in the turn that follows is named: the history does not know it', async (t) => {
  const work = {
    items: [item('request', 'Fix add', 2, { state: 'said', provenAt: 3 }), item('request', 'continue', 6)],
    failing: [],
    commits: [],
    reads: [
      { text: 'src/a.ts', at: 4 },
      { text: 'bd show app-1', at: 8 },
      { text: 'src/`b`.ts', at: 9 },
    ],
    isInTurn: true,
  }
  t.equal(
    writeWorkStates(sliceWork(work, 0, 6)),
    '- open: continue (newest request: it begins after this conversation, so nothing waits for the user)\n' +
      '- read in the newest turn: `bd show app-1`, `` src/`b`.ts ``\n- said to be done: Fix add (request)',
  )
  t.equal(writeWorkStates(sliceWork(work, 6, Infinity)), '')
})
