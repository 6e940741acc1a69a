import fc from 'fast-check'
import t from 'tap'
import { pairMessages } from '../../../src/extract/runs.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import { writeExtract } from '../../../src/model/embedded/write-extract.ts'
import type { SummaryKind } from '../../../src/prompt/task.ts'
import { estimateTextTokens } from '../../../src/tokens/estimate-tokens.ts'
import { REQUIRED_SECTIONS } from '../../../src/prompt/templates.ts'
import type { Message } from '../../../src/session/message.ts'
import { extractShortSummary } from '../../../src/summary/draft.ts'
import { TURN_CONTEXT_NOTE } from '../../../src/text/summary-headings.ts'
import { anyText } from '../../prompt/hostile-text.ts'
import { assistant, bash, buildEntries, call, result, user, type EntryDraft } from '../../support/build-entries.ts'

const messagesOf = (drafts: EntryDraft[]): Message[] => buildEntries(drafts).map(({ message }) => message!)

interface Options {
  kind?: SummaryKind
  maxTokens?: number
  previousSummary?: string
}

async function summarize(
  drafts: EntryDraft[],
  { kind = 'history', maxTokens = 13_107, previousSummary }: Options = {},
) {
  return writeExtract({ kind, maxTokens, source: sourceOf(pairMessages(messagesOf(drafts)), previousSummary) })
}

const summaryOf = async (drafts: EntryDraft[], options?: Options) =>
  extractShortSummary(await summarize(drafts, options)).text

const answerPrompt = async (prompt: string, maxTokens = 13_107) =>
  writeExtract({ kind: 'prompt', maxTokens, source: { form: 'prompt', prompt } })

/** The text below a heading, up to the next. */
const section = (summary: string, heading: string): string =>
  summary
    .split(`${heading}\n`)[1]
    ?.split(/\n+#{2,3} /)[0]
    ?.trim() ?? ''

const WORK = [
  user('Fix the parser in src/parser.ts.\nNever touch the migrations.'),
  assistant('I decided to use a table because regexes fail on nesting.', [
    call('c1', 'edit', { path: 'src/parser.ts:5-9' }),
  ]),
  result('c1', 'Edited.'),
  assistant('', [call('c2', 'bash', { command: 'npm test' })]),
  result('c2', 'ok 1\nAssertionError: expected 3 to equal 4\n\nCommand exited with code 1', { isError: true }),
  assistant('The parser is fixed.\n\nNext steps:\n- Run the whole suite\n- Update the changelog'),
  user('Now the lexer, please.'),
  bash('git status', ' M src/parser.ts', { exitCode: 0 }),
  assistant('Shall I rewrite it, or patch it?'),
]

t.test('each kind of summary has exactly its headings, in order', async (t) => {
  for (const kind of ['history', 'turn-prefix', 'branch', 'handoff', 'continuation'] as const) {
    const headings = (await summaryOf(WORK, { kind })).split('\n').filter((line) => line.startsWith('#'))
    t.strictSame(headings, [...REQUIRED_SECTIONS[kind]], kind)
  }
})

t.test('the summary of a history has the facts that an agent needs to continue', async (t) => {
  t.equal(
    await summaryOf(WORK),
    `## Goal
First request:
Fix the parser in src/parser.ts.
Never touch the migrations.

Newest request:
Now the lexer, please.

## Constraints & Preferences
- Never touch the migrations.

## Progress

### Done
(none)

### In Progress
- [ ] Fix the parser in src/parser.ts. Never touch the migrations. => The parser is fixed [src/parser.ts] (npm test failed; the user then: 'Now the lexer, please.')
- [ ] Now the lexer, please. => Shall I rewrite it, or patch it? (the agent asked back)

### Blocked
(none)

## State of the Code
- Not in a commit yet, as far as the calls show: \`src/parser.ts\`
- Last check, after the last edit: \`npm test\` failed

## Key Decisions
- I decided to use a table because regexes fail on nesting.

## Next Steps
- The agent waits for the user's answer: "Shall I rewrite it, or patch it?"
- Last failed check: \`npm test\`
  - AssertionError: expected 3 to equal 4
- Run the whole suite
- Update the changelog

## Critical Context
- Unanswered: Shall I rewrite it, or patch it?
- \`npm test\`: failed (exit code 1)`,
  )
})

t.test('a summary ends with a short summary of two or three sentences in the first person', async (t) => {
  const { shortSummary } = extractShortSummary(await summarize(WORK))
  t.equal(shortSummary, 'Request: Now the lexer, please. I changed src/parser.ts. `npm test` failed (exit code 1).')
})

t.test('a short summary does not end with the colon of an announced call', async (t) => {
  const { shortSummary } = extractShortSummary(
    await summarize([user('Fix the lexer.'), assistant('Now I fix the test:')]),
  )
  t.equal(shortSummary, 'Request: Fix the lexer. Now I fix the test.')
})

t.test('the summary of a turn prefix has the request word for word, and the work so far', async (t) => {
  const text = await summaryOf(WORK.slice(0, 5), { kind: 'turn-prefix' })
  t.equal(section(text, '## Original Request'), 'Fix the parser in src/parser.ts.\nNever touch the migrations.')
  t.match(section(text, '## Early Progress'), /^- \[ \] I decided .* \[src\/parser\.ts\]/)
  t.match(section(text, '## Context for Suffix'), /AssertionError: expected 3 to equal 4/)
})

t.test('the summary of one tool call is not a list of empty sections', async (t) => {
  const text = await summarize([assistant('', [call('d', 'deploy', { to: 'production' })])])
  t.equal(section(text, '### In Progress'), '- Last tool call: `deploy` of production: no result yet')
  t.match(text, '<short-summary>My last tool call: `deploy` of production: no result yet.</short-summary>')
})

t.test('a command that succeeds later does not count as a failure', async (t) => {
  const rerun = [assistant('', [call('c9', 'bash', { command: 'npm test' })]), result('c9', 'ok')]
  const text = await summaryOf([...WORK, ...rerun])
  t.match(text, '- `npm test`: ok')
  t.notMatch(text, '`npm test`: failed')
})

t.test('requests are kept up to 500 characters, and never cut inside a surrogate pair', async (t) => {
  const text = await summaryOf([user(`${'a'.repeat(600)}😀`)])
  t.match(text, /\na{229,}\n\[\.\.\. \d+ characters left out \.\.\.\]\na{200,}😀\n/u)
  t.notMatch(text, /\p{Surrogate}/u)
})

t.test('of a longer request, the middle is left out, with a mark', async (t) => {
  const request = 'Please make the importer faster. '.repeat(40).trim()
  const goal = section(await summaryOf([user(request)]), '## Goal')
  t.match(goal, /^Newest request:\nPlease .*\n\[\.\.\. \d+ characters left out \.\.\.\]\n.* faster\.$/)
  t.ok(goal.length <= 'Newest request:\n'.length + 500)
})

t.test(
  'the words of a request are in one section of a turn prefix only, with no section for the demands in it',
  async (t) => {
    const text = await summaryOf(
      [user('Fix it. You must never use tools (e.g. vim or less) for that.'), assistant('Done.')],
      {
        kind: 'turn-prefix',
      },
    )
    t.equal(
      text,
      '## Original Request\nFix it. You must never use tools (e.g. vim or less) for that.\n\n' +
        '## Early Progress\n- Done.\n\n## Context for Suffix\n(none)',
    )
  },
)

t.test('a demand in the part of a request that code leaves out has the section of demands', async (t) => {
  const lines = Array.from({ length: 200 }, (_, n) => `Line ${n} is there to be read.`)
  lines.splice(100, 0, '', 'Never use vim.', '')
  const text = await summaryOf([user(lines.join('\n'))], { kind: 'turn-prefix', maxTokens: 3000 })
  t.equal(section(text, '## Constraints & Preferences'), '- Never use vim.')
  t.equal(text.split('Never use vim.').length, 2)
})

t.test("the sections of Claude Code's summaries are read into ours", async (t) => {
  const previousSummary = [
    '1. Primary Request and Intent:\n   The user wants a faster importer.\n',
    '2. Key Technical Concepts:\n   - **Streams** of rows\n',
    '3. Files and Code Sections:\n   - **`src/import.ts`** reads rows\n',
    '4. Errors and fixes:\n   - Row 7 had no price\n',
    '5. Problem Solving:\n   The cache was the cause.\n',
    '6. All User Messages:\n   - "Make it faster"\n',
    '7. Pending Tasks:\n   - The export\n',
    '8. Current Work:\n   Measuring the reader.\n',
    '9. Optional Next Step:\n   Measure the writer.',
  ].join('\n')
  const text = await summaryOf([assistant('Nothing is slow any more.')], { previousSummary })
  t.equal(
    text,
    `## Goal
Earlier goal:
The user wants a faster importer.

## Constraints & Preferences
(none)

## Progress

### Done
- Nothing is slow any more.

### In Progress
Measuring the reader.

### Blocked
(none)

## State of the Code
- **\`src/import.ts\`** reads rows

## Key Decisions
(none)

## Next Steps
- The newest request is answered. The agent's closing words: "Nothing is slow any more."
- Measure the writer.
- The export

## Critical Context
Key Technical Concepts:
- **Streams** of rows

Errors and fixes:
- Row 7 had no price

Problem Solving:
The cache was the cause.

All User Messages:
- "Make it faster"`,
  )
})

const DEMANDS = [
  "Don't add dependencies.",
  'Use decimal strings, not floats.',
  'I prefer tabs.',
  'Du darfst die Datenbank niemals ändern.',
  'Il ne faut jamais toucher aux tests.',
  'Nunca borres los archivos.',
  '必须使用 pnpm。',
  '絶対に main を変更しないでください。',
  'Никогда не меняй схему.',
]

for (const demand of DEMANDS)
  t.test(`a constraint is kept: ${demand}`, async (t) => {
    const text = await summaryOf([user('The parser fails.'), user(demand), user('The lexer fails too.')])
    t.equal(section(text, '## Constraints & Preferences'), `- ${demand}`)
  })

t.test('a demand of the newest request stands in the goal only, until another request is the newest', async (t) => {
  const demand = 'Never touch the files in migrations/ without a word from me.'
  const first = await summaryOf([user('The reader is slow.'), user(`Fix the parser. ${demand}`)])
  t.equal(section(first, '## Constraints & Preferences'), '(none)')
  t.match(section(first, '## Goal'), `Newest request:\nFix the parser. ${demand}`)
  const second = await summaryOf([user('Now the lexer, please.')], { previousSummary: first })
  t.equal(section(second, '## Constraints & Preferences'), `- ${demand}`)
})

t.test('code, tables and questions do not count as constraints', async (t) => {
  const text = await summaryOf([
    user('```\nuse strict must always\n```\n| must | never |\nconst use = never();\nMust I use it?'),
  ])
  t.equal(section(text, '## Constraints & Preferences'), '(none)')
})

t.test('a previous summary is merged: nothing is lost or repeated, and the newest state wins', async (t) => {
  const first = await summaryOf(WORK)
  const next = [
    user('Patch it. Always run the linter.'),
    assistant('', [call('d', 'bash', { command: 'npm test' })]),
    result('d', 'ok'),
    assistant('Patched.'),
  ]
  const second = await summaryOf(next, { previousSummary: first })
  t.match(section(second, '## Goal'), /^First request:\nFix the parser[^]*Newest request:\nPatch it\./)
  t.equal(section(second, '## Constraints & Preferences'), '- Never touch the migrations.\n- Always run the linter.')
  t.equal(
    section(second, '### Done'),
    '- Fix the parser in src/parser.ts. Never touch the migrations. => The parser is fixed [src/parser.ts] ' +
      "(npm test failed, and passed later; the user then: 'Now the lexer, please.')\n- Now the lexer, please. => Shall I rewrite it, or patch it? (the agent asked back)\n" +
      '- Patch it. Always run the linter. => Patched (answered)',
    'what was known of a request stays with it',
  )
  t.match(second, '- `npm test`: ok')
  t.notMatch(second, /Unanswered|failed \(exit/)
  t.equal(
    section(second, '## Next Steps'),
    '- The newest request is answered. The agent\'s closing words: "Patched."\n' +
      '- Planned earlier, not confirmed (it may be done or dropped since: look before doing it):\n  - Run the whole suite\n  - Update the changelog',
    'steps stay while there are no newer ones',
  )
  t.equal(await summaryOf(next, { previousSummary: second }), second, 'what is known already changes nothing')
})

t.test("a model's previous summary is kept, including text under unknown headings", async (t) => {
  const previousSummary =
    '## Goal\nShip the ledger.\n\n### Done\n- [x] Wrote a.ts\n\n## Evidence\n- exit 2 in make\n\nLoose words.'
  const text = await summaryOf([user('Go on.')], { previousSummary })
  for (const kept of ['Ship the ledger.', 'Wrote a.ts', 'exit 2 in make', 'Loose words.']) t.match(text, kept)
})

t.test(
  'a request that is still open is continued with all of its words; only long absolute paths are cut',
  async (t) => {
    const [relative, end] = ['packages/payments-service/src/handlers/incoming/validate.ts', 'src/handlers/validate.ts']
    const begun = [
      user('Fix [all] rows of the import.'),
      assistant('', [call('e', 'edit', { path: relative })]),
      result('e', 'ok'),
      assistant('', [call('f', 'edit', { path: `/home/user/projects/payments-service/${end}` })]),
      result('f', 'ok'),
    ]
    const first = await summaryOf(begun)
    t.match(section(first, '### In Progress'), `- [ ] Fix [all] rows of the import [${relative}, …/${end}]\n`)
    const second = await summaryOf([assistant('Finished.')], { previousSummary: first })
    t.equal(
      section(second, '### Done'),
      `- [x] Fix [all] rows of the import => Finished [${relative}, …/${end}] (said to be done)`,
    )
    t.match(
      await summarize([user('Fix it.')]),
      /<short-summary>Request: Fix it\.<\/short-summary>$/,
      'nothing was done',
    )
  },
)

t.test('a split turn in the previous summary is merged', async (t) => {
  const previousSummary = `${await summaryOf(WORK)}\n\n---\n\n**Turn Context (split turn):**\n${TURN_CONTEXT_NOTE}\n\n${await summaryOf([user('Refactor all of it.'), assistant('Began.')], { kind: 'turn-prefix' })}`
  const text = await summaryOf([assistant('Finished.')], { previousSummary })
  t.match(section(text, '## Goal'), /Newest request:\nRefactor all of it\.$/)
  t.notMatch(text, /Turn Context|Newer than all|Original Request|---/)
})

t.test('ten compactions in a row lose no request, constraint, failing command or last error', async (t) => {
  let previousSummary: string | undefined
  for (let round = 0; round < 10; round++) {
    const drafts = [
      user(`Request ${round}. You must keep rule ${round}.`),
      assistant('', [
        call('c', 'bash', { command: `make step-${round}` }),
        call('e', 'edit', { path: `src/${round}.ts` }),
      ]),
      result('c', `Error: broke at ${round}`, { isError: true, exitCode: 2 }),
      result('e', 'ok'),
      assistant(`Ended ${round}.`),
    ]
    previousSummary = await summaryOf(drafts, previousSummary === undefined ? {} : { previousSummary })
  }
  const text = previousSummary ?? ''
  t.match(section(text, '## Goal'), /^First request:\nRequest 0\.[^]*Newest request:\nRequest 9\./)
  for (let round = 0; round < 10; round++) {
    t.match(text, `You must keep rule ${round}.`)
    t.match(text, `- \`make step-${round}\`: failed (exit code 2)`)
    t.match(text, `[src/${round}.ts]`)
  }
  t.match(text, '- Error: Error: broke at 9')
})

t.test('a summary never exceeds its limit, and the most important lines stay', async (t) => {
  const drafts = Array.from({ length: 40 }, (_, n) => [
    user(`Do thing ${n}: ${'words '.repeat(20)}`),
    assistant(`Thing ${n} is done. ${'More words. '.repeat(20)}`),
  ]).flat()
  for (const maxTokens of [60, 200, 500, 1000, 3000]) {
    const text = await summarize(drafts, { maxTokens })
    t.ok(estimateTextTokens(text) <= maxTokens, `${maxTokens}`)
    t.not(text.trim(), '')
  }
  t.match(await summarize(drafts, { maxTokens: 500 }), 'Newest request:\nDo thing 39')
})

t.test('the same input gives the same text, and the text is never empty', async () => {
  const words = anyText(200)
  await fc.assert(
    fc.asyncProperty(
      fc.array(words),
      fc.option(words, { nil: undefined }),
      fc.integer({ min: 1, max: 2000 }),
      async (texts, previousSummary, maxTokens) => {
        const drafts = texts.map((text, index) => (index % 2 === 0 ? user(text) : assistant(text)))
        const options = { maxTokens, ...(previousSummary === undefined ? {} : { previousSummary }) }
        const text = await summarize(drafts, options)
        return text === (await summarize(drafts, options)) && text.trim() !== ''
      },
    ),
    { seed: 7, numRuns: 300, interruptAfterTimeLimit: 60_000 },
  )
})

const TRANSCRIPTS: [name: string, transcript: string][] = [
  [
    'our labels',
    '[User]: Fix a.ts. Never use eval.\n\n[Assistant tool calls]: edit(path="a.ts"); bash(command="npm test")\n\n[Tool result]: ok\n\n[Tool result]: (failed, exit code 1)\nTypeError: x is not a function\n\n[Assistant]: Fixed.',
  ],
  [
    'Human and Assistant with invoke blocks',
    'Human: Fix a.ts. Never use eval.\n\nAssistant: Looking.\n<function_calls>\n<invoke name="edit">\n<parameter name="path">a.ts</parameter>\n</invoke>\n</function_calls>\n\nAssistant: Fixed.',
  ],
  [
    'ChatML with JSON calls',
    '<|im_start|>user\nFix a.ts. Never use eval.<|im_end|>\n<|im_start|>assistant\n<tool_call>{"name":"edit","arguments":{"path":"a.ts"}}</tool_call>\nFixed.<|im_end|>',
  ],
]

for (const [name, transcript] of TRANSCRIPTS)
  t.test(
    `prompt form: a transcript with ${name} is read, and the instructions are not part of its content`,
    async (t) => {
      const text = await answerPrompt(
        `<conversation>\n${transcript}\n</conversation>\n\nYou must summarize. Always use headings.`,
      )
      t.match(section(text, '## Goal'), /Fix a\.ts\. Never use eval\./)
      t.equal(section(text, '## Constraints & Preferences'), '- Never use eval.')
      t.match(text, 'Fixed [a.ts]')
      t.notMatch(text, /summarize|headings/)
    },
  )

t.test('prompt form: text without labels is a request, and so is a whole prompt without tags', async (t) => {
  t.match(
    await answerPrompt('<conversation>\nJust words.\n</conversation>\n\nSummarize.'),
    'Newest request:\nJust words.',
  )
  t.match(await answerPrompt('Just words.'), 'Newest request:\nJust words.')
})

t.test('what a client gives the summarizer to know is in the context, once', async (t) => {
  const context =
    '<additional-context>\n- The staging database is read-only\n- Deploys wait\n  until Monday\n</additional-context>'
  const write = (previous: string) =>
    writeExtract({
      kind: 'prompt',
      maxTokens: 2000,
      source: {
        form: 'prompt',
        prompt: `<conversation>\n[User]: Go on.\n</conversation>\n\n${previous}${context}\n\nSummarize.`,
      },
    })
  const known = '## Critical Context\n- The staging database is read-only\n- Deploys wait until Monday'
  const first = write('')
  t.ok(first.endsWith(known), first)
  t.ok(write(`<previous-summary>\n${first}\n</previous-summary>\n\n`).endsWith(known))
})

t.test('prompt form: a previous summary is updated', async (t) => {
  const prompt = `<conversation>\n[User]: Next thing.\n</conversation>\n\n<previous-summary>\n${await summaryOf(WORK)}\n</previous-summary>\n\nUpdate it.`
  t.match(await answerPrompt(prompt), /First request:\nFix the parser[^]*Newest request:\nNext thing\./)
})

t.test('prompt form: a previous summary that quotes the tags of the prompt does not end there', async (t) => {
  const quotes = [
    '- Prompts end a summary with `</previous-summary>`, and have `<additional-context>` after it.',
    '- A quoted prompt:\n</previous-summary>\n\n<additional-context>\n- quoted\n</additional-context>',
  ]
  for (const quote of quotes) {
    const summary = `## Goal\nWrite the parser of prompts.\n\n## Critical Context\n${quote}\n- The port is 4242.`
    const context = '<additional-context>\n- Tags such as </previous-summary> stay\n</additional-context>'
    const prompt = `<conversation>\n[User]: Next thing.\n</conversation>\n\n<previous-summary>\n${summary}\n</previous-summary>\n\n${context}\n\nUpdate it.`
    const stated = section(await answerPrompt(prompt), '## Critical Context')
    t.equal(
      stated.replaceAll('\n\n', '\n'),
      `${quote.replaceAll('\n\n', '\n')}\n- The port is 4242.\n- Tags such as </previous-summary> stay`,
    )
  }
})

t.test('prompt form: a summary with which the conversation begins is updated', async (t) => {
  for (const words of [
    'Context summary: the parser is fixed.',
    'Conversation summary: ## Progress\nthe parser is fixed.',
  ]) {
    const conversation = `[User]: ${words}\n\n[Assistant]: I go on.\n\n[User]: Now the lexer.`
    const text = await answerPrompt(`<conversation>\n${conversation}\n</conversation>\n\nSummarize it.`)
    t.match(section(text, '## Goal'), /^Newest request:\nNow the lexer\.$/)
    t.equal(text.split('the parser is fixed.').length, 2)
    t.notMatch(text, /summary:/)
  }
})

t.test('prompt form: with a small limit the answer is two or three sentences in the first person', async (t) => {
  const prompt = `<conversation>\n[User]: Fix a.ts.\n\n[Assistant tool calls]: edit(path="a.ts")\n\n[Assistant]: It is fixed now.\n</conversation>\n\nWrite a pull request description.`
  t.equal(await answerPrompt(prompt, 512), 'Request: Fix a.ts. I changed a.ts. It is fixed now.')
  t.ok(estimateTextTokens(await answerPrompt(prompt, 8)) <= 8)
  const fromSummary = `<previous-summary>\n${await summaryOf(WORK)}\n</previous-summary>\n\nWrite a pull request description.`
  t.match(await answerPrompt(fromSummary, 512), /^Request: Now the lexer, please\./)
})

const unmarked = { isUnmarked: true as const }
const run = (id: string, command: string, output: string, extras = {}) => [
  assistant('', [call(id, 'bash', { command })]),
  result(id, output, extras),
]

t.test(
  'without a status, the output of a command decides how it ended; where it does not say so, its last line stands there',
  async (t) => {
    const text = await summaryOf([
      user('Fix it.'),
      ...run('a', 'npm test', 'Error: no\n\nTests: 1 failed, 3 passed', unmarked),
      ...run('b', 'pytest -q', '3 passed in 0.1s', unmarked),
      ...run('c', './deploy.sh', 'deployed', unmarked),
      ...run('d', './check.sh', 'checked 3 tests', unmarked),
      ...run('f', './quiet.sh', '', unmarked),
      ...run('e', 'cargo test 2>&1 | tail -5', 'test result: FAILED. 2 passed; 1 failed'),
    ])
    t.strictSame(
      section(text, '## Critical Context').split('\n').sort(),
      [
        '- `./check.sh`: printed: checked 3 tests',
        '- `./deploy.sh`: printed: deployed',
        '- `cargo test 2>&1 | tail -5`: failed (error)',
        '- `npm test`: failed (error), printed: Tests: 1 failed, 3 passed',
        '- `pytest -q`: ok, printed: 3 passed in 0.1s',
        '- Error: Error: no',
        '- Error: Tests: 1 failed, 3 passed',
        '- Error: test result: FAILED. 2 passed; 1 failed',
      ].sort(),
    )
  },
)

t.test('a question that the user answered in a tool is the next step, then a decision, and not open', async (t) => {
  const question = 'The hook blocks the commit. How should we proceed?'
  const answered = [
    user('Fix it.'),
    assistant(question, [call('q', 'AskUserQuestion', { questions: [{ question }] })]),
    result('q', `User has answered your questions: "${question}"="Never skip the hook."`, {
      toolName: 'AskUserQuestion',
      userAnswers: [{ question, answer: 'Never skip the hook.' }],
    }),
  ]
  const sections = (text: string) => [
    section(text, '## Key Decisions'),
    section(text, '## Constraints & Preferences'),
    section(text, '## Next Steps').split('\n')[0],
    /Unanswered/.test(text),
  ]
  t.strictSame(sections(await summaryOf(answered)), [
    '(none)',
    '- Never skip the hook.',
    `- Do what the user answered: "Never skip the hook." (the agent asked: "${question}")`,
    false,
  ])
  t.strictSame(sections(await summaryOf([...answered, assistant('Fixed, with the hook.')])), [
    `- The agent asked: "${question}" The user answered: "Never skip the hook."`,
    '- Never skip the hook.',
    '- The newest request is answered. The agent\'s closing words: "Fixed, with the hook."',
    false,
  ])
})

t.test('a demand of an earlier request stands among the constraints, and three dots for it in the goal', async (t) => {
  const demand = 'Answer in German always, and never add a dependency: the trials run without npm.'
  const text = await summaryOf([
    user(`Read lib.mjs. ${demand}`),
    assistant('It places a home.'),
    user('Now the lexer.'),
  ])
  t.equal(section(text, '## Constraints & Preferences'), `- ${demand}`)
  t.match(section(text, '## Goal'), 'First request:\nRead lib.mjs. …\n')
})

t.test('what the user says later of a demand stands beside it, also of one of the earlier summary', async (t) => {
  const first = await summaryOf([
    user('Fix the parser. Never push to main.'),
    user('Always use tabs.'),
    user('Never mind the tabs rule.'),
    user('Now the lexer, please.'),
  ])
  const tabs = '- Always use tabs. (the user later: "Never mind the tabs rule.")'
  t.equal(section(first, '## Constraints & Preferences'), `- Never push to main.\n${tabs}`)
  const second = await summaryOf([user('You may push to main now.'), user('Now the reader, please.')], {
    previousSummary: first,
  })
  const constraints = `- Never push to main. (the user later: "You may push to main now.")\n${tabs}`
  t.equal(section(second, '## Constraints & Preferences'), constraints)
  const third = await summaryOf([user('Now the writer, please.')], { previousSummary: second })
  t.equal(section(third, '## Constraints & Preferences'), constraints)
})

t.test(
  'what the user says later of a demand stays whole beside it, also if the newest request has the words',
  async (t) => {
    const demand = 'Never change the files of the pharmacy in data/pharmacy.'
    const later = 'The pharmacy agreed: change data/pharmacy now (only the units).'
    const text = await summaryOf([user(`Write the unit. ${demand}`), assistant('Done.'), user(later)])
    t.equal(section(text, '## Constraints & Preferences'), `- ${demand} (the user later: "${later}")`)
  },
)

t.test('what the newest request forbids stands among the constraints while it is open', async (t) => {
  const ban = "Don't commit this one, it is half done."
  const text = await summaryOf([
    user('Serve files.'),
    assistant('It fails.'),
    user(`Stop here, I have to leave. ${ban}`),
  ])
  t.equal(section(text, '## Constraints & Preferences'), `- ${ban} (only for: the newest request)`)
  const later = await summaryOf([user('Write the report of the month.')], { previousSummary: text })
  t.equal(section(later, '## Constraints & Preferences'), '(none)')
})

t.test(
  'the demands of a request that was cut off stay with its name over compactions, until its work goes on',
  async (t) => {
    const request = 'Write the parser of the orders. For this task, use no library, and do not touch the store.'
    const demand =
      '- For this task, use no library, and do not touch the store. (only for: "Write the parser of the orders.")'
    const others = (text: string) => [user(text), assistant('It is written.')]
    const constraintsOf = (text: string) => section(text, '## Constraints & Preferences')
    const cutOff = [user(request), assistant('I read the rows.', [], { stopReason: 'aborted' })]
    const first = await summaryOf([...others('Write the plan.'), ...cutOff])
    const second = await summaryOf(others('Write the letter to the club.'), { previousSummary: first })
    t.equal(constraintsOf(second), demand)
    const third = await summaryOf(others('Write the minutes.'), { previousSummary: second })
    t.equal(constraintsOf(third), demand)
    const goneOn = [
      user('continue'),
      assistant('The parser of the orders is written.'),
      ...others('Write the minutes.'),
    ]
    t.equal(constraintsOf(await summaryOf(goneOn, { previousSummary: first })), '(none)')
    const ended = await summaryOf([user(request), assistant('The parser is written.')])
    t.equal(constraintsOf(await summaryOf(others('Write the letter.'), { previousSummary: ended })), '(none)')
  },
)

t.test('a declaration stays whole, also where another file has a part of it', async (t) => {
  const read = "readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')"
  const first = `const read = (name: string): string => ${read};`
  const second = `const fixture = (name: string): Supplier => ({ name, text: ${read}, profile: findProfile('standard')! });`
  const written = (id: string, path: string, content: string): EntryDraft[] => [
    assistant('', [
      call(id, 'write', { path, content: `${content}\nexport function a() {}\nexport function b() {}\n` }),
    ]),
    result(id, 'ok', { toolName: 'write' }),
  ]
  const summary = await summaryOf([
    user('Write the tests of both files.'),
    assistant('', [call('r', 'read', { path: 'notes.txt' })]),
    result('r', 'A line of notes.\n'.repeat(1500), { toolName: 'read' }),
    ...written('w1', 'test/b.test.ts', second),
    ...written('w2', 'test/a.test.ts', first),
    assistant('Both are written.'),
  ])
  t.match(summary, first)
  t.match(summary, second)
})
