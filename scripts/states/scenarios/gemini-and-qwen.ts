import { PROJECT } from '../project.ts'
import { call, say, type Scenario, type Step } from '../scenario.ts'

const shell = (command: string, text = ''): Step =>
  call('run_shell_command', { command, description: 'Run a command', is_background: false }, text)
const writeFile = (file: string, content: string, text = ''): Step =>
  call('write_file', { file_path: `{project}/${file}`, content }, text)

const geminiTodos = (...list: [string, string][]): Step =>
  call('write_todos', { todos: list.map(([description, status]) => ({ description, status })) })

const ROUND = `export function total(items) {
  return Math.round(items.reduce((sum, { price, count }) => sum + price * count, 0) * 100) / 100
}
`

/** Lists, a commit that is taken back, and a wish that the user replaces. */
const gemini: Scenario = {
  name: 'gemini-todos',
  client: 'gemini',
  files: PROJECT,
  turns: [
    {
      prompt:
        'Round the totals to two digits and commit it. After that, write the currency as a symbol: € instead of EUR.',
      steps: [
        geminiTodos(['Round the totals', 'in_progress'], ['Commit', 'pending'], ['Write € instead of EUR', 'pending']),
        writeFile('src/total.js', ROUND),
        shell('git commit -qam "Round the totals" && git log --oneline | head -1'),
        geminiTodos(['Round the totals', 'completed'], ['Commit', 'completed'], ['Write € instead of EUR', 'pending']),
        say('The totals are rounded and committed. The symbol comes next.'),
      ],
    },
    {
      prompt:
        'Please take the commit back completely: rounding belongs into format(). And no symbol, the three letters stay.',
      steps: [
        shell('git reset -q --hard HEAD~1 && git log --oneline | head -1'),
        geminiTodos(['Round in format()', 'pending'], ['Write € instead of EUR', 'cancelled']),
        say(
          'The commit is gone. Rounding in format() is not done yet: toFixed(2) already rounds there, so I would like to know what is missing.',
        ),
      ],
    },
    { prompt: 'You are right, nothing is missing. Thanks!', steps: [say('You are welcome.')] },
  ],
}

const qwenTodos = (...list: [string, string, string][]): Step =>
  call('todo_write', { todos: list.map(([id, content, status]) => ({ id, content, status })) })

/** Ids that mean other items after a compaction, and a list that is cleared. */
const qwen: Scenario = {
  name: 'held-out/qwen-todos',
  client: 'qwen',
  files: PROJECT,
  summary: `<scratchpad>Two parts.</scratchpad>
<state_snapshot>
<overall_goal>Reports of invoices.</overall_goal>
<current_plan>
1. [DONE] Write report()
2. [TODO] Sort the report by name
3. [TODO] Tell the user how to run it
</current_plan>
</state_snapshot>`,
  turns: [
    {
      prompt: '给发票写一个报表:src/report.js,按名称排序,并且告诉我怎么运行。',
      steps: [
        qwenTodos(
          ['1', '写 report()', 'in_progress'],
          ['2', '按名称排序', 'pending'],
          ['3', '说明运行方法', 'pending'],
        ),
        writeFile(
          'src/report.js',
          "export const report = (items) => items.map(({ name, price }) => `${name}: ${price}`).join('\\n')\n",
        ),
        qwenTodos(['1', '写 report()', 'completed'], ['2', '按名称排序', 'pending'], ['3', '说明运行方法', 'pending']),
        { ...say('report() 已经写好,还没有排序。'), tokens: 90_000 },
      ],
    },
    { prompt: '/compress', steps: [] },
    {
      prompt: '继续。先加一个测试。',
      steps: [
        qwenTodos(['1', '写 report() 的测试', 'in_progress'], ['2', '按名称排序', 'pending']),
        writeFile(
          'test/report.test.js',
          "import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { report } from '../src/report.js'\n\ntest('sorts', () => assert.equal(report([{ name: 'b', price: 1 }, { name: 'a', price: 2 }]), 'a: 2\\nb: 1'))\n",
        ),
        shell('node --test test/report.test.js 2>&1 | grep -E "^# (pass|fail)"'),
        qwenTodos(['1', '写 report() 的测试', 'completed'], ['2', '按名称排序', 'in_progress']),
        say('测试写好了,但它现在失败,因为还没有排序。'),
      ],
    },
    {
      prompt: '排序不用了,顺序不变就好。清空列表,把测试改成不排序。',
      steps: [
        qwenTodos(),
        shell(
          `sed -i "s/'a: 2\\\\\\\\nb: 1'/'b: 1\\\\\\\\na: 2'/; s/'sorts'/'keeps the order'/" test/report.test.js && node --test test/report.test.js 2>&1 | grep -E "^# (pass|fail)"`,
        ),
        say('列表已清空,测试改成保持顺序,通过了。'),
      ],
    },
  ],
}

export const GEMINI_AND_QWEN = [gemini, qwen]
