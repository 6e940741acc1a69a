import { PROJECT } from '../project.ts'
import { call, say, type Scenario } from '../scenario.ts'

const edit = (file: string, old_string: string, new_string: string, text = '') =>
  call('Edit', { file_path: `{project}/${file}`, old_string, new_string }, text)
const read = (file: string) => call('Read', { file_path: `{project}/${file}` })
const bash = (command: string, text = '') => call('Bash', { command, description: 'Run a command' }, text)

/** Tasks with ids of the tool, thanks, and a request that is interrupted. */
const tasks: Scenario = {
  name: 'claude-code-tasks',
  client: 'claude-code',
  files: PROJECT,
  turns: [
    {
      prompt:
        'Three things, please: total() must throw on negative counts, format() needs a currency option (default EUR), and both need tests. Keep a task list. Never add a dependency.',
      steps: [
        call(
          'TaskCreate',
          { subject: 'total() throws on negative counts', description: 'In src/total.js' },
          'First the list.',
        ),
        call('TaskCreate', { subject: 'Currency option of format()', description: 'In src/format.js, default EUR' }),
        call('TaskCreate', { subject: 'Tests for both', description: 'With node:test' }),
        call('TaskUpdate', { taskId: '1', status: 'in_progress' }),
        read('src/total.js'),
        edit(
          'src/total.js',
          'return items.reduce((sum, { price, count }) => sum + price * count, 0)',
          "if (items.some(({ count }) => count < 0)) throw new RangeError('A count is negative.')\n  return items.reduce((sum, { price, count }) => sum + price * count, 0)",
        ),
        bash('node --test 2>&1 | tail -8'),
        call('TaskUpdate', { taskId: '1', status: 'completed' }),
        call('TaskUpdate', { taskId: '2', status: 'in_progress' }),
        read('src/format.js'),
        edit(
          'src/format.js',
          "export const format = (amount) => amount.toFixed(2) + ' EUR'",
          "export const format = (amount, { currency = 'EUR' } = {}) => `${amount.toFixed(2)} ${currency}`",
        ),
        bash('git commit -qam "Check counts, and let the caller choose the currency" && git log --oneline | head -2'),
        say('total() throws now, and format() has the option `currency`. The tests for both are still missing.'),
      ],
    },
    {
      prompt: 'Thanks, that works. Write a README.md with one paragraph about format().',
      steps: [
        call('Write', {
          file_path: '{project}/README.md',
          content:
            '# Invoices\n\n`format(amount, { currency })` writes an amount with two digits; the default is EUR.\n',
        }),
        say('README.md has the paragraph.'),
      ],
    },
    {
      prompt: 'Rename total() to sum() everywhere.',
      steps: [
        bash('grep -rn "total" src test', 'I look where it is used.'),
        { ...bash('sleep 20 && echo done', 'I wait for the watcher.'), isInterrupted: true },
      ],
    },
  ],
}

/** The list of a sub-agent, a compaction, ids after it, and a next step of the summary that is done later. */
const compaction: Scenario = {
  name: 'claude-code-compaction',
  client: 'claude-code',
  files: PROJECT,
  summary: `<analysis>The user wants CSV.</analysis>
<summary>
1. Primary Request and Intent:
   Export invoices as CSV.

2. Pending Tasks:
   - Quote fields that contain a comma
   - Write the header line

3. Current Work:
   src/csv.js writes rows without a header.

4. Optional Next Step:
   1. Write the header line in src/csv.js
   2. Ask the user whether dates are ISO or German
</summary>`,
  turns: [
    {
      prompt:
        'Export invoices as CSV in src/csv.js: a header line, quoted fields. Let an agent look how total() is used first.',
      steps: [
        call('TaskCreate', { subject: 'Write the header line', description: 'id,total' }),
        call('TaskCreate', { subject: 'Quote fields with commas', description: 'RFC 4180' }),
        call('Agent', {
          description: 'Find uses of total()',
          prompt: 'Find all uses of total() in src and test, and report them.',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
        call('TaskCreate', { subject: 'List the files that import total()', description: 'grep' }),
        bash('grep -rln "total" src test'),
        say('total() is used in test/total.test.js only.'),
        call(
          'Write',
          {
            file_path: '{project}/src/csv.js',
            content: "export const csv = (rows) => rows.map((row) => row.join(',')).join('\\n')\n",
          },
          'Nobody else uses it. I write the rows first.',
        ),
        say('src/csv.js writes rows. The header and the quotes are next.'),
      ],
    },
    { prompt: '/compact', steps: [] },
    {
      prompt: 'Go on.',
      steps: [
        call('TaskUpdate', { taskId: '1', status: 'in_progress' }),
        read('src/csv.js'),
        edit('src/csv.js', 'rows.map((row)', "[['id', 'total'], ...rows].map((row)"),
        call('TaskUpdate', { taskId: '1', status: 'completed' }),
        call('TaskCreate', { subject: 'Document the CSV export', description: 'README.md' }),
        say('The header line is written. Quotes are still missing. Shall dates be ISO or German?'),
      ],
    },
  ],
}

/** An older version: lists of TodoWrite, one of them in a side chain of the same file, and a list that is cleared. */
const todos: Scenario = {
  name: 'held-out/claude-code-todos',
  client: 'claude-code-1.0',
  files: PROJECT,
  turns: [
    {
      prompt: 'Make total() faster: measure it first, then use a for loop, then measure again. Use your todo list.',
      steps: [
        call('TodoWrite', {
          todos: [
            { content: 'Measure total()', status: 'in_progress', activeForm: 'Measuring total()' },
            { content: 'Use a for loop', status: 'pending', activeForm: 'Using a for loop' },
            { content: 'Measure again', status: 'pending', activeForm: 'Measuring again' },
          ],
        }),
        bash("node -e \"console.time('x'); for (let i = 0; i < 1e6; i++); console.timeEnd('x')\""),
        call('Task', {
          description: 'Look for other loops',
          prompt: 'Look for other loops in src, and report them.',
          subagent_type: 'general-purpose',
        }),
        call('TodoWrite', {
          todos: [
            { content: 'Search src for loops', status: 'completed', activeForm: 'Searching' },
            { content: 'Report the loops', status: 'in_progress', activeForm: 'Reporting' },
          ],
        }),
        say('There is no other loop in src.'),
        read('src/total.js'),
        edit(
          'src/total.js',
          'return items.reduce((sum, { price, count }) => sum + price * count, 0)',
          'let sum = 0\n  for (const { price, count } of items) sum += price * count\n  return sum',
        ),
        call('TodoWrite', {
          todos: [
            { content: 'Measure total()', status: 'completed', activeForm: 'Measuring total()' },
            { content: 'Use a for loop', status: 'completed', activeForm: 'Using a for loop' },
            { content: 'Measure again', status: 'pending', activeForm: 'Measuring again' },
          ],
        }),
        say('total() uses a for loop now.'),
      ],
    },
    {
      prompt: 'Forget the measuring. Instead of the loop I want reduce back, but with the price in cents.',
      steps: [
        call('TodoWrite', { todos: [] }),
        bash('git checkout src/total.js'),
        edit('src/total.js', 'sum + price * count', 'sum + Math.round(price * 100) * count'),
        bash('node --test 2>&1 | tail -12'),
        say('reduce is back, and total() counts cents. The old test fails now, because it expects 6 instead of 600.'),
      ],
    },
  ],
}

export const CLAUDE_CODE = [tasks, compaction, todos]
