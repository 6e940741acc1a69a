import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildLocalApp } from '../../src/local-app.ts'
import { readSettings } from '../../src/settings.ts'
import type { RecordedRequest } from '../support/model-server.ts'
import { installIn, runIn } from '../support/run-in-folder.ts'
import { ANSWER, openMainModel, pathOf } from './fake-main-model.ts'

/**
 * `npm run test:clients`: the programs of examples/clients compile, and work with a service on loopback, the unmodified
 * packages of the lock file there, and an invented model for the agents. The packages are installed on demand.
 */
const CLIENTS = fileURLToPath(new URL('../../examples/clients/', import.meta.url))
const TSX = import.meta.resolve('tsx')
const TOKEN = 'token-of-the-clients-test'

/** A program of examples/clients. */
interface Example {
  file: string
  /** How many calls of a tool its model makes first. */
  toolCalls?: number
  check: (stdout: string, mainModel: readonly RecordedRequest[]) => void
}

/** The demand of the user in the example conversation: each summary must have it. */
const DEMAND = 'never touch test/calc.test.ts'

const EXAMPLES: readonly Example[] = [
  {
    file: 'openai-chat.ts',
    check: (stdout) => {
      const [model, whole, streamed] = stdout.split(/^(?:Whole|Streamed):\n/m)
      assert.equal(model, 'Model: embedded\n')
      checkSummary(whole)
      assert.equal(streamed, whole)
    },
  },
  {
    file: 'openai-responses.ts',
    check: (stdout) => {
      const [, whole, streamed, messages, compaction] = stdout.split(
        /^(?:Whole:|Streamed:|Compacted to messages:|Compacted to items:)\n/m,
      )
      checkSummary(whole)
      assert.equal(streamed, whole)
      checkSummary(messages)
      assert.deepEqual(typesOf(messages), ['message', 'message', 'message'])
      assert.deepEqual(typesOf(compaction), ['message', 'message', 'compaction'])
    },
  },
  {
    file: 'anthropic-messages.ts',
    check: (stdout) => {
      const [stop, whole, streamed, ...updated] = stdout.split(/^(?:Whole, stopped by|Streamed:\n|Updated:\n)/m)
      assert.equal(stop, '')
      const [reason, ...summary] = (whole ?? '').split(':\n')
      assert.equal(reason, ' compaction')
      assert.equal(streamed, summary.join(':\n'))
      assert.equal(updated.length, 2)
      assert.equal(updated[1], updated[0])
      for (const text of [streamed, ...updated]) checkSummary(text)
      assert.match(updated[0] ?? '', /Newest request:\nNow add sub\(\)\./)
    },
  },
  {
    file: 'ai-sdk-chat.ts',
    check: (stdout) => {
      const [, ...texts] = stdout.split(/^(?:Whole|Streamed), .*:\n/m)
      assert.equal(texts.length, 6)
      for (const text of texts) assert.equal(text, texts[0])
      checkSummary(texts[0])
    },
  },
  {
    file: 'ai-sdk-prepare-step.ts',
    toolCalls: 8,
    check: (stdout, mainModel) => {
      assert.equal(stdout, `${ANSWER}\n9 steps\n`)
      const inputs = mainModel.map(({ body }) => JSON.stringify(body['input']))
      for (const input of inputs) assert.ok(input.length / 4 < 4000, `${input.length} characters`)
      const last = inputs.at(-1) ?? ''
      assert.match(last, /<summary>.*Never change a file/)
      // The newest result is there as it was; of the oldest, only what the summary says.
      assert.ok(last.includes(`// ${pathOf(7)}\\n`) && !last.includes(`// ${pathOf(0)}\\n`))
      // No call without its result, no result without its call: OpenAI refuses both.
      for (const { body } of mainModel) assert.deepEqual(callsOf(body, 'function_call_output'), callsOf(body))
    },
  },
  {
    file: 'ai-sdk-ui-messages.ts',
    check: (stdout) => {
      const [summary, answer, model, ...others] = stdout.trim().split('\n')
      assert.deepEqual([summary, answer], ['user: text', 'assistant: step-start, dynamic-tool'])
      assert.deepEqual(others, [])
      const messages = JSON.parse(model ?? '') as { role: string; content: object[] }[]
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant', 'tool'],
      )
      checkSummary(JSON.stringify(messages[0]))
      assert.ok(JSON.stringify(messages[2]).includes('call-src/b.ts'))
    },
  },
  {
    file: 'langchain.ts',
    check: (stdout, mainModel) => {
      assert.match(stdout, /^\[human\] Here is a summary of the conversation to date:/)
      checkSummary(stdout)
      assert.ok(stdout.endsWith(`[human] Write that into the changelog.\n[ai] ${ANSWER}\n`))
      assert.equal(mainModel.length, 1)
      assert.equal((mainModel[0]?.body['messages'] as unknown[]).length, 2)
    },
  },
  {
    file: 'agents-sdk.ts',
    check: (stdout, mainModel) => {
      const items = JSON.parse(stdout) as { role?: string; type?: string; content: { text: string }[] }[]
      assert.ok(items.every(({ type }) => type === 'message'))
      assert.ok(items.some(({ content }) => content.some(({ text }) => text.startsWith('Summary of the earlier'))))
      // The model of the agent reads the summary as a plain message: three turns, one compaction, one more turn.
      assert.equal(mainModel.length, 4)
      checkSummary(JSON.stringify(mainModel[3]?.body['input']))
    },
  },
]

function checkSummary(text: string | undefined): void {
  assert.ok(text?.includes('## Goal') && text.includes(DEMAND), `no summary: ${text ?? ''}`)
}

const typesOf = (json: string | undefined): unknown[] =>
  (JSON.parse(json ?? '') as { type: unknown }[]).map(({ type }) => type)

function callsOf({ input }: Record<string, unknown>, type = 'function_call'): unknown[] {
  const items = input as { type?: string; call_id?: string }[]
  return items.filter((item) => item.type === type).map((item) => item.call_id)
}

await main()

async function main(): Promise<void> {
  await installIn(CLIENTS)
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
  const config = readSettings({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', PRECIS_TOKENS: TOKEN })
  const app = await buildLocalApp(config)
  const url = await app.listen({ host: config.host, port: 0 })
  try {
    const compiled = runIn(CLIENTS, [process.execPath, tsc, '--project', 'tsconfig.json'])
    await Promise.all([compiled, checkLiteLlm(url), ...EXAMPLES.map((example) => runExample(example, url))])
  } finally {
    await app.close()
  }
  process.stdout.write(`The ${EXAMPLES.length} programs of examples/clients work with unmodified packages.\n`)
}

async function runExample({ file, toolCalls = 0, check }: Example, url: string): Promise<void> {
  const mainModel = await openMainModel(toolCalls)
  const env = {
    COMPACTION_URL: url,
    COMPACTION_TOKEN: TOKEN,
    OPENAI_BASE_URL: mainModel.url,
    OPENAI_API_KEY: 'key-of-the-main-model',
    // No traces: this test calls loopback only.
    OPENAI_AGENTS_DISABLE_TRACING: '1',
    LANGSMITH_TRACING: 'false',
  }
  try {
    const stdout = await runIn(CLIENTS, [process.execPath, '--import', TSX, file], { env })
    check(stdout, mainModel.requests)
  } catch (cause) {
    throw new Error(`examples/clients/${file} does not work.`, { cause })
  } finally {
    await mainModel.close()
  }
}

/** A request as LiteLLM writes it gets its tags: without them, LiteLLM does nothing. The fixture is invented. */
async function checkLiteLlm(url: string): Promise<void> {
  const body = readFileSync(new URL('../fixtures/chat-compactions/litellm.json', import.meta.url))
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` }
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
  assert.match(choices[0]?.message.content ?? '', /^<summary>\n?[^]*Only Python 3[^]*<\/summary>$/)
}
