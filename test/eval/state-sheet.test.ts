import t from 'tap'
import { writeStateSheet } from '../../eval/state-sheet.ts'
import type { SessionStates } from '../../eval/states.ts'

const item = (text: string, state: SessionStates['items'][number]['state']): SessionStates['items'][number] => ({
  ...{ kind: 'todo', text, entry: 'e1', state },
  ...{ by: state === 'open' ? null : 'e2', why: 'The list says so.' },
})

const STATES: SessionStates = {
  ...{ session: 's.jsonl', agent: 'pi', about: 'A list.' },
  items: [
    item('Write the header line', 'done'),
    item('Quote fields with commas', 'open'),
    item('按名称排序', 'replaced'),
  ],
  demands: [{ text: 'default EUR', entry: 'e1', scope: 'request', holds: false, why: 'Its request is done' }],
  failures: [{ text: 'node --test report', entry: 'e1', isCurrent: false, why: 'It has passed' }],
  noItems: [{ text: 'Search src for loops', why: 'Of a sub-agent' }],
}

const SUMMARY = `## Constraints & Preferences
- The default is EUR.

## Progress
### Done
- [x] Quote all fields with commas
- [ ] Quote fields with commas
### In Progress
- Search src for loops

## Next Steps
1. Write the header line
2. 按名称排序

## Critical Context
- node --test report failed with exit code 1 in the last run.
- node --test report failed with exit code 1 in the last run.
`

t.test('the lines that contradict what is known are listed for a person, each with its section', async (t) => {
  const sheet = writeStateSheet(SUMMARY, STATES)
  const found = Object.entries(sheet).map(([name, suspects]) => [
    name,
    suspects.map(({ line, section }) => [line, section]),
  ])
  t.same(Object.fromEntries(found), {
    'finished written as open': [
      [12, 'Next Steps'],
      [13, 'Next Steps'],
    ],
    'open written as done': [[6, 'Progress / Done']],
    'fixed failures as current': [
      [16, 'Critical Context'],
      [17, 'Critical Context'],
    ],
    'demands that do not hold': [
      [2, 'Constraints & Preferences'],
      [9, 'Progress / In Progress'],
    ],
    repeated: [[17, 'Critical Context']],
  })
})

t.test('a summary without contradictions has nothing to look at', async (t) => {
  const sheet = writeStateSheet(
    '## Progress\n### Done\n- [x] Write the header line\n\n## Next Steps\n1. Quote fields with commas\n',
    STATES,
  )
  t.same(Object.values(sheet).flat(), [])
})
