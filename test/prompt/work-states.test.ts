import t from 'tap'
import { openItem, type WorkItem } from '../../src/extract/work-item.ts'
import { writeWorkStates } from '../../src/prompt/work-states.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'

const item = (kind: WorkItem['kind'], text: string, at: number, others: Partial<WorkItem> = {}): WorkItem => ({
  ...openItem(kind, text, at),
  ...others,
})
const write = (items: WorkItem[]): string => writeWorkStates({ items, failing: [], isInTurn: false })

t.test('the states of the work stand in a prompt newest first, each with its proof', async (t) => {
  t.equal(
    write([
      item('request', 'Fix the adder.', 0, { state: 'said', provenAt: 4, entry: 5 }),
      item('request', 'Why?', 5, { state: 'answered', provenAt: 6, entry: 7 }),
      item('request', 'Write the lexer.', 7, { note: 'interrupted' }),
      item('wish', 'Write the docs', 7, { state: 'replaced', provenAt: 9, entry: 10 }),
      item('task', 'Fix add', 2, { state: 'done', provenAt: 3, entry: 4, source: 'TaskCreate', id: '3' }),
      item('task', 'Fix sub', 2, { state: 'unknown', source: 'TaskCreate', id: '4' }),
      item('step', 'Run the suite', -1),
    ]),
    `- replaced by the user: Write the docs (wish, entry 10)
- open: Write the lexer. (request, interrupted)
- said to be done: Fix the adder. (request, entry 5)
- done: Fix add (task #3 of TaskCreate, entry 4)
- open: Run the suite (next step)`,
  )
  t.equal(write([]), '')
})

t.test('the states of the work have 600 tokens at most: the newest stay', async (t) => {
  const text = write(Array.from({ length: 200 }, (_, at) => item('request', `Request number ${at} of many.`, at)))
  t.ok(estimateTextTokens(text) <= 600)
  t.match(text, /^- open: Request number 199 of many\. \(request\)\n/)
})
