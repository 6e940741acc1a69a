import { readdirSync, readFileSync } from 'node:fs'
import OpenAI from 'openai'
import t, { type Test } from 'tap'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { writeReport } from '../../src/routes/define-route.ts'
import type { Report } from '../../src/schemas/compaction-reply.ts'
import { readSettings } from '../../src/settings.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { listenApp, startApp, templates, type StartOptions } from '../support/start-app.ts'

const FOLDER = new URL('../fixtures/chat-compactions/', import.meta.url)

/** The first words before an earlier summary: of deepagents 1.14, and of this service (`POST /context`). */
const DEEPAGENTS = 'You are in the middle of a conversation that has been summarized.'
const CONTEXT = 'The conversation before this point was compacted into this summary:'

interface Chat {
  messages: { role: string; content: string }[]
  max_tokens?: number
}

const fixture = (name: string): Chat => ({
  ...(JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Chat),
  ...{ stream: false },
})

/** Sends a chat to a service whose model answers with a text. */
async function complete(
  t: Test,
  payload: object,
  { headers = {}, ...options }: StartOptions & { headers?: object } = {},
) {
  const summarizer = fakeSummarizer(({ kind }) => (kind === 'history' ? 'What the model wrote.' : 'An answer.'))
  const { app } = await startApp(t, { summarizer, ...options })
  const response = await app.inject({ method: 'POST', url: '/v1/chat/completions', payload, headers: { ...headers } })
  const { choices } = response.json<{ choices?: { message: { content: string } }[] }>()
  return { response, text: choices?.[0]?.message.content ?? '', tasks: summarizer.tasks }
}

const ADDED = `What the model wrote.

## Critical Context
The newest request, word for word:

> Explain the fix.

## Constraints & Preferences
- Never touch test_calc.py.

## User Messages
(Word for word, newest first.)

> Fix the failing test in calc.py. Never touch test_calc.py.`
const EVIDENCE = '## Evidence\n- failed: `python3 test_calc.py` (exit code 1): AssertionError: 0 != 4'
const FILES = '<modified-files>\ncalc.py\n</modified-files>'
const WHOLE = [ADDED, EVIDENCE, FILES].join('\n\n')

/** The answer to each client's request: in the form that it demands, or with what code adds where it demands none. */
const ANSWERS: Record<string, string> = {
  'a-person': WHOLE.replace('> Explain the fix.', '> Thanks, that is all for now.').replace(
    '> Fix the',
    '> Explain the fix.\n\n> Fix the',
  ),
  aider: ADDED,
  'claude-code': '<summary>\nWhat the model wrote.\n</summary>',
  cline: 'What the model wrote.',
  'cline-update': 'What the model wrote.',
  codex: WHOLE,
  langchain: ADDED,
  letta: ADDED,
  litellm: `<summary>\n${WHOLE.replace('> Explain the fix.', '> Now write a test for sub().')
    .replace('- Never', '- Only Python 3.\n- Never')
    .replace(
      '> Fix the',
      '> Explain the fix.\n\n> Fix the',
    )}\n\n(End of the summary of the earlier conversation.)\n</summary>`,
  opencode: 'What the model wrote.',
  'opencode-update': 'What the model wrote.',
  'opencode-2': 'What the model wrote.',
  'opencode-2-update': 'What the model wrote.',
  openhands: 'What the model wrote.',
  qwen: '<state_snapshot>\nWhat the model wrote.\n</state_snapshot>',
  roo: WHOLE,
}

t.test('every fixture has its answer', async (t) => {
  t.same(
    readdirSync(FOLDER)
      .flatMap((name) => /^(.*)\.json$/.exec(name)?.[1] ?? [])
      .sort(),
    Object.keys(ANSWERS).sort(),
  )
})

for (const [name, answer] of Object.entries(ANSWERS))
  t.test(`the request of ${name} goes through the pipeline, and is answered in the form that it demands`, async (t) => {
    const chat = fixture(name)
    const { response, text, tasks } = await complete(t, chat)
    t.equal(text, answer)
    const [task] = tasks
    t.equal(task?.systemPrompt, templates.system)
    t.match(task?.prompt, /^<conversation>\n/)
    t.equal(task?.maxTokens, Math.min(chat.max_tokens ?? 16_384, 16_384))
    const last = chat.messages.at(-1)?.content.trim().split('\n').at(-1) ?? ''
    const instructions = task?.prompt.split('</conversation>').at(-1) ?? ''
    if (!['aider', 'cline', 'cline-update', 'langchain', 'letta'].includes(name))
      t.ok(instructions.includes(last), 'it has the client’s own words')
    t.notMatch(instructions, /Use exactly these headings|short-summary/)
    t.match(JSON.parse(String(response.headers['x-precis-report'])), { model: 'fake', calls: 1 })
  })

t.test('transcripts of clients are read: who spoke, and which files were changed', async (t) => {
  for (const name of ['opencode', 'cline']) {
    const summarizer = await createSummarizer(readSettings({}), templates)
    const { text } = await complete(t, fixture(name), { summarizer })
    t.match(text, /## Goal\n[^#]*Newest request:\nExplain the fix\./, name)
    t.match(text, FILES, name)
  }
})

t.test('the template of Cline is the instruction, and its form is obeyed', async (t) => {
  for (const name of ['cline', 'cline-update']) {
    const { tasks } = await complete(t, fixture(name))
    const [conversation = '', others = ''] = tasks[0]?.prompt.split('</conversation>') ?? []
    t.match(conversation, /^<conversation>\n\[User\]: (?:Fix the failing test|Explain the fix)/, name)
    t.notMatch(conversation, /user_input|Summarize this session|Previous summary/, name)
    const instructions = others.split('</previous-summary>').at(-1) ?? ''
    t.match(
      instructions.trim(),
      /^Summarize the provided coding session .*\n\nSummarize this session for continuation\./,
    )
    t.match(instructions, /## Highlights\n.*\n\n## Next\n.*\n\n## Files\nRead: none\nEdited: calc\.py$/)
  }
})

t.test('what opencode says after its own compaction is no request of the user', async (t) => {
  const summarizer = await createSummarizer(readSettings({}), templates)
  const continued =
    'Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.'
  const ownWords = { role: 'user', content: continued }
  const transcript = JSON.stringify(fixture('opencode')).replace(
    '\\n</conversation>',
    `\\n\\n[User]: ${continued}\\n\\n[Assistant]: Nothing is left.\\n</conversation>`,
  )
  const [wish] = ask('Summarize our conversation, so that you can go on from it.').messages.slice(-1)
  const chats = [JSON.parse(transcript) as object, { messages: [...HISTORY, ownWords, wish] }]
  for (const chat of chats) {
    const { text } = await complete(t, chat, { summarizer })
    t.match(text, /Newest request:\nExplain the fix\./)
    t.notMatch(text, /Continue if you have next steps/)
  }
})

t.test('an earlier summary of the client is updated, and is not a message of the user', async (t) => {
  for (const name of ['aider', 'cline-update', 'litellm', 'opencode-update', 'openhands']) {
    const { tasks } = await complete(t, fixture(name))
    const [, previous = ''] = /<previous-summary>\n([^]*?)\n<\/previous-summary>/.exec(tasks[0]?.prompt ?? '') ?? []
    t.match(previous, /calc/, name)
    t.notMatch(tasks[0]?.prompt.split('</conversation>')[0], previous, name)
  }
  const [first, ...others] = fixture('codex').messages
  const summary = {
    role: 'user',
    content: 'Here is a summary of the conversation to date:\n\n## Goal\nSet up the project calc.',
  }
  const { tasks, text } = await complete(t, { messages: [first, summary, ...others] })
  t.match(tasks[0]?.prompt, /<previous-summary>\n## Goal\nSet up the project calc\.\n<\/previous-summary>/)
  t.notMatch(text, /Here is a summary/)
})

t.test('a first message with the label of a summary is one, if the user says something later', async (t) => {
  const [wish] = ask('Summarize our conversation, so that you can go on from it.').messages.slice(-1)
  const user = (content: string) => ({ role: 'user', content })
  const previousOf = async (...messages: object[]) => {
    const answer = { role: 'assistant', content: 'The sum is right now.' }
    const { tasks } = await complete(t, { messages: [...messages.flatMap((one) => [one, answer]), wish] })
    return /<previous-summary>\n([^]*?)\n<\/previous-summary>/.exec(tasks[0]?.prompt ?? '')?.[1]
  }
  const more = user('Now write a test.')
  t.equal(await previousOf(user('Conversation summary: ## Goal\nFix calc.py.'), more), '## Goal\nFix calc.py.')
  t.equal(await previousOf(user('Conversation summary: ## Goal\nFix calc.py.')), '## Goal\nFix calc.py.')
  t.equal(await previousOf(user('Context summary: calc.py was fixed.'), more), 'calc.py was fixed.')
  for (const lead of ['Summary of our conversation so far:', 'Context summary:'])
    t.equal(await previousOf(user(`${lead}\r\n\r\n## Goal\r\nFix calc.py.`), more), '## Goal\nFix calc.py.', lead)
  t.equal(await previousOf(user('Previous conversation summary so far: it was fixed.'), more), 'it was fixed.')
  const tagged = 'Older words.\n\n<summary>\nIt was fixed.\n</summary>\n\nGo on.'
  for (const lead of [DEEPAGENTS, CONTEXT])
    t.equal(await previousOf(user(`${lead} ${tagged}`), more), 'It was fixed.', lead)
  t.equal(await previousOf(user('Context summary: calc.py is wrong. Fix it.')), undefined, 'it may be the request')
  for (const words of ['The session summary: it has a wrong total.', 'Add a summary: one line.', 'Context summary'])
    t.equal(await previousOf(user(words), more), undefined, words)
  t.equal(await previousOf(more, user('Context summary: calc.py was fixed.')), undefined, 'only the first message')
})

t.test('a summary that has its name as a heading, or in the system message, is one', async (t) => {
  const [wish] = ask('Summarize our conversation, so that you can go on from it.').messages.slice(-1)
  const turn = [
    { role: 'user', content: 'Now write a test.' },
    { role: 'assistant', content: 'The test is there.' },
  ]
  const previousOf = async (role: string, content: string) => {
    const { tasks } = await complete(t, { messages: [{ role, content }, ...turn, wish] })
    return /<previous-summary>\n([^]*?)\n<\/previous-summary>/.exec(tasks[0]?.prompt ?? '')?.[1]
  }
  const body = '## Overview\nThe sum in calc.py is wrong.\n\n## Open items\n- Fix it.'
  for (const role of ['user', 'system']) {
    for (const name of ['# Conversation Summary', '## Session summary', '**Summary of the conversation so far:**'])
      t.equal(await previousOf(role, `${name}\n\n${body}`), body, `${role}: ${name}`)
    const lead = 'This session is being continued from a previous conversation that ran out of context. '
    t.equal(await previousOf(role, `${lead}The conversation is summarized below:\n${body}`), body, role)
  }
  t.equal(await previousOf('system', 'Summary of the conversation so far:\nIt was fixed.'), 'It was fixed.')
  for (const words of ['# Session summary\nWrite one for me.', '# Conversation parser\n\n## Goal\nWrite it.'])
    t.equal(await previousOf('user', words), undefined, words)
  for (const words of ['You write a session summary in this form:\n## Goal', 'Session summary rules: be short.'])
    t.equal(await previousOf('system', words), undefined, words)
})

t.test('an earlier summary is read without the tags of the model that wrote it', async (t) => {
  const summarizer = await createSummarizer(readSettings({}), templates)
  // opencode 1.18.33 stores the whole answer of the model.
  const answer =
    '<analysis>\nshort\n</analysis>\n\n<summary>\n1. Primary Request and Intent:\n   Fix the failing test in calc.py.\n2. Key Technical Concepts:\n   - Python, unittest\n8. Current Work:\n   All tests pass.\n</summary>'
  const { messages } = fixture('opencode-update')
  const update = messages.map(({ role, content }) => ({
    role,
    content: content.replace(/<prior-summary>[^]*?<\/prior-summary>/, `<prior-summary>\n${answer}\n</prior-summary>`),
  }))
  const { text } = await complete(t, { messages: update }, { summarizer })
  t.equal(
    text.replaceAll(/\n+#+ [^#]*\n\(none\)/g, ''),
    `## Goal
Newest request:
Anything else?

Earlier goal:
Fix the failing test in calc.py.

## Progress

### Done
- [x] All tests pass. (said to be done)
- Anything else? => Nothing else (answered)

## Next Steps
- The newest request is answered. The agent's closing words: "Nothing else."

## Critical Context
Key Technical Concepts:
- Python, unittest`,
  )
})

const HISTORY = fixture('codex').messages.slice(0, -1)
const ask = (content: string) => ({ messages: [...HISTORY, { role: 'user', content }] })

const ASKS = [
  'Summarize our conversation, so that you can go on from it.',
  'Please summarise this session for the next agent.',
  'Summarize the conversation so far.',
  'Can you please write a detailed summary of the entire conversation above?',
  'Your task is to create a detailed summary of this conversation. Keep all file names.',
  'I want you to compact this session now.',
  'OK, thanks.\n\nNow create a hand-off document for this conversation:\n\n## Goal\n## State',
  'Hand off this conversation to another agent.',
  'Please summarize this conversation. Use terse, single-line bullets.',
  'Summarize our conversation so that another agent can go on.\n\n## Goal\n[One sentence: what is being built]\n\n## Title\n[a title]',
  'Summarize our conversation so that another agent can go on:\n- Goal: one sentence\n- Files: a few lines',
]
const OTHERS = [
  'Summarize what was done.',
  'Add a command that summarizes the conversation.',
  'Compact the session table in the database.',
  'Compress the chat history page with gzip.',
  'Why does the function summarize the messages twice?',
  'Summarize the conversation handling code in src/chat.ts.',
  'Summarize this file.',
  'Summarize this conversation in a title of five words.',
  'Summarize our conversation in one sentence.',
  'Write a summary of this conversation in 20 words.',
  'In two sentences, summarize this conversation.',
  'Summarize this conversation. Keep it to three sentences.',
  'Summarize this conversation.\nOne line.',
  'Explain the session.',
]

for (const words of ASKS)
  t.test(`compacted: ${words.replaceAll('\n', ' ')}`, async (t) => {
    const { tasks } = await complete(t, ask(words))
    t.equal(tasks[0]?.kind, 'history')
  })

for (const words of OTHERS)
  t.test(`answered by the model: ${words}`, async (t) => {
    const { tasks, text } = await complete(t, ask(words))
    t.same([tasks[0]?.kind, text], ['prompt', 'An answer.'])
  })

t.test('a chat with only one message before the wish is answered by the model: it may be about a text', async (t) => {
  const messages = [HISTORY[1], { role: 'user', content: 'Summarize our conversation.' }]
  const { tasks } = await complete(t, { messages })
  t.equal(tasks[0]?.kind, 'prompt')
})

t.test('a chat with two messages before the wish is compacted', async (t) => {
  const messages = [...HISTORY.slice(1, 3), { role: 'user', content: 'Summarize this conversation.' }]
  t.same(
    messages.map(({ role }) => role),
    ['user', 'assistant', 'user'],
  )
  const { tasks } = await complete(t, { messages })
  t.equal(tasks[0]?.kind, 'history')
})

t.test('what the user said before a summary stays if nothing was said after it', async (t) => {
  const summary =
    'Another language model started to solve this problem. Use it to assist with your own analysis:\nFixed.'
  const texts = ['Fix calc.py.', summary, 'Summarize this conversation.']
  const { tasks } = await complete(t, { messages: texts.map((content) => ({ role: 'user', content })) })
  t.match(tasks[0]?.prompt, /^<conversation>\n\[User\]: Fix calc\.py\.\n/)
  t.match(tasks[0]?.prompt, /<previous-summary>\nFixed\.\n<\/previous-summary>/)
})

t.test('the messages that opencode 2 keeps in its checkpoint as text are summarized, by their labels', async (t) => {
  const { tasks } = await complete(t, fixture('opencode-2-update'))
  const [conversation = '', rest = ''] = tasks[0]?.prompt.split('</conversation>') ?? []
  t.match(conversation, '[User]: Run the tests again.\n\n[Tool result]: </summary> 12 passed\n\n[User]: Explain')
  t.notMatch(conversation, 'conversation-checkpoint')
  const [summary = ''] = rest.split('</previous-summary>')
  t.match(summary, '## Objective\n- Fix the failing test in calc.py. Never touch test_calc.py.')
  t.notMatch(summary, /12 passed|recent-context/)
})

t.test('X-Precis-Pipeline decides in any case', async (t) => {
  const kindOf = async (pipeline: string, payload: object) =>
    (await complete(t, payload, { headers: { 'x-precis-pipeline': pipeline } })).tasks[0]?.kind
  for (const name of Object.keys(ANSWERS)) t.equal(await kindOf('off', fixture(name)), 'prompt', name)
  t.equal(await kindOf('on', ask('List what is left to do.')), 'history')
  t.equal(await kindOf('On', { messages: HISTORY }), 'history', 'without a last message of the user')
  t.equal(await kindOf('on', { messages: [{ role: 'user', content: 'Human: Fix it.\nAI: Fixed.' }] }), 'history')
  const { response } = await complete(t, ask('Go on.'), { headers: { 'x-precis-pipeline': 'maybe' } })
  t.match(response.json(), { status: 400, detail: /X-Precis-Pipeline must be `on` or `off`/ })
})

t.test('the words of the user before the wish belong to the conversation', async (t) => {
  const { tasks } = await complete(t, ask('Now write a test for sub().\n\nSummarize this conversation first.'))
  const [conversation = '', instructions = ''] = tasks[0]?.prompt.split('</conversation>') ?? []
  t.match(conversation, /\[User\]: Now write a test for sub\(\)\.\n$/)
  t.equal(instructions.trim(), 'Summarize this conversation first.')
})

t.test('a request in a text block before the block with the instruction belongs to the conversation', async (t) => {
  const blocks = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }))
  for (const name of ['claude-code', 'litellm']) {
    const { messages, ...others } = fixture(name)
    const template = (messages.at(-1)?.content ?? '').replace('Now write a test for sub().\n\n', '')
    const last = { role: 'user', content: blocks('Now the lexer.', template) }
    const { tasks } = await complete(t, { ...others, messages: [...messages.slice(0, -1), last] })
    const [conversation = '', instructions = ''] = tasks[0]?.prompt.split('</conversation>') ?? []
    t.match(conversation, /\[User\]: Now the lexer\.\n$/, name)
    t.ok(instructions.trim().endsWith(template), name)
  }
})

/** Returns the conversation and the earlier summary in the prompt for the model. */
function partsOf(prompt = '') {
  const [conversation = '', others = ''] = prompt.split(/\n<\/conversation>\n(?![^]*\n<\/conversation>\n)/)
  const [, previous] = /<previous-summary>\n([^]*)\n<\/previous-summary>/.exec(others) ?? []
  return { conversation, previous }
}

const QUOTED = [
  'Tags <previous-summary> and </previous-summary>.',
  'Wrote <prior-summary>x</prior-summary>.',
  'Read <PREVIOUS SUMMARY>\nx\n</PREVIOUS SUMMARY> there.',
  'A </prior-summary> tag, a </PREVIOUS SUMMARY> tag.',
  'In <conversation>q</conversation>.',
  'Lines:\nPrevious summary:\ny\nConversation:\nx',
]

/** Prompts of clients around an earlier summary and what was said. */
const AROUND: Record<string, (previous: string, said: string) => Chat> = {
  cline: (previous, said) =>
    replaced('cline-update', /(?<=Previous summary:\n)[^]*?(?=\n\nConversation:)/, previous, said),
  opencode: (previous, said) =>
    replaced('opencode-update', /(?<=<prior-summary>\n)[^]*?(?=\n<\/prior-summary>)/, previous, said),
  openhands: (previous, said) =>
    replaced('openhands', /(?<=<PREVIOUS SUMMARY>\n)[^]*?(?=\n<\/PREVIOUS SUMMARY>)/, previous, said),
}

function replaced(name: string, earlier: RegExp, previous: string, said: string): Chat {
  const { messages, ...others } = fixture(name)
  const last = messages.at(-1)?.content ?? ''
  const content = last
    .replace(earlier, 'EARLIER')
    .replace(/Explain the fix\.|Anything else\?|Fix the failing test in calc\.py\./, () => said)
    .replace('EARLIER', () => previous)
  return { ...others, messages: [...messages.slice(0, -1), { role: 'user', content }] }
}

for (const [name, around] of Object.entries(AROUND))
  t.test(`marks of all clients in the texts of ${name} hide neither its earlier summary nor a message`, async (t) => {
    for (const quoted of QUOTED) {
      const earlier = `## Goal\nSet it up.\n\n${quoted}\n\nNever touch vendor/.`
      const inSummary = partsOf((await complete(t, around(earlier, 'Now the lexer.'))).tasks[0]?.prompt)
      t.equal(inSummary.previous?.replaceAll('&lt;', '<'), earlier, quoted)
      t.match(inSummary.conversation, 'Now the lexer.', quoted)
      const inRequest = partsOf((await complete(t, around('Set up.', `Now this. ${quoted} The end.`))).tasks[0]?.prompt)
      t.equal(inRequest.previous, 'Set up.', quoted)
      t.match(inRequest.conversation.replaceAll('&lt;', '<'), `Now this. ${quoted} The end.`, quoted)
    }
  })

t.test('without an earlier summary, marks of one in an event hide no events', async (t) => {
  const { messages } = fixture('openhands')
  const content = (messages.at(-1)?.content ?? '')
    .replace(/<PREVIOUS SUMMARY>[^]*<\/PREVIOUS SUMMARY>\n\n/, '')
    .replace('python3', 'see <PREVIOUS SUMMARY>\nx\n</PREVIOUS SUMMARY> there: python3')
  const { tasks } = await complete(t, { messages: [{ role: 'user', content }] })
  t.equal(partsOf(tasks[0]?.prompt).previous, undefined)
  t.match(tasks[0]?.prompt.split('see ')[0], 'Fix the failing test in calc.py.')
})

t.test('the answer is never longer than the limit of the request', async (t) => {
  const long = { role: 'user', content: `Mind these rules. ${'Rule: names are short. '.repeat(80)}` }
  const messages = [long, ...ask('Summarize this conversation.').messages]
  const { text } = await complete(t, { messages, max_tokens: 100 })
  t.ok(text.length < 500, String(text.length))
  t.match(text, /What the model wrote/)
})

t.test('secrets are replaced in the conversation, in the instructions and in the earlier summary', async (t) => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const messages = [
    { role: 'user', content: `Here is a summary of the conversation to date:\n\nToken ${secret}` },
    ...ask(`Summarize this conversation. Never name ${secret}.`).messages,
  ]
  messages.splice(2, 0, { role: 'user', content: `Use ${secret}.` })
  const { tasks, text } = await complete(t, { messages })
  t.notMatch(`${JSON.stringify(tasks)} ${text}`, secret)
  t.equal((tasks[0]?.prompt ?? '').split('[redacted:').length - 1, 3)
})

t.test('text outside the demanded tags is left out, and a missing end is no fault', async (t) => {
  for (const written of [
    '<analysis>\nHm.\n</analysis>\n<summary>\nAll of it.\n</summary>\nBye.',
    '<summary>All of it.',
  ]) {
    const { text } = await complete(t, fixture('claude-code'), { summarizer: fakeSummarizer(written) })
    t.equal(text, '<summary>\nAll of it.\n</summary>')
  }
})

t.test('of a model’s reply, the last block in the tags counts, whatever quotes a tag', async (t) => {
  const quoting =
    '## Goal\nFix the <summary> tag, and </summary>.\n\n<details>\n<summary>Log</summary>\n</details>\n<details><summary>x</summary>'
  for (const [written, read] of [
    ['<analysis>They want <summary> tags.</analysis>\n<summary>\n## Goal\nReal.\n</summary>', '## Goal\nReal.'],
    ['<analysis>\n<summary> is the tag.\n</analysis>\n<summary>\nReal.\n</summary>', 'Real.'],
    ['<analysis>\n<summary>\nNo.\n</summary>\n</analysis>\n<summary>\nReal.\n</summary>', 'Real.'],
    [`<summary>\n${quoting}\n</summary>\nBye.`, quoting],
    [`<summary>\r\nReal.\r\n</summary>\r\n`, 'Real.'],
    ['I wrote no <summary> tags.', 'I wrote no <summary> tags.'],
  ]) {
    const { text } = await complete(t, fixture('claude-code'), { summarizer: fakeSummarizer(written ?? '') })
    t.equal(text, `<summary>\n${read}\n</summary>`)
  }
})

t.test('an extract that quotes the tags of its client is whole', async (t) => {
  const summarizer = await createSummarizer(readSettings({}), templates)
  for (const [name, tag] of [
    ['litellm', 'summary'],
    ['claude-code', 'summary'],
    ['qwen', 'state_snapshot'],
  ] as const) {
    const { messages, ...others } = fixture(name)
    const quoted = messages.map((message) => ({
      ...message,
      content: message.content.replace('Explain the fix.', `Explain <details><${tag}>x</${tag}></details>.`),
    }))
    const { text } = await complete(t, { ...others, messages: quoted }, { summarizer })
    t.match(text, new RegExp(`^<${tag}>\n## Goal\n[^]*Never touch test_calc\\.py[^]*\n</${tag}>$`), name)
    t.match(text, `Explain <details><${tag}>x</${tag}></details>.`, name)
  }
})

t.test('a compaction is streamed like any other chat, with the report in its head', async (t) => {
  const { url } = await listenApp(t, { summarizer: fakeSummarizer('What the model wrote.') })
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-any', maxRetries: 0 })
  const { data, response } = await client.chat.completions
    .create({ ...(fixture('codex') as unknown as OpenAI.ChatCompletionCreateParams), model: 'm', stream: true })
    .withResponse()
  let text = ''
  for await (const chunk of data as AsyncIterable<OpenAI.ChatCompletionChunk>)
    text += chunk.choices[0]?.delta.content ?? ''
  t.equal(text, WHOLE)
  t.match(JSON.parse(response.headers.get('x-precis-report') ?? ''), { strategy: 'single' })
})

t.test('a report in a header is ASCII, and short', async (t) => {
  const report = (unknown: string[]): Report => ({
    model: 'modèle-😀',
    strategy: 'single',
    windows: 1,
    calls: 1,
    usage: { inputTokens: 1, outputTokens: 1 },
    durationMs: 1,
    degraded: false,
    redactions: 0,
    checks: { grounding: { checked: 1, unknown }, repaired: 0 },
  })
  t.match(writeReport(report([])), /^[\x20-\x7e]+$/)
  t.same(JSON.parse(writeReport(report(['ä.ts']))), report(['ä.ts']))
  const { checks: _checks, ...short } = report([])
  t.same(JSON.parse(writeReport(report(Array.from({ length: 200 }, () => 'src/a-long-name.ts')))), short)
})

const PARTIAL =
  'You have written a partial transcript for the initial task above. Please write a summary of the transcript. You must wrap your summary in a <summary></summary> block.'

for (const [what, content] of Object.entries({
  'one text': `Fix src/a.ts.\n\n${PARTIAL}`,
  'two texts': ['Fix src/a.ts.', PARTIAL].map((text) => ({ type: 'text', text })),
}))
  t.test(
    `a chat of LiteLLM with one message, of ${what}, is compacted, and its system prompt is no summary`,
    async (t) => {
      const { app } = await startApp(t, { summarizer: await createSummarizer(readSettings({}), templates) })
      const prompt =
        'Previous conversation summary: ## Goal\nThe old goal.\n\nYou are a coding agent. Never use emojis.'
      const payload = {
        model: 'm',
        messages: [
          { role: 'system', content: prompt },
          { role: 'user', content },
        ],
      }
      const reply = await app.inject({ method: 'POST', url: '/v1/chat/completions', payload })
      t.equal(reply.statusCode, 200)
      const summary = reply.json<{ choices: [{ message: { content: string } }] }>().choices[0].message.content
      t.match(summary, /^<summary>\n## Goal\nNewest request:\nFix src\/a\.ts\.\n\nEarlier goal:\nThe old goal\.\n\n/)
      t.notMatch(summary, /emojis|partial transcript/)
    },
  )

t.test('a question about such a prompt is an ordinary chat', async (t) => {
  const { app } = await startApp(t, { summarizer: await createSummarizer(readSettings({}), templates) })
  const payload = { model: 'm', messages: [{ role: 'user', content: `What is this: "${PARTIAL}"?` }] }
  t.equal((await app.inject({ method: 'POST', url: '/v1/chat/completions', payload })).statusCode, 404)
})
