import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { ComparisonReply } from '../../src/schemas/comparison.ts'
import { EXAMPLE, runCli } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

t.test('compare prints sizes, counts and what only one summary has, with entries', async (t) => {
  const { code, stdout, stderr } = await runCli(['compare', EXAMPLE])
  t.equal(code, 0)
  const [what, , writers, sizes, requests] = stdout.split('\n')
  t.equal(what, 'Compaction 1 of 1 replaced 39 entries (9,583 tokens) by a summary of 869 tokens.')
  t.match(writers, /^ {26}pi \(coder-large\) {3}Précis \(embedded summarizer\)$/)
  t.match(sizes, /^tokens +869 +[\d,]+$/)
  t.match(requests, /^requests +1 of 3 +3 of 3$/)
  const precis = Number(/[\d,]+$/.exec(sizes ?? '')?.[0].replace(',', ''))
  t.match(
    stdout,
    `\nThe summary by Précis (embedded summarizer) is ${(precis / 869).toFixed(1)} times as long as the other: it has room for more facts`,
  )
  t.match(
    stdout,
    /\nOnly Précis \(embedded summarizer\) has \(\d+\):\n {2}request {7}The March import is wrong\. .*…  \[3daa0744\]\n/,
  )
  t.match(stderr, /Written by the embedded summarizer in [\d.]+ s\.\n$/)
})

t.test('compare lists the facts of a summary that are not in what it replaces', async (t) => {
  const session = readFileSync(EXAMPLE, 'utf8').replace('## Goal\\n', '## Goal\\nSee src/invented/nowhere.ts. ')
  const { code, stdout } = await runCli(['compare', '-'], { input: session })
  t.equal(code, 0)
  t.match(stdout, /\nnot in what it replaces +1 +0\n/)
  t.match(stdout, /\npi \(coder-large\) has, but what it replaces does not \(1\):\n {2}src\/invented\/nowhere\.ts\n$/)
})

t.test('with --summaries, both texts follow; with --json, it is the reply of the API', async (t) => {
  const { stdout } = await runCli(['compare', EXAMPLE, '--summaries', '--quiet'])
  const { stdout: json } = await runCli(['compare', EXAMPLE, '--json', '--compaction', '1'])
  const reply = JSON.parse(json) as ComparisonReply
  t.ok(
    stdout.endsWith(
      `\npi (coder-large):\n\n${reply.agent.summary}\n\nPrécis (embedded summarizer):\n\n${reply.precis.summary}\n`,
    ),
  )
})

t.test('the picture has the figures, and no text of the session', async (t) => {
  const path = join(folderOf(t), 'compared.svg')
  t.match(await runCli(['compare', EXAMPLE, '--picture', path]), {
    code: 0,
    stderr: /The picture is in .*compared\.svg\./,
  })
  const texts = Array.from(readFileSync(path, 'utf8').matchAll(/>([^<>\n]+)<\/text>/g), ([, text]) => text)
  t.match(texts.slice(0, 10), [
    'What is left of a session after a compaction',
    'The same 39 entries (9,583 tokens), summarized twice',
    'pi (coder-large)',
    'Précis (embedded summarizer)',
    'length in tokens',
    '869',
    /^[\d,]+$/,
    'requests',
    '1 of 3',
    '3 of 3',
  ])
  t.match(texts.at(-1), /The same code wrote the second one, from such facts\.$/)
  const wrong = join(folderOf(t), 'compared.png')
  t.match(await runCli(['compare', EXAMPLE, '--picture', wrong]), { code: 2, stderr: /--picture writes SVG/ })
  t.notOk(existsSync(wrong))
})

t.test('a session without a summary that can be read is no error of the command', async (t) => {
  const session = join(import.meta.dirname, '../fixtures/formats/aider.md')
  t.match(await runCli(['compare', session]), {
    ...{ code: 3, stdout: '' },
    stderr:
      /^precis: The agent has not compacted this session yet, so there is no summary to compare with\. `.*compact` writes one\.\n$/,
  })
  t.match(await runCli(['compare', EXAMPLE, '--compaction', '2']), {
    ...{ code: 1, stdout: '' },
    stderr: /must be at most 1: the session has no more compactions/,
  })
})
