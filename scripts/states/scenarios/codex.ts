import { PROJECT } from '../project.ts'
import { call, say, type Scenario, type Step } from '../scenario.ts'

const run = (cmd: string, text = ''): Step => call('exec_command', { cmd }, text)
const plan = (explanation: string, ...steps: [string, string][]): Step =>
  call('update_plan', { explanation, plan: steps.map(([step, status]) => ({ step, status })) })
const rewrite = (file: string, content: string, text = ''): Step => run(`cat > ${file} <<'EOF'\n${content}EOF`, text)

const SUMMED = `export function total(items, { discount = 0 } = {}) {
  const sum = items.reduce((sum, { price, count }) => sum + price * count, 0)
  return sum - discount
}
`

/** A plan, a check that fails after a claim, a wish that the user replaces, and a compaction. */
const plans: Scenario = {
  name: 'codex-plan',
  client: 'codex-0.120',
  files: PROJECT,
  summary: `Progress: total() has the option discount, in percent. The tests of discounts are written.
Next steps:
1. Round the total to two digits.
2. Update the changelog.`,
  turns: [
    {
      prompt: 'Add a discount to total(): a fixed amount, as an option. Then tests, then a line in CHANGELOG.md.',
      steps: [
        plan(
          'Three steps.',
          ['Add the option discount', 'in_progress'],
          ['Write tests', 'pending'],
          ['Add a line to CHANGELOG.md', 'pending'],
        ),
        run('cat src/total.js test/total.test.js'),
        rewrite('src/total.js', SUMMED),
        run('node --test 2>&1 | tail -9'),
        plan(
          'The option is there.',
          ['Add the option discount', 'completed'],
          ['Write tests', 'in_progress'],
          ['Add a line to CHANGELOG.md', 'pending'],
        ),
        say('The discount is in, and all tests pass. Tests of the discount are next.'),
      ],
    },
    {
      prompt:
        'Wait: the discount is not a fixed amount, it must be a percentage. And leave the changelog alone, I write it myself.',
      steps: [
        rewrite('src/total.js', SUMMED.replace('sum - discount', 'sum * (1 - discount / 100)')),
        run(
          `cat >> test/total.test.js <<'EOF'\ntest('takes a percentage off', () => assert.equal(total([{ price: 10, count: 1 }], { discount: 10 }), 9))\ntest('takes off 5 percent', () => assert.equal(total([{ price: 1.1, count: 3 }], { discount: 5 }), 3.135))\nEOF`,
        ),
        plan(
          'Percent, and no changelog.',
          ['Make the discount a percentage', 'completed'],
          ['Write tests', 'completed'],
        ),
        say('The discount is a percentage now, with two tests. All tests pass.'),
      ],
    },
    {
      prompt: 'Are you sure?',
      steps: [
        run('node --test 2>&1 | grep -E "^# (pass|fail)|not ok|ok|actual|expected"'),
        {
          ...say('No: one of the two new tests fails, because of a rounding error. I have not fixed it yet.'),
          tokens: 260_000,
        },
      ],
    },
    {
      prompt: 'Round to two digits in total(), nowhere else.',
      flags: ['-c', 'model_auto_compact_token_limit=200000'],
      steps: [
        rewrite(
          'src/total.js',
          SUMMED.replace('return sum - discount', 'return Math.round(sum * (100 - discount)) / 100'),
        ),
        run('node --test 2>&1 | grep -E "^# (pass|fail)|not ok"'),
        plan(
          'After the compaction.',
          ['Round in total()', 'completed'],
          ['Correct the expected value of the second test', 'pending'],
        ),
        say(
          'total() rounds to two digits. The test with 5 percent still expects 3.135 and fails; it should expect 3.14.',
        ),
      ],
    },
  ],
}

/** A commit that is taken back, a request that is interrupted, and a command that is refused. */
const reset: Scenario = {
  name: 'held-out/codex-reset',
  client: 'codex',
  files: PROJECT,
  turns: [
    {
      prompt: 'Let format() write thousands separators, and commit it.',
      steps: [
        plan('', ['Thousands separators in format()', 'in_progress'], ['Commit', 'pending']),
        rewrite(
          'src/format.js',
          "export const format = (amount) => amount.toLocaleString('en', { minimumFractionDigits: 2 }) + ' EUR'\n",
        ),
        run('git commit -qam "Write thousands separators" && git log --oneline | head -1'),
        plan('', ['Thousands separators in format()', 'completed'], ['Commit', 'completed']),
        say('format() writes thousands separators, committed.'),
      ],
    },
    {
      prompt: 'Take that commit back, the customer wants no separators.',
      steps: [
        run('git reset --hard HEAD~1 && cat src/format.js'),
        say('The commit is gone, and format() is as it was.'),
      ],
    },
    {
      prompt: 'Add a test for format() with 1234.5, run it, and then delete test/total.test.js.',
      steps: [
        rewrite(
          'test/format.test.js',
          "import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { format } from '../src/format.js'\n\ntest('writes two digits', () => assert.equal(format(1234.5), '1234.50 EUR'))\n",
        ),
        run('node --test test/format.test.js 2>&1 | grep -E "^# (pass|fail)"'),
        {
          ...run('sleep 30; rm test/total.test.js', 'The test passes. Now I delete the other file.'),
          isInterrupted: true,
        },
      ],
    },
    {
      prompt: 'No, keep that file. What is the name of the new test?',
      steps: [say('It is "writes two digits", in test/format.test.js.')],
    },
  ],
}

export const CODEX = [plans, reset]
