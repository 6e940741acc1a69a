/** What one turn of an agent had: what the user asked, a command, its output, and the answer. */
export interface Turn {
  /** Empty if the last compaction has summarized it. */
  request: string
  command: string
  output: string
  answer: string
}

/** Returns a turn; the last one of a round is not answered yet. */
export const turnOf = (turn: number): Turn => ({
  request: `REQ-${turn} change src/m${turn}.ts so that it checks its limit.${turn === 1 ? ' Never touch vendor/.' : ''}`,
  command: `npm test -- m${turn}`,
  output: `m${turn}: 12 passed`,
  answer: `OUT-${turn} src/m${turn}.ts checks its limit now.`,
})

/** What a client sends in one round, and how it keeps the summary for the next one. */
export interface RoundClient {
  url: string
  headers?: Record<string, string>
  /**
   * Returns the body of a request.
   * @param summary what the client has stored of the reply to its last request
   * @param turns those since then
   * @param open the newest request, which has no answer yet
   */
  body: (summary: string | undefined, turns: readonly Turn[], open: string) => unknown
  /** Returns what the client stores of a reply. */
  store: (reply: never) => string
  /** Requests that the reply has word for word, beside the summary. */
  kept?: (reply: never) => string
  /** Whether the newest request stays beside the summary. */
  keepsOpen?: boolean
  /** Whether code adds nothing to the summary: the client does. */
  isBare?: boolean
  /** Whether the client shortens its summary itself. */
  isCut?: boolean
}

type ChatReply = { choices: [{ message: { content: string } }] }

const chat = (messages: unknown[], more: object = {}) => ({ model: 'm', messages, ...more })
const contentOf = (reply: ChatReply): string => reply.choices[0].message.content
const insideSummary = (reply: ChatReply): string =>
  /<summary>([^]*)<\/summary>/.exec(contentOf(reply))?.[1]?.trim() ?? 'no tags'

const user = (content: string) => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content })
const system = (content: string) => ({ role: 'system', content })
const text = (words: string) => ({ type: 'text', text: words })

/** Turns as messages of OpenAI's chat API. */
const chatTurns = (turns: readonly Turn[]): unknown[] =>
  turns.flatMap(({ request, command, output, answer }, index) => {
    const call = {
      id: `c${index}`,
      type: 'function',
      function: { name: 'bash', arguments: JSON.stringify({ command }) },
    }
    const result = { role: 'tool', tool_call_id: `c${index}`, content: output }
    return [
      ...(request === '' ? [] : [user(request)]),
      { role: 'assistant', content: null, tool_calls: [call] },
      result,
      assistant(answer),
    ]
  })

/** Turns as a transcript, in the labels of a client. Each turn begins with the line of its request. */
const transcript = (turns: readonly Turn[], write: (turn: Turn) => string[], between: string): string =>
  linesOf(turns, write).join(between)

const linesOf = (turns: readonly Turn[], write: (turn: Turn) => string[]): string[] =>
  turns.flatMap((turn) => write(turn).slice(turn.request === '' ? 1 : 0))

const AGENT = 'You are a coding agent. SYSTEM-PROMPT: use the tools, and be brief.'

/** Cline 3.0.65, `buildSummaryRequest` and `ensureFilesSection`. */
const CLINE: RoundClient = {
  url: '/v1/chat/completions',
  body: (summary, turns, open) => {
    const lines = transcript(
      turns,
      ({ request, command, output, answer }) => [
        `[User]: <user_input mode="act">${request}</user_input>`,
        `[Bot tool calls]: run_commands(commands=[${JSON.stringify(command)}])`,
        `[Tool result]: ${output}`,
        `[Bot]: ${answer}`,
      ],
      '\n\n',
    )
    const template =
      'Summarize this session for continuation. Be concise and factual.\n\n## Goal\nOne sentence: what is being built or fixed.\n\n## State\n- Done: completed steps\n- In Progress: current work\n- Blocked: blockers or open questions\n\n## Highlights\nKey technical choices or notable findings (omit if none).\n\n## Next\nImmediate next steps.\n\n## Files\nRead: none\nEdited: none'
    const previous = summary === undefined ? '' : `\n\nPrevious summary:\n${summary}`
    const prompt = `${template}${previous}\n\nConversation:\n${lines}\n\n[User]: <user_input mode="act">${open}</user_input>`
    const role = 'Summarize the provided coding session into a concise continuation note with detailed next steps.'
    return chat([system(role), user(prompt)], { max_tokens: 8192 })
  },
  store: (reply: ChatReply) => {
    const text = contentOf(reply).trim()
    return /^## Files$/im.test(text) ? text : `${text}\n\n## Files\nRead:\n- none\nModified:\n- none`
  },
}

const humanTurns = (turns: readonly Turn[], open: string): string =>
  [
    ...linesOf(turns, ({ request, output, answer }) => [`Human: ${request}`, `Tool: ${output}`, `AI: ${answer}`]),
    `Human: ${open}`,
  ].join('\n')

/** LangChain 1.5.14, `summarizationMiddleware`. */
const LANGCHAIN: RoundClient = {
  url: '/v1/chat/completions',
  body: (summary, turns, open) => {
    const first = summary === undefined ? '' : `Human: Here is a summary of the conversation to date:\n\n${summary}\n`
    const prompt = `<role>\nContext Extraction Assistant\n</role>\n\n<instructions>\nExtract the most important context.\n</instructions>\n\n<messages>\nMessages to summarize:\n${first}${humanTurns(turns, open)}\n</messages>`
    return chat([user(prompt)])
  },
  store: contentOf,
}

/** deepagents 1.14.1, `createSummarizationMiddleware` with a backend. */
const DEEPAGENTS: RoundClient = {
  url: '/v1/chat/completions',
  body: (summary, turns, open) => {
    const first =
      summary === undefined
        ? ''
        : `Human: You are in the middle of a conversation that has been summarized.\n\nThe full conversation history has been saved to /conversation_history/1.md should you need to refer back to it for details.\n\nA condensed summary follows:\n\n<summary>\n${summary}\n</summary>\n`
    const prompt = `You are a conversation summarizer. Your task is to create a concise summary of the conversation that captures:\n1. The main topics discussed\n2. Key decisions or conclusions reached\n\nConversation to summarize:\n${first}${humanTurns(turns, open)}\n\nSummary:`
    return chat([user(prompt)])
  },
  store: contentOf,
}

const OPENHANDS_HEAD =
  'You are maintaining a context-aware state summary for an interactive agent. You will be given a list of events.\n\nTrack:\n\nUSER_CONTEXT: (requirements)\nCOMPLETED: (tasks)\nPENDING: (tasks)\n'

/** OpenHands before version 1: the summary stands before the events. */
const OPENHANDS_0: RoundClient = {
  url: '/v1/chat/completions',
  body: (summary = 'No events summarized', turns, open) => {
    const events = [
      ...linesOf(turns, ({ request, command, output, answer }) => [
        `**MessageAction** (source=EventSource.USER)\nCONTENT: ${request}`,
        `**CmdRunAction (source=EventSource.AGENT, is_input=False)**\nCOMMAND:\n${command}`,
        `**CmdOutputObservation (source=EventSource.AGENT, exit code=0)**\n--BEGIN AGENT OBSERVATION--\n${output}\n--END AGENT OBSERVATION--`,
        `**MessageAction** (source=EventSource.AGENT)\nCONTENT: ${answer}`,
      ]),
      `**MessageAction** (source=EventSource.USER)\nCONTENT: ${open}`,
    ]
    const list = events.map((text, index) => `<EVENT id=${index}>\n${text}\n</EVENT>`).join('\n')
    const prompt = `${OPENHANDS_HEAD}\n<PREVIOUS SUMMARY>\n${summary}\n</PREVIOUS SUMMARY>\n\n${list}\n\nNow summarize the events using the rules above.`
    return chat([user(prompt)])
  },
  store: contentOf,
}

/** OpenHands 1 (`summarizing_prompt.j2`): the summary is an event, of which it sends 497 characters. */
const OPENHANDS_1: RoundClient = {
  url: '/v1/chat/completions',
  isCut: true,
  body: (summary, turns, open) => {
    const events = [
      ...(summary === undefined ? [] : [`CondensationSummaryEvent (environment)\n  user: ${summary.slice(0, 497)}...`]),
      ...linesOf(turns, ({ request, output, answer }) => [
        `MessageEvent (user)\n  user: ${request}`,
        `ActionEvent (agent)\n  Thought: I run the tests.\n  Action: TerminalAction`,
        `ObservationEvent (environment)\n  Tool: terminal\n  Result: ${output}`,
        `MessageEvent (agent)\n  assistant: ${answer}`,
      ]),
      `MessageEvent (user)\n  user: ${open}`,
    ]
    const list = events.map((text) => `\n<EVENT>\n${text}\n</EVENT>\n`).join('')
    return chat([user(`${OPENHANDS_HEAD}${list}\n\nNow summarize the events using the rules above.`)])
  },
  store: contentOf,
}

/** Aider 0.86, `ChatSummary.summarize_all`. */
const AIDER: RoundClient = {
  url: '/v1/chat/completions',
  body: (summary, turns, open) => {
    const prefix = 'I spoke to you previously about a number of things.\n'
    const messages: [role: string, content: string][] = [
      ...(summary === undefined
        ? []
        : ([
            ['USER', prefix + summary],
            ['ASSISTANT', 'Ok.'],
          ] as [string, string][])),
      ...turns.flatMap(({ request, answer }): [string, string][] => [
        ...(request === '' ? [] : ([['USER', request]] as [string, string][])),
        ['ASSISTANT', answer],
      ]),
      ['USER', open],
    ]
    const text = messages.map(([role, content]) => `# ${role}\n${content}\n`).join('')
    const prompt =
      '*Briefly* summarize this partial conversation about programming.\nInclude less detail about older parts.\nStart the summary with "I asked you...".'
    return chat([system(prompt), user(text)])
  },
  store: contentOf,
}

/** Letta 0.16: `format_transcript`, and the packaged summary. */
const LETTA: RoundClient = {
  url: '/v1/chat/completions',
  body: (summary, turns, open) => {
    const message = `Note: prior messages have been hidden from view due to conversation memory constraints.\nThe following is a summary of the previous messages:\n ${summary}`
    const lines = [
      ...(summary === undefined ? [] : [`user: ${JSON.stringify({ type: 'system_alert', message, time: 'now' })}`]),
      ...linesOf(turns, ({ request, output, answer }) => [
        `user: ${request}`,
        `tool: ${output}`,
        `assistant: ${answer}`,
      ]),
      `user: ${open}`,
    ]
    const prompt = 'Your job is to summarize a history of previous messages in a conversation. Only output the summary.'
    return chat([system(prompt), assistant('Understood.'), user(lines.join('\n'))])
  },
  store: contentOf,
}

const PARTIAL =
  'You have written a partial transcript for the initial task above. Please write a summary of the transcript. You must wrap your summary in a <summary></summary> block.'

/** LiteLLM 1.92, `compact_20260112`: the summary stands before the system prompt of the caller. */
const LITELLM: RoundClient = {
  url: '/v1/chat/completions',
  body: (summary, turns, open) => {
    const prefix = summary === undefined ? '' : `Previous conversation summary: ${summary}\n\n`
    return chat([system(prefix + AGENT), ...chatTurns(turns), user(`${open}\n\n${PARTIAL}`)], { max_tokens: 4096 })
  },
  store: insideSummary,
}

/**
 * Returns a client that sends its chat, with a message at the end that asks for the summary.
 * @param before returns what stands before the turns
 */
const askingClient = (
  before: (summary: string | undefined, turns: readonly Turn[]) => unknown[],
  ask: string,
  store: RoundClient['store'] = contentOf,
): RoundClient => ({
  url: '/v1/chat/completions',
  body: (summary, turns, open) => chat([...before(summary, turns), ...chatTurns(turns), user(open), user(ask)]),
  store,
})

/** Codex 0.169 with a provider of another name: the messages of the user stay before the summary. */
const CODEX_LOCAL = askingClient((summary, turns) => {
  if (summary === undefined) return [system(AGENT)]
  const lead =
    'Another language model started to solve this problem and produced a summary of its thinking process. Use it to assist with your own analysis:'
  const first = Number(/OUT-(\d+)/.exec(turns[0]?.answer ?? '')?.[1])
  const kept = Array.from({ length: first }, (_, index) => user(turnOf(index + 1).request))
  return [system(AGENT), ...kept, user(`${lead}\n${summary}`)]
}, 'You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another model.')

/** Claude Code 2.1.330, whose gateway translates its requests. */
const CLAUDE_CODE = askingClient(
  (summary) => {
    const first = `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\nSummary:\n${summary}\n\nIf you need specific details from before compaction (like exact code snippets), read the full transcript at: /home/user/s.jsonl\nContinue the conversation from where it left off without asking the user any further questions.`
    return [system(AGENT), ...(summary === undefined ? [] : [user(first)])]
  },
  'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nThink in <analysis> tags first. Then write the summary in <summary> tags, with these sections:\n\n1. Primary Request: what the user wants\n2. Files: what was changed\n3. Current Work: what was done last',
  insideSummary,
)

/** Qwen Code 0.24 and Gemini CLI 0.61. */
const QWEN = askingClient(
  (summary) => [
    system('You are the component that summarizes internal chat history into a given structure: a <state_snapshot>.'),
    ...(summary === undefined ? [] : [user(summary), assistant('Got it. Thanks for the additional context!')]),
  ],
  'First, reason in your scratchpad. Then, generate the <state_snapshot>.',
)

/** Roo 3.36: the first message stays, and the summary is an answer of the model. */
const ROO = askingClient(
  (summary) => [
    system('Your task is to create a detailed summary of the conversation so far, for the agent that goes on with it.'),
    ...(summary === undefined ? [] : [user(turnOf(1).request), assistant(summary)]),
  ],
  'Summarize the conversation so far, as described in the prompt instructions.',
)

const ENVIRONMENT = '<environment_details>\n# VSCode Open Tabs\nsrc/a.ts\n</environment_details>'
const roosTags = (words: string): string => `<user_message>\n${words}\n</user_message>`

/** Roo with native calls: the agent ends its turn by a call, and the next message of the user is in the result of the call. */
const ROO_NATIVE: RoundClient = {
  url: '/v1/chat/completions',
  body: (summary, turns, open) => {
    const calling = (id: string, name: string, values: object) => ({
      ...{ role: 'assistant', content: null },
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(values) } }],
    })
    const next = [...turns.slice(1).map(({ request }) => request), open]
    const { request: first = '' } = turns[0] ?? {}
    return chat([
      system(
        'Your task is to create a detailed summary of the conversation so far, for the agent that goes on with it.',
      ),
      ...(summary === undefined ? [] : [user(`<task>\n${turnOf(1).request}\n</task>`), assistant(summary)]),
      ...(first === '' ? [] : [{ role: 'user', content: [text(roosTags(first)), text(ENVIRONMENT)] }]),
      ...turns.flatMap(({ command, output, answer }, index) => [
        calling(`c${index}`, 'execute_command', { command }),
        { role: 'tool', tool_call_id: `c${index}`, content: output },
        user(ENVIRONMENT),
        calling(`d${index}`, 'attempt_completion', { result: answer }),
        { role: 'tool', tool_call_id: `d${index}`, content: roosTags(next[index] ?? '') },
        user(ENVIRONMENT),
      ]),
      user('Summarize the conversation so far, as described in the prompt instructions.'),
    ])
  },
  store: contentOf,
}

/** Roo since 3.47: the summary is the first message, and calls and results are texts. */
const ROO_TEXTS: RoundClient = {
  url: '/v1/chat/completions',
  body: (summary, turns, open) => {
    const next = [...turns.slice(1).map(({ request }) => request), open]
    const { request: first = '' } = turns[0] ?? {}
    return chat([
      system(
        'You are a helpful AI assistant tasked with summarizing conversations.\n\nCRITICAL: This is a summarization-only request. DO NOT call any tools or functions.',
      ),
      ...(summary === undefined
        ? []
        : [
            {
              role: 'user',
              content: [
                text(`## Conversation Summary\n${summary}`),
                text('<system-reminder>\n## File Context: src/a.ts\nclass A\n</system-reminder>'),
                text(ENVIRONMENT),
              ],
            },
          ]),
      ...(first === '' ? [] : [{ role: 'user', content: [text(roosTags(first)), text(ENVIRONMENT)] }]),
      ...turns.flatMap(({ command, output, answer }, index) => [
        assistant(`I run it.\n[Tool Use: execute_command]\ncommand: ${command}`),
        { role: 'user', content: [text(`[Tool Result]\n${output}`), text(ENVIRONMENT)] },
        assistant(`[Tool Use: attempt_completion]\nresult: ${answer}`),
        { role: 'user', content: [text(`[Tool Result]\n${roosTags(next[index] ?? '')}`), text(ENVIRONMENT)] },
      ]),
      user(
        "Your task is to create a detailed summary of the conversation so far, paying close attention to the user's explicit requests.",
      ),
    ])
  },
  store: contentOf,
}

const OPENCODE_TEMPLATE =
  'Output exactly the Markdown structure shown inside <template>.\n<template>\n## Objective\n- [what the user wants]\n\n## Important Details\n- [facts]\n\n## Work State\n- [state]\n\n## Next Move\n1. [action]\n</template>'

const writeOpencodeTurn = ({ request, command, output, answer }: Turn): string[] => [
  `[User]: ${request}\n`,
  `[Assistant tool call]: bash(${JSON.stringify({ command })})\n[Tool result]: ${output}\n`,
  `[Assistant]: ${answer}\n`,
]

/** opencode 1.18.33. */
const OPENCODE: RoundClient = {
  url: '/v1/chat/completions',
  body: (summary, turns, open) => {
    const lines = transcript(turns, writeOpencodeTurn, '\n')
    const prior =
      summary === undefined
        ? ''
        : `Here is the summary of the conversation before the <conversation> above:\n\n<prior-summary>\n${summary}\n</prior-summary>\n\nThe <prior-summary> is discarded after this.\n\n`
    const prompt = `Here is the conversation so far:\n\n<conversation>\n${lines}\n[User]: ${open}\n</conversation>\n\n${prior}${OPENCODE_TEMPLATE}`
    return chat([system('You are a context summarization agent. Follow the exact structure.'), user(prompt)])
  },
  store: contentOf,
}

/** opencode 2.0.23: its checkpoint has the summary, and as text the messages that it has not summarized. */
const OPENCODE_2: RoundClient = {
  url: '/v1/chat/completions',
  body: (summary, turns, open) => {
    const recent = transcript(turns, writeOpencodeTurn, '\n')
    const checkpoint = `<conversation-checkpoint>\nThe following is a summary and serialized record of earlier conversation.\n\n<summary>\n${summary}\n</summary>\n\n<recent-context>\n${recent}\n</recent-context>\n</conversation-checkpoint>`
    const ask =
      summary === undefined
        ? 'You MUST summarize the conversation above into a structured summary that will be given to another agent to resume the work.'
        : 'Update the existing checkpoint in the conversation above into one consolidated summary.\n\nDo not reproduce the `<conversation-checkpoint>`, `<summary>`, or `<recent-context>` wrapper tags from the previous checkpoint.'
    const words = user(`${ask}\n\n${OPENCODE_TEMPLATE}`)
    // The turns since the last compaction are those that it has kept as text.
    const sent = summary === undefined ? chatTurns(turns) : [user(checkpoint)]
    return chat([system('You are opencode.'), ...sent, user(open), words])
  },
  store: contentOf,
}

/** An unknown program, with words of its own around the summary. */
const UNKNOWN = askingClient(
  (summary) => (summary === undefined ? [] : [user(`Summary of our conversation so far:\n${summary}`)]),
  'Summarize our conversation, so that you can go on from it.',
)

/** Turns as a transcript in our labels, after the message with the last summary. */
const summaryThenTurns = (
  lead: string,
  { summary, turns, open }: { summary: string | undefined; turns: readonly Turn[]; open: string },
): string => {
  const lines = transcript(turns, ({ request, answer }) => [`[User]: ${request}`, `[Assistant]: ${answer}`], '\n\n')
  const first = summary === undefined ? '' : `[User]: ${lead}${summary}\n\n`
  return `${first}${lines}\n\n[User]: ${open}`
}

/** A program whose transcript has a summary in it, with labels in brackets. */
const UNKNOWN_TRANSCRIPT: RoundClient = {
  url: '/v1/chat/completions',
  headers: { 'x-precis-pipeline': 'on' },
  body: (summary, turns, open) => {
    const text = summaryThenTurns('Context summary:\n\n', { summary, turns, open })
    return chat([user(text.replaceAll('[Assistant]:', '[Bot]:'))])
  },
  store: contentOf,
}

/** A program that sends its transcript with the summary in it, whose heading stands on the line of the label. */
const CONVERSATION_WITH_SUMMARY: RoundClient = {
  url: '/compaction',
  body: (summary, turns, open) => ({
    conversation: summaryThenTurns('Conversation summary: ', { summary, turns, open }),
  }),
  store: ({ summary }: { summary: string }) => summary,
}

/** Turns as items of OpenAI's Responses API. */
const itemTurns = (turns: readonly Turn[]): unknown[] =>
  turns.flatMap(({ request, command, output, answer }, index) => [
    ...(request === '' ? [] : [userItem(request)]),
    { type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd: command }), call_id: `c${index}` },
    {
      type: 'function_call_output',
      call_id: `c${index}`,
      output: `Chunk ID: e46562\nWall time: 0.0000 seconds\nProcess exited with code 0\nOriginal token count: 2\nOutput:\n${output}\n`,
    },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
  ])
const userItem = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })

type ItemsReply = { output: { type: string; content?: { text: string }[]; encrypted_content?: string }[] }

/** Returns the summary in the last item of a reply. */
const lastSummary = ({ output }: ItemsReply): string => {
  const { content, encrypted_content: encoded = '' } = output.at(-1) ?? { type: '' }
  if (content !== undefined) return content[0]?.text.split('\n\n').slice(1).join('\n\n') ?? ''
  return (JSON.parse(Buffer.from(encoded, 'base64url').toString()) as { summary: string }).summary
}

/** A client that stores the items of a reply, and sends them again before the new ones. */
const itemsClient = (url: string): RoundClient => {
  let stored: unknown[] = []
  return {
    url,
    body: (summary, turns, open) => ({
      model: 'gpt-5.2',
      input: [...(summary === undefined ? [] : stored), ...itemTurns(turns), userItem(open)],
    }),
    store: (reply: ItemsReply) => {
      stored = reply.output
      return lastSummary(reply)
    },
    kept: ({ output }: ItemsReply) => JSON.stringify(output.slice(0, -1)),
  }
}

/** Codex 0.169: it keeps the messages of the user itself. */
const CODEX_TRIGGER = (): RoundClient => {
  const kept: unknown[] = []
  let item: unknown
  return {
    url: '/v1/responses',
    body: (_summary, turns, open) => {
      const input = [...kept, ...(item === undefined ? [] : [item]), ...itemTurns(turns), userItem(open)]
      kept.push(...itemTurns(turns).filter((one) => (one as { role?: string }).role === 'user'), userItem(open))
      return { model: 'm', tool_choice: 'auto', input: [...input, { type: 'compaction_trigger' }] }
    },
    store: (reply: ItemsReply) => {
      item = reply.output[0]
      return lastSummary(reply)
    },
  }
}

/** Anthropic's SDK 1.12, `compactBeforeNextTurn`. */
const ANTHROPIC: RoundClient = {
  url: '/v1/messages',
  body: (summary, turns, open) => ({
    max_tokens: 4096,
    compaction: { type: 'summarize' },
    messages: [
      ...(summary === undefined
        ? []
        : [{ role: 'assistant', content: [{ type: 'compaction', content: summary, encrypted_content: null }] }]),
      ...turns.flatMap(({ request, command, output, answer }, index) => [
        ...(request === '' ? [] : [user(request)]),
        { role: 'assistant', content: [{ type: 'tool_use', id: `t${index}`, name: 'Bash', input: { command } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${index}`, content: output }] },
        assistant(answer),
      ]),
      user(open),
    ],
  }),
  store: ({ content }: { content: [{ content: string }] }) => content[0].content,
}

/** A transcript with pi's labels. */
const labelled = (turns: readonly Turn[]): string =>
  transcript(
    turns,
    ({ request, command, output, answer }) => [
      `[User]: ${request}`,
      `[Assistant tool calls]: bash(command=${JSON.stringify(command)})`,
      `[Tool result]: ${output}`,
      `[Assistant]: ${answer}`,
    ],
    '\n\n',
  )

/** oh-my-pi 18.2.3, to a path that ends in `/compaction` or in `/chat/completions`. */
const ohMyPi = (url: string): RoundClient => ({
  url,
  isBare: true,
  body: (summary, turns, open) => {
    const lines = labelled(turns)
    const previous = summary === undefined ? '' : `<previous-summary>\n${summary}\n</previous-summary>\n\n`
    const words =
      summary === undefined
        ? 'You MUST summarize the conversation above into a structured handoff summary for another LLM to resume the task.\n\nYou MUST use this format (sections can be omitted if not applicable):\n\n## Goal\n[User goals]\n\n## Progress\n\n### Done\n- [x] [Completed]'
        : 'Update existing handoff summary in <previous-summary> tags from new messages above for another LLM to resume.\n\nFormat (omit inapplicable sections):\n\n## Goal\n[Goals]\n\n## Progress\n\n### Done\n- [x] [Items]'
    const context = '<additional-context>\n- MEMORY the staging database is read-only\n</additional-context>\n\n'
    const prompt = `<conversation>\n${lines}\n\n[User]: ${open}\n</conversation>\n\n${previous}${context}${words}`
    const systemPrompt =
      'Summarize user–AI coding-assistant conversations in the exact specified structured format.\n\nOutput ONLY the structured summary.'
    if (url === '/compaction') return { systemPrompt, prompt, maxTokens: 13_107 }
    return { model: 'm', messages: [system(systemPrompt), user(prompt)], stream: false, max_tokens: 13_107 }
  },
  store: (reply: ChatReply & { summary?: string }) => reply.summary ?? contentOf(reply),
})

/** A serialized transcript, without instructions. */
const CONVERSATION: RoundClient = {
  url: '/compaction',
  body: (summary, turns, open) => ({
    conversation: `${labelled(turns)}\n\n[User]: ${open}`,
    ...(summary === undefined ? {} : { previousSummary: summary }),
  }),
  store: ({ summary }: { summary: string }) => summary,
}

/** A session of pi: the reply's line is added to the file, and the newest messages stay. */
const session = (): RoundClient => {
  const lines: object[] = [{ type: 'session', version: 3, id: 's', timestamp: '2026-11-22T10:00:00Z', cwd: '/w' }]
  let count = 0
  const add = (message: object): void => {
    const parentId = count === 0 ? null : `e${count - 1}`
    lines.push({ type: 'message', id: `e${count}`, parentId, timestamp: '2026-11-22T10:00:00Z', message })
    count += 1
  }
  return {
    url: '/compaction?keepRecentTokens=1',
    keepsOpen: true,
    headers: { 'content-type': 'application/x-ndjson' },
    body: (_summary, turns, open) => {
      for (const { request, command, output, answer } of turns) {
        if (request !== '') add(user(request))
        const call = { type: 'toolCall', id: `c${count}`, name: 'bash', arguments: { command } }
        add({ role: 'assistant', content: [call] })
        add({ role: 'toolResult', toolCallId: call.id, toolName: 'bash', content: [{ type: 'text', text: output }] })
        add({ role: 'assistant', content: [{ type: 'text', text: answer }] })
      }
      add(user(open))
      return lines.map((line) => JSON.stringify(line)).join('\n')
    },
    store: ({ summary, firstKeptEntryId }: { summary: string; firstKeptEntryId: string }) => {
      const parentId = `e${count - 1}`
      lines.push({ type: 'compaction', id: `e${count}`, parentId, summary, firstKeptEntryId, tokensBefore: 1 })
      count += 1
      return summary
    },
  }
}

/** All clients, each from its beginning. */
export const roundClients = (): Record<string, RoundClient> => ({
  Cline: CLINE,
  LangChain: LANGCHAIN,
  deepagents: DEEPAGENTS,
  'OpenHands 0': OPENHANDS_0,
  'OpenHands 1': OPENHANDS_1,
  Aider: AIDER,
  Letta: LETTA,
  LiteLLM: LITELLM,
  'Codex, locally': CODEX_LOCAL,
  'Codex, by a trigger': CODEX_TRIGGER(),
  'Claude Code': CLAUDE_CODE,
  'Qwen Code': QWEN,
  Roo: ROO,
  'Roo with native calls': ROO_NATIVE,
  'Roo with calls as texts': ROO_TEXTS,
  opencode: OPENCODE,
  'opencode 2': OPENCODE_2,
  'an unknown program': UNKNOWN,
  'an unknown transcript': UNKNOWN_TRANSCRIPT,
  'responses/compact': itemsClient('/v1/responses/compact'),
  'messages/v1/responses/compact': itemsClient('/messages/v1/responses/compact'),
  'Anthropic’s SDK': ANTHROPIC,
  'oh-my-pi': ohMyPi('/compaction'),
  'oh-my-pi, as a chat': ohMyPi('/v1/chat/completions'),
  'a conversation': CONVERSATION,
  'a conversation with its summary': CONVERSATION_WITH_SUMMARY,
  'a session of pi': session(),
})
