import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { compact } from '../../src/cli/compact.ts'
import { list } from '../../src/cli/list.ts'
import { plan } from '../../src/cli/plan.ts'
import { addUsage } from '../support/add-usage.ts'
import { largeSession, writeOld } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

/** Sessions that are appended to, and one that is replaced (Roo Code). */
const AGENTS: [agent: string, file: string, format: string][] = [
  ['Claude Code', '.claude/projects/-p/0199c0de-0000-7000-8000-000000000001.jsonl', 'claude-code'],
  [
    'Codex',
    '.codex/sessions/2026/11/22/rollout-2026-11-22T01-02-03-0199c0de-0000-7000-8000-000000000002.jsonl',
    'codex',
  ],
  ['Gemini CLI', '.gemini/tmp/p/chats/session-2026-11-22.jsonl', 'gemini'],
  ['pi', '.pi/agent/sessions/--p--/2026_0199c0de-0000-7000-8000-000000000005.jsonl', 'pi'],
  [
    'Roo Code',
    '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/task8/api_conversation_history.json',
    'cline-legacy',
  ],
  ['Qwen Code', '.qwen/projects/-p/chats/0199c0de-0000-7000-8000-000000000009.jsonl', 'qwen'],
]

const number = (tokens: number): string => tokens.toLocaleString('en-US')

const withUsage = (format: string, isLines: boolean, tokens: number | (() => number) = 90_000): string => {
  const document = largeSession(format)
  return addUsage(isLines ? `${document.trim()}\n` : document, tokens)
}

/** Each answer has so many tokens more than the one before that the provider must count in another way than we do. */
function withGrowingUsage(format: string, isLines: boolean): string {
  let tokens = 40_000
  return withUsage(format, isLines, () => (tokens += 20_000))
}

/** Runs a command in this process: a test of several agents would start some twenty of them. */
async function run(command: typeof plan, argument: string, { home, ...values }: Record<string, string | boolean>) {
  const out = { data: '', lines: [] as string[] }
  const terminal = {
    print: async (data: string | Uint8Array) => void (out.data += String(data)),
    printJson: async (value: unknown) => void (out.data += JSON.stringify(value)),
    printDocument: async (data: Uint8Array) => void (out.data += String(data)),
    say: (line: string) => void out.lines.push(line),
    show: () => undefined,
    screen: () => undefined,
    paint: (_colour: string, text: string) => text,
  }
  const machine = { env: {}, home: String(home), folder: String(home) }
  await command(values, [argument], {
    ...machine,
    terminal,
    stdin: Readable.from([]),
    command: 'precis',
    self: ['precis'],
    given: values,
  })
  return out
}

interface Row {
  agent: string
  tokens: number
  messageTokens: number
  tokensOutside: number
}

/** Returns the rows of `precis list`: as JSON, and with the cells of its table. */
async function listAll(home: string) {
  const rows = JSON.parse((await run(list, '', { home, json: true })).data) as Row[]
  const lines = (await run(list, '', { home })).data.split('\n').slice(1)
  return rows.map((row, index) => ({ ...row, cells: lines[index]?.match(/(\S+) +(\S+) +(?:none|compact) /)?.slice(1) }))
}

/** Plans a session, writes a compaction into it, and plans it again. Returns the sizes that are printed. */
async function describe(path: string, home: string) {
  const sizesOf = async () => {
    const { data } = await run(plan, path, { home })
    return { context: /^Context +(.*)$/m.exec(data)?.[1], total: /^In all +(.*?) tokens, /m.exec(data)?.[1] }
  }
  const planned = await sizesOf()
  const { lines } = await run(compact, path, { home, write: true, keep: '1' })
  const context = /^(.*?) \(\d+ % less\)\. Written by/.exec(lines[0] ?? '')?.[1]
  const total = /^In all, as the provider counts \(.*\): (.*?) tokens/.exec(lines[1] ?? '')?.[1]
  return [planned, { context, total }, await sizesOf()]
}

/** Checks that a session of each agent has the same figures everywhere. @returns what is outside the messages of each */
async function compareFigures(t: Test, agents: typeof AGENTS, read: (format: string, isLines: boolean) => string) {
  const home = folderOf(t)
  for (const [, file, format] of agents) writeOld(join(home, file), read(format, file.endsWith('.jsonl')))
  const before = await listAll(home)
  const printed = new Map<string, unknown>()
  for (const [agent, file] of agents) printed.set(agent, await describe(join(home, file), home))
  const after = await listAll(home)
  for (const [agent] of agents) {
    const [old, now] = [before, after].map((rows) => rows.find((row) => row.agent === agent))
    if (old === undefined || now === undefined) throw new Error(`${agent} is not listed`)
    const [was, is] = [number(old.messageTokens), number(now.messageTokens)]
    const [outside, outsideAfter] = [number(old.tokensOutside), number(now.tokensOutside)]
    t.ok(old.messageTokens > now.messageTokens && now.messageTokens > 0, `${agent}: ${was} -> ${is}`)
    t.same([old.tokens, now.tokens], [old.messageTokens + old.tokensOutside, now.messageTokens + now.tokensOutside])
    const [tail, tailAfter] = [old, now].map(({ tokensOutside: tokens }) =>
      tokens > 0 ? ` + about ${number(tokens)} more by the provider's count` : '',
    )
    const [total, totalAfter] = [old, now].map(({ tokens }) => (tail === '' ? undefined : number(tokens)))
    t.same(printed.get(agent), [
      { context: `${was} tokens in messages${tail}`, total },
      { context: `${was} -> ${is} tokens in messages`, total: total && `${total} -> about ${totalAfter}` },
      { context: `${is} tokens in messages${tailAfter}`, total: totalAfter && `about ${totalAfter}` },
    ])
    t.same(
      [old.cells, now.cells],
      [
        [was, tail === '' ? '-' : outside],
        [is, tailAfter === '' ? '-' : outsideAfter],
      ],
    )
  }
  return [before, after].map((rows) =>
    agents.map(([agent]) => rows.find((row) => row.agent === agent)?.tokensOutside ?? 0),
  )
}

t.test('plan, compact and list show the same tokens for a session, before and after it is written back', async (t) => {
  const [before = [], after] = await compareFigures(t, AGENTS, withUsage)
  for (const tokens of before) t.ok(tokens > 50_000)
  t.same(after, before, 'what is outside stays, if the provider counts as we do')
})

t.test(
  'they do so where the provider counts more tokens than we do: what is replaced takes its share away',
  async (t) => {
    const agents = AGENTS.filter(([, , format]) => format === 'claude-code' || format === 'codex')
    const [before = [], after = []] = await compareFigures(t, agents, withGrowingUsage)
    t.ok(after.every((tokens, index) => tokens > 0 && tokens < (before[index] ?? 0)))
  },
)

t.test('a session without usage has nothing outside its messages', async (t) => {
  const agents = AGENTS.filter(([, , format]) => format === 'gemini')
  t.same(await compareFigures(t, agents, (format) => largeSession(format)), [[0], [0]])
})

t.test(
  'plan shows what compact has shown, also if the summary has tags of the agent, at the second compaction too',
  async (t) => {
    const home = folderOf(t)
    const [, file = ''] = AGENTS[0] ?? []
    const path = join(home, file)
    const line = (role: string, content: string, index: number) => ({
      ...{ sessionId: 's1', version: '2.1.330', cwd: '/p', isSidechain: false, timestamp: '2026-11-22T10:00:00.000Z' },
      ...{
        type: role,
        uuid: `u${index}`,
        parentUuid: index === 0 ? null : `u${index - 1}`,
        message: { role, content },
      },
    })
    const texts = [0, 1, 2, 3, 4, 5].map((turn) => [
      `Explain the tag <system-reminder> of the agent, part ${turn}. ${'Leave nothing out of it. '.repeat(40)}`,
      `The tags <system-reminder>, <task-notification> and <command-name> are control tags. ${'They count. '.repeat(1000)}`,
    ])
    const lines = texts.flat().map((text, index) => line(index % 2 === 0 ? 'user' : 'assistant', text, index))
    writeOld(path, `${lines.map((one) => JSON.stringify(one)).join('\n')}\n`)
    for (const keep of ['9000', '1']) {
      const { lines: said } = await run(compact, path, { home, write: true, keep })
      utimesSync(path, 0, 0)
      const shown = /-> ([\d,]+) tokens in messages/.exec(said[0] ?? '')?.[1]
      t.match((await run(plan, path, { home })).data, `Context   ${shown} tokens in messages`)
    }
  },
)
