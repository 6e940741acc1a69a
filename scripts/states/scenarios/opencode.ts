import { PLAN, PROJECT } from '../project.ts'
import { call, say, type Scenario, type Step } from '../scenario.ts'

const todo = (content: string, status: string): object => ({ content, status, priority: 'medium' })
const todos = (...list: object[]): Step => call('todowrite', { todos: list })
const read = (file: string): Step => call('read', { filePath: `{project}/${file}` })
const edit = (file: string, oldString: string, newString: string, text = ''): Step =>
  call('edit', { filePath: `{project}/${file}`, oldString, newString }, text)
const bash = (command: string, text = ''): Step => call('bash', { command, description: 'Run a command' }, text)

/** Lists, a cancelled item, a sub-agent, a compaction, and a list that is cleared after it. */
const lists: Scenario = {
  name: 'opencode-todos',
  client: 'opencode',
  files: PROJECT,
  summary: `## Objective
Taxes for invoices.

## Important Details
- The rate is an option; the default is 0.19.

## Work State
### Completed
- withTax() in src/tax.js
### Active
- Tests of withTax()
### Blocked
- none

## Next Move
1. Write test/tax.test.js
2. Export withTax() from src/index.js

## Relevant Files
- src/tax.js`,
  turns: [
    {
      prompt:
        'Add withTax(amount, rate) in src/tax.js with tests, and export everything from src/index.js. Ask a sub-agent which names src exports today.',
      steps: [
        todos(
          todo('Write withTax()', 'in_progress'),
          todo('Test withTax()', 'pending'),
          todo('Export from src/index.js', 'pending'),
          todo('Write the docs', 'pending'),
        ),
        call('task', {
          description: 'List exports',
          prompt: 'Which names do the files in src export?',
          subagent_type: 'general',
        }),
        bash('grep -rn "export" src'),
        say('src exports total and format.'),
        call('write', {
          filePath: '{project}/src/tax.js',
          content: 'export const withTax = (amount, rate = 0.19) => amount * (1 + rate)\n',
        }),
        todos(
          todo('Write withTax()', 'completed'),
          todo('Test withTax()', 'in_progress'),
          todo('Export from src/index.js', 'pending'),
          todo('Write the docs', 'cancelled'),
        ),
        {
          ...say('withTax() is written; its test is next. I dropped the docs, since you did not ask for them.'),
          tokens: 199_000,
        },
        say('I go on with test/tax.test.js when you agree.'),
      ],
    },
    {
      prompt: 'Good. Go on.',
      steps: [
        call('write', {
          filePath: '{project}/test/tax.test.js',
          content:
            "import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { withTax } from '../src/tax.js'\n\ntest('adds 19 percent', () => assert.equal(withTax(100), 119))\n",
        }),
        bash('node --test 2>&1 | grep -E "^# (pass|fail)"'),
        todos(todo('Test withTax()', 'completed'), todo('Export from src/index.js', 'in_progress')),
        todos(),
        say('The test passes. src/index.js is still missing.'),
      ],
    },
  ],
}

/** Boxes of a plan in a file: one ticked, one whose edit fails, one whose edit is refused. */
const planFile: Scenario = {
  name: 'opencode-plan-file',
  client: 'opencode',
  files: { ...PROJECT, 'PLAN.md': PLAN },
  turns: [
    {
      prompt: 'Work through PLAN.md, and tick each box when its step is done. Start with the first two.',
      steps: [
        read('PLAN.md'),
        call('write', {
          filePath: '{project}/src/parse.js',
          content:
            "export const parse = (text) =>\n  text.trim().split('\\n').map((line) => line.split(',')).map(([name, price, count]) => ({ name, price: Number(price), count: Number(count) }))\n",
        }),
        bash(`node -e "import('./src/parse.js').then(({ parse }) => console.log(parse('a,2,3')))"`),
        edit('PLAN.md', '- [ ] Parse the CSV file', '- [x] Parse the CSV file'),
        read('src/total.js'),
        edit(
          'src/total.js',
          '  return items',
          "  if (items.some(({ count }) => count < 0)) throw new RangeError('negative')\n  return items",
        ),
        edit('PLAN.md', '- [ ] Refuse all negative counts', '- [x] Refuse all negative counts'),
        say('Both steps are done and ticked.'),
      ],
    },
    {
      prompt: 'Now write the totals, step three.',
      flags: [],
      steps: [
        bash('git status --short'),
        // opencode ends the turn when an edit is refused.
        edit('PLAN.md', '- [ ] Write the totals', '- [x] Write the totals'),
      ],
    },
  ],
}

export const OPENCODE = [lists, planFile]
