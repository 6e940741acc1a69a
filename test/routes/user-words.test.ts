import t from 'tap'
import type { FastifyInstance } from 'fastify'
import { readUserAnswers, readUserText } from '../../src/extract/user-text.ts'
import { FORMAT_IDS } from '../../src/schemas/format-ids.ts'
import type { Message } from '../../src/session/message.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { casesOf } from '../support/random-cases.ts'
import { FORGED, HOSTILE_LABELS, HOSTILE_WORDS } from '../support/hostile-words.ts'
import { readDocument } from '../support/read-document.ts'
import { RENDERINGS, type Rendering } from '../support/render-messages.ts'
import { startApp } from '../support/start-app.ts'
import { TOOL_PLACES, TOOL_TEXT } from '../support/tool-places.ts'

/** A conversation in which a tool of a server succeeds and fails. */
function conversation({ fit, supports }: Rendering): Message[] {
  const text = (words: string) => [{ type: 'text' as const, text: words }]
  const call = (id: string) => ({ type: 'toolCall' as const, id, name: 'web_fetch', arguments: { url: 'x' } })
  const result = (toolCallId: string, isError: boolean): Message => ({
    ...{ role: 'toolResult', toolCallId, toolName: 'web_fetch', content: text(TOOL_TEXT), isError, isPruned: false },
  })
  const messages: Message[] = [
    { role: 'user', content: text('Fix the parser.') },
    { role: 'assistant', content: [call('a'), call('b')] },
    result('a', false),
    result('b', supports.toolErrors),
    { role: 'assistant', content: text('I have read it.') },
    { role: 'user', content: text('Now the lexer.') },
    { role: 'assistant', content: text('ok') },
  ]
  return fit?.(messages) ?? messages
}

/** The documents of all formats, with `TOOL_TEXT` where a tool writes. */
const DOCUMENTS: [name: string, document: string][] = [
  ...Object.entries(RENDERINGS).map(([name, rendering]): [string, string] => [
    name,
    rendering.render({ summary: '## Goal\nFix the parser.', messages: conversation(rendering), past: [] }),
  ]),
  ...FORMAT_IDS.flatMap((id) =>
    TOOL_PLACES[id].map((document, at): [string, string] => [`${id}, place ${at + 1}`, document]),
  ),
]

/** Returns a document in which a tool has written a text everywhere. */
const withText = (document: string, text: string): string =>
  document.replaceAll(TOOL_TEXT, () => (/^[[{]/.test(document) ? JSON.stringify(text).slice(1, -1) : text))

/** Returns what the service takes for the user's words in a document, or for a summary of them. */
function usersIn(document: string): string[] {
  const { session } = readDocument(document)
  return session.entries.flatMap(({ message, compaction }) =>
    message === undefined
      ? [compaction?.summary ?? '']
      : [
          ...(message.role === 'user' ? [readUserText(message) ?? ''] : []),
          ...readUserAnswers(message).map(({ answer }) => answer),
        ],
  )
}

/** The sections with words of the user, and what code writes before words that it takes for the user's. */
const SECTIONS = /^#+ (?:User Messages|Goal|Constraints & Preferences|Original Request|Next Steps)/
const LABELS = /^(?:- (?:The agent asked: ".*" )?The user (?:said|answered): "|.*newest request|Request before)/

/** Returns the lines in which a reply gives a text of a tool as the user's. */
function forgedIn(reply: { summary?: string; shortSummary?: string; text?: string }): string[] {
  let isUsers = false
  const lines = (reply.summary ?? '').split('\n').filter((line) => {
    if (/^#+ /.test(line)) isUsers = SECTIONS.test(line)
    return line.includes(FORGED) && (isUsers || LABELS.test(line))
  })
  return [...lines, ...[reply.shortSummary ?? ''].filter((text) => text.includes(FORGED))]
}

const EMBEDDED = { name: 'embedded' as const, windowTokens: () => 128_000 }

async function compact(app: FastifyInstance, document: string): Promise<string[]> {
  const reply = await app.inject({ method: 'POST', url: '/compaction?keepRecentTokens=1', payload: document })
  return reply.statusCode === 200 ? forgedIn(reply.json()) : [`${reply.statusCode} ${reply.body}`]
}

t.test('every format has a row of the places that a tool can write to', async (t) => {
  t.strictSame(Object.keys(TOOL_PLACES).sort(), [...FORMAT_IDS].sort())
  const rendered = new Set(Object.values(RENDERINGS).map(({ format }) => format))
  t.strictSame(
    FORMAT_IDS.filter((id) => !rendered.has(id)),
    [],
  )
})

const TEXTS = Object.entries({ ...HOSTILE_WORDS, ...HOSTILE_LABELS })

t.test(
  'no text of a tool is read as the words of the user or as an earlier summary, in any place of any format',
  async (t) => {
    const forged = DOCUMENTS.flatMap(([name, document]) =>
      TEXTS.flatMap(([what, text]) => {
        const words = usersIn(withText(document, text)).filter((one) => one.includes(FORGED))
        return words.map((one) => `${name}, ${what}: ${one}`)
      }),
    )
    t.strictSame(forged, [])
    t.strictSame(
      DOCUMENTS.filter(([, document]) => !document.includes(TOOL_TEXT)).map(([name]) => name),
      // Of calls, its history has the files only.
      ['aider'],
    )
  },
)

for (const [who, summarizer, count] of [
  ['the embedded summarizer', EMBEDDED, casesOf(5)],
  ['a model', fakeSummarizer('## Goal\nFix it.\n\n## Progress\n### Done\n- [x] Read'), casesOf(3)],
] as const)
  t.test(`no text of a tool is the user's in a summary of ${who}`, async (t) => {
    const { app } = await startApp(t, { summarizer })
    const forged: string[] = []
    for (const [at, [name, document]] of DOCUMENTS.entries())
      for (const [index, [what, text]] of TEXTS.entries()) {
        // Each place gets several of the texts, and each text comes to several places.
        if ((at + index) % TEXTS.length >= count) continue
        for (const line of await compact(app, withText(document, text))) forged.push(`${name}, ${what}: ${line}`)
      }
    t.strictSame(forged, [])
  })

/** A transcript, as the conversation form has it. */
const TRANSCRIPT = `[User]: Fix the parser.\n\n[Assistant tool calls]: ask(path="README.md")\n\n[Tool result]: ${TOOL_TEXT}\n\n[Tool result]: (failed)\n${TOOL_TEXT}\n\n[Assistant]: Done.\n\n[User]: Now the lexer.\n\n[Assistant]: ok`

for (const [name, body] of Object.entries({
  'the conversation form': { conversation: TRANSCRIPT },
  'the messages form': {
    messages: [
      { role: 'user', content: 'Fix the parser.' },
      { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'ask', arguments: {} }] },
      { role: 'toolResult', toolCallId: 'c', toolName: 'ask', content: TOOL_TEXT, details: { customInput: TOOL_TEXT } },
      { role: 'toolResult', toolCallId: 'd', toolName: TOOL_TEXT, content: TOOL_TEXT, isError: true },
      { role: 'hookMessage', content: TOOL_TEXT },
      { role: '_notice', content: TOOL_TEXT },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Now the lexer.' },
      { role: 'assistant', content: 'ok' },
    ],
    settings: { keepRecentTokens: 1 },
  },
}))
  t.test(`no text of a tool is the user's in ${name}`, async (t) => {
    const { app } = await startApp(t, { summarizer: EMBEDDED })
    for (const [what, text] of Object.entries(HOSTILE_WORDS)) {
      const payload = withText(JSON.stringify(body), text)
      const headers = { 'content-type': 'application/json' }
      const reply = await app.inject({ method: 'POST', url: '/compaction', headers, payload })
      t.equal(reply.statusCode, 200, what)
      t.strictSame(forgedIn(reply.json()), [], what)
    }
  })

const text = (words: string) => ({ type: 'text', text: words })
const user = (...words: string[]) => ({ role: 'user', content: words.map(text) })
const ROO_ASK = user('Summarize the conversation so far, as described in the prompt instructions.')

/** Chats of Roo that ask for their compaction, with the texts of tools in their three forms. */
const ROO_CHATS: Readonly<Record<string, object[]>> = {
  'results in the role of a tool': [
    {
      ...{ role: 'assistant', content: null },
      tool_calls: ['read_file', 'mcp--x--attempt_completion'].map((name, id) => ({
        ...{ id: `c${id}`, type: 'function', function: { name, arguments: '{}' } },
      })),
    },
    { role: 'tool', tool_call_id: 'c0', content: TOOL_TEXT },
    { role: 'tool', tool_call_id: 'c1', content: TOOL_TEXT },
    { role: 'tool', tool_call_id: 'none', content: TOOL_TEXT },
    user(`Skipping tool [execute_command for '${TOOL_TEXT}'] due to user rejecting a previous tool.`),
    user('<user_message>\nLook.\n</user_message>', `[read_file for 'a.ts']\nFile: a.ts\n${TOOL_TEXT}`),
  ],
  'results below heads': [
    { role: 'assistant', content: '<read_file><path>a.ts</path></read_file>' },
    user("[read_file for 'a.ts'] Result:", TOOL_TEXT),
    { role: 'assistant', content: '<read_file><path>a.ts</path></read_file>' },
    user(`[read_file for 'a.ts'] Result:\n${TOOL_TEXT}`),
    { role: 'assistant', content: '<attempt_completion><result>ok</result></attempt_completion>' },
    user(
      `[read_file for 'a.ts'] Result:`,
      TOOL_TEXT,
      '[attempt_completion] Result:',
      '<feedback>\nGo on.\n</feedback>',
    ),
  ],
  'results as texts': [
    { role: 'assistant', content: 'Its line:\n[Tool Use: attempt_completion]\n\n[Tool Use: read_file]\npath: a.ts' },
    user(`[Tool Result]\n${TOOL_TEXT}`),
    { role: 'assistant', content: '[Tool Use: read_file]\npath: a.ts' },
    user(`[Tool Result (Error)]\n${TOOL_TEXT}`, `[Tool Result]\n${TOOL_TEXT}`),
    user(`[Tool Result]\n${TOOL_TEXT}`),
  ],
}

const system = (content: string) => ({ role: 'system', content })

/** Prompts with a transcript in which the client has added texts to the user's words. */
const TRANSCRIPT_CHATS: Readonly<Record<string, object[]>> = {
  'a transcript of Cline': [
    system('Summarize the provided coding session into a concise continuation note with detailed next steps.'),
    user(
      `Summarize this session for continuation. Be concise and factual.\n\nPrevious summary:\n## Goal\nFix it.\n\nConversation:\n[User file app/[id]/a b.md]: ${TOOL_TEXT}\n\n[User]: <user_input mode="act">Fix the parser.</user_input>\n[User file notes.md]: ${TOOL_TEXT}\n[User image]: image/png\n\n[Bot thinking]: Hm.\n[Bot]: Done.\n[Bot tool calls]: read_files(files=[])\n\n[Tool result]: ${TOOL_TEXT}\n[Tool result]: ${TOOL_TEXT}\n\n[Bot]: ok`,
    ),
  ],
  'a transcript of opencode': [
    system('You are a context summarization agent. Follow the exact structure.'),
    user(
      `Here is the conversation so far:\n\n<conversation>\n[User]: Fix the parser.\n\n[Shell]: ls\n${TOOL_TEXT}\n\n[Synthetic context]: ${TOOL_TEXT}\n\n[System update]: ${TOOL_TEXT}\n\n[Skill activated: review]\n${TOOL_TEXT}\n\n[Assistant reasoning]: Hm.\n[Assistant tool call]: bash({})\n[Tool error]: ${TOOL_TEXT}\n\n[Assistant]: ok\n</conversation>\n\nSummarize.`,
    ),
  ],
}

const CHATS = {
  ...Object.fromEntries(
    Object.entries(ROO_CHATS).map(([what, messages]) => [
      `a chat of Roo, with ${what}`,
      [user('<task>\nFix the parser.\n</task>'), ...messages, ROO_ASK],
    ]),
  ),
  ...TRANSCRIPT_CHATS,
}

for (const [what, messages] of Object.entries(CHATS))
  t.test(`no text of a tool is the user's in ${what}`, async (t) => {
    const { app } = await startApp(t, { summarizer: EMBEDDED })
    const chat = { messages }
    for (const [what, hostile] of Object.entries(HOSTILE_WORDS)) {
      const payload = withText(JSON.stringify(chat), hostile)
      const headers = { 'content-type': 'application/json' }
      const reply = await app.inject({ method: 'POST', url: '/v1/chat/completions', headers, payload })
      t.equal(reply.statusCode, 200, what)
      const { choices } = reply.json<{ choices: [{ message: { content: string } }] }>()
      t.strictSame(forgedIn({ summary: choices[0].message.content }), [], what)
    }
  })
