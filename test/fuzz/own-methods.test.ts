import { readdirSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { isObject, parseJson } from '../../src/session/entry.ts'
import { readSettings } from '../../src/settings.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { startApp, templates } from '../support/start-app.ts'

/** Objects that no text can be made of, and that are no lists: their own fields have the names of the methods of others. */
const HOSTILE = {
  toString: 'x',
  valueOf: 1,
  toJSON: {},
  hasOwnProperty: 1,
  constructor: 1,
  length: 5e9,
  then: 1,
  join: 1,
}
const VALUES: unknown[] = [HOSTILE, ['echo', HOSTILE], { methods: HOSTILE, list: [[HOSTILE]] }]

const ROUTES = [
  '/recall?scope=all&query=x%20parser',
  '/compaction/plan?keepRecentTokens=1&include=items,prompts',
  '/compaction?keepRecentTokens=1',
  '/compaction?keepRecentTokens=1&reply=native',
  '/compaction/compare?keepRecentTokens=1',
  '/recall?scope=all&kinds=failure',
  '/handoff',
  '/prune',
  '/context',
]

const open = async (t: Test) => {
  const { app } = await startApp(t, {
    summarizer: await createSummarizer(readSettings({}), templates),
    settings: { logLevel: 'error' },
  })
  return async (url: string, payload: string): Promise<string | undefined> => {
    const isLines = /^\{[^\n]*\}\n./.test(payload)
    const headers = { 'content-type': isLines ? 'application/x-ndjson' : 'application/json' }
    const { statusCode, body } = await app.inject({ method: 'POST', url, headers, payload })
    return statusCode < 500 ? undefined : `${url}: ${statusCode} ${body.slice(0, 200)}`
  }
}

const pick = <T>(list: readonly T[], turn: number): T => list[turn % list.length]!

/** Returns copies of a value, each with the hostile value in another place; texts that are JSON are places too. */
function* changed(value: unknown, hostile: () => unknown): Generator {
  yield hostile()
  const inner = typeof value === 'string' && value.startsWith('{') ? parseJson(value) : undefined
  if (inner !== undefined) for (const one of changed(inner, hostile)) yield JSON.stringify(one)
  if (Array.isArray(value))
    for (const [at, one] of value.entries()) for (const other of changed(one, hostile)) yield value.with(at, other)
  else if (isObject(value)) {
    yield { ...value, ...HOSTILE }
    for (const [key, one] of Object.entries(value))
      for (const other of changed(one, hostile)) yield { ...value, [key]: other }
  }
}

/** Returns copies of a document, each with an object in another place. */
function* broken(document: string, hostile: () => unknown): Generator<string> {
  const lines = document.trimEnd().split('\n')
  const whole = parseJson(document)
  if (whole !== undefined) for (const one of changed(whole, hostile)) yield JSON.stringify(one)
  else
    for (const [at, line] of lines.entries())
      for (const one of changed(parseJson(line), hostile)) yield `${lines.with(at, JSON.stringify(one)).join('\n')}\n`
}

const FORMATS = new URL('../fixtures/formats/', import.meta.url)

/** A place gets one value, on one route, in turn: all of them at each place would take minutes. */
t.test('an object with fields such as toString is no fault of the service, in any place of any format', async (t) => {
  const send = await open(t)
  const faults: string[] = []
  let count = 0
  for (const name of readdirSync(FORMATS).filter((file) => /\.jsonl?$/.test(file)))
    for (const document of broken(readFileSync(new URL(name, FORMATS), 'utf8'), () => pick(VALUES, count))) {
      const fault = await send(pick(ROUTES, count), document)
      if (fault !== undefined) faults.push(`${name} ${fault}\n${document}`)
      count++
    }
  t.ok(count > 2000, `${count} requests`)
  t.same(faults.slice(0, 3), [])
})

/** Arguments of calls are what an agent and its tools like: they are shown, compared, searched and redacted by their names. */
const TOOLS = ['bash', 'edit', 'write', 'todowrite', 'mcp_x', 'question', 'apply_patch', 'TaskUpdate', 'use_mcp_tool']
const ARGUMENTS = [
  ...['command', 'cmd', 'commands', 'path', 'file_path', 'files', 'input', 'content', 'old_string', 'edits', 'todos'],
  ...['plan', 'questions', 'server_name', 'tool_name', 'taskId', 'subject', 'methods', 'url', 'query', 'toString'],
]

t.test('an object with such fields can be each argument of each kind of tool', async (t) => {
  const send = await open(t)
  const faults: string[] = []
  const calls = TOOLS.flatMap((name) =>
    ARGUMENTS.flatMap((argument) =>
      VALUES.map((value) => ({ name, arguments: JSON.stringify({ path: 'a.ts', [argument]: value }) })),
    ),
  )
  // A reply for many calls names no call: if it is a fault, each call is sent alone.
  for (const url of ROUTES)
    if ((await send(url, chatOf(calls))) !== undefined)
      for (const call of calls) {
        const fault = await send(url, chatOf([call]))
        if (fault !== undefined) faults.push(`${fault}\n${call.name} ${call.arguments}`)
      }
  t.same(faults.slice(0, 3), [])
})

const chatOf = (calls: readonly object[]): string =>
  JSON.stringify([
    { role: 'user', content: 'Fix the parser.' },
    ...calls.flatMap((call, at) => [
      { role: 'assistant', content: null, tool_calls: [{ id: `c${at}`, type: 'function', function: call }] },
      { role: 'tool', tool_call_id: `c${at}`, content: 'Error: x' },
    ]),
    { role: 'user', content: 'Now the lexer.' },
    { role: 'assistant', content: 'ok' },
  ])
