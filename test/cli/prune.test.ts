import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { EXAMPLE, largeSession, runCli, writeOld } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

const OUTPUT = 'A line of the output. '.repeat(200)
const NOTICE = /^\[Output truncated - \d+ tokens\]$/

const lines = (...values: object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** A session of Claude Code whose second line has two outputs. */
const CLAUDE = (() => {
  const line = (uuid: string, parentUuid: string | null, type: string, content: unknown) => ({
    ...{ uuid, parentUuid, type, sessionId: 's1', isSidechain: false, cwd: '/p', timestamp: '2026-11-22T01:02:03Z' },
    message: { role: type, content },
  })
  const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } })
  const result = (id: string, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content })
  return lines(
    line('u1', null, 'user', 'List the files.'),
    line('a1', 'u1', 'assistant', [call('c1'), call('c2')]),
    line('r1', 'a1', 'user', [result('c1', OUTPUT), result('c2', [{ type: 'text', text: OUTPUT }])]),
    line('a2', 'r1', 'assistant', [{ type: 'text', text: 'Done.' }]),
  )
})()

const CODEX = (() => {
  const item = (payload: object) => ({ timestamp: '2026-11-22T01:02:03Z', type: 'response_item', payload })
  return lines(
    { timestamp: '2026-11-22T01:02:03Z', type: 'session_meta', payload: { id: 's1', cwd: '/p' } },
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List the files.' }] }),
    item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' }),
    item({ type: 'function_call_output', call_id: 'c1', output: OUTPUT }),
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }),
  )
})()

for (const [agent, session, count, outputsIn] of [
  ['Claude Code', CLAUDE, 2, ({ message }) => (message?.content ?? []).map(({ content }) => content)],
  ['Codex', CODEX, 1, ({ payload }) => [payload?.output]],
] as [string, string, number, (line: AnyLine) => unknown[]][])
  t.test(
    `prune --write removes old outputs from a session file of ${agent}, and restore brings them back`,
    async (t) => {
      const home = folderOf(t)
      const path = writeOld(join(home, 'session.jsonl'), session)
      const options = ['--keep', '0', '--least', '0']
      const shown = await runCli(['prune', path, ...options], { home })
      t.match(shown, { code: 0, stdout: '', stderr: / could go: --write removes them from the session file\.\n$/ })
      t.equal(readFileSync(path, 'utf8'), session)
      const { code, stderr } = await runCli(['prune', path, '--write', ...options], { home })
      t.equal(code, 0, stderr)
      t.match(
        stderr,
        new RegExp(`^Removed ${count} old tool outputs?, [\\d,]+ tokens, from .*\\. Undo it with: precis restore /`),
      )
      const after = readFileSync(path, 'utf8').split('\n')
      const before = session.split('\n')
      const changed = after.filter((line, index) => line !== before[index])
      t.equal(changed.length, 1)
      const outputs = changed.flatMap((line) => outputsIn(JSON.parse(line)))
      t.equal(outputs.length, count)
      for (const output of outputs) t.match(output, NOTICE)
      t.match(await runCli(['prune', path, '--write', ...options], { home }), {
        code: 3,
        stderr: 'precis: No tool output of this session can be removed.\n',
      })
      t.match(await runCli(['restore', path], { home }), { code: 0 })
      t.equal(readFileSync(path, 'utf8'), session)
      const silent = { code: 0, stdout: '', stderr: '' }
      t.same(await runCli(['prune', path, '--write', '--quiet', ...options], { home }), silent)
      t.same(await runCli(['restore', path, '-q'], { home }), silent)
      t.equal(readFileSync(path, 'utf8'), session)
    },
  )

/** Returns what plan says of a session's context. */
async function contextOf(path: string, home: string): Promise<{ contextTokens: number; tokensOutside: number }> {
  const { contextTokens, tokensOutside } = JSON.parse((await runCli(['plan', path, '--json'], { home })).stdout)
  return { contextTokens, tokensOutside }
}

const withUsage = (line: AnyLine, input_tokens: number, timestamp: string): object => ({
  ...line,
  timestamp,
  message: { ...line.message, id: String(input_tokens), usage: { input_tokens, output_tokens: 1 } },
})

const codexUsage = (input_tokens: number, timestamp: string) => ({
  ...{ timestamp, type: 'event_msg' },
  payload: { type: 'token_count', info: { last_token_usage: { input_tokens, output_tokens: 1 } } },
})

const EARLY = '2026-11-22T01:02:03Z'

/** Sessions whose answers have usage, and a newer answer with usage. */
const COUNTED: readonly (readonly [string, string, string])[] = (() => {
  const [claude, codex] = [CLAUDE, CODEX].map((session) =>
    session
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  )
  const [u1, a1, r1, a2] = claude ?? []
  const [meta, user, call, output, done] = codex ?? []
  const later = { ...a2, uuid: 'a3', parentUuid: 'a2' }
  const LATE = '2126-11-22T01:02:03Z'
  return [
    [
      'Claude Code',
      lines(u1, withUsage(a1, 3000, EARLY), r1, withUsage(a2, 9000, EARLY)),
      lines(withUsage(later, 9000, LATE)),
    ],
    [
      'Codex',
      lines(meta, user, call, codexUsage(3000, EARLY), output, done, codexUsage(9000, EARLY)),
      lines(call, codexUsage(9000, LATE)),
    ],
  ]
})()

for (const [agent, session, later] of COUNTED)
  t.test(`after prune --write, the context is smaller by what was removed from a session of ${agent}`, async (t) => {
    const home = folderOf(t)
    const path = writeOld(join(home, 'session.jsonl'), session)
    const before = await contextOf(path, home)
    t.equal(before.contextTokens, 9001)
    const { code, stderr } = await runCli(['prune', path, '--write', '--keep', '0', '--least', '0'], { home })
    t.equal(code, 0, stderr)
    const after = await contextOf(path, home)
    t.equal(after.tokensOutside, before.tokensOutside, 'what was removed is not outside the messages')
    t.ok(after.contextTokens < 8000)
    writeOld(path, readFileSync(path, 'utf8') + later)
    t.equal((await contextOf(path, home)).contextTokens, 9001, 'an answer after the prune has the usage of now')
  })

interface AnyLine {
  message?: { role: string; content: { content: unknown }[] }
  payload?: { output: unknown }
}

t.test(
  'a session from which too little could be removed is left alone, and a command that removes more is named',
  async (t) => {
    const home = folderOf(t)
    const path = writeOld(join(home, 'session.jsonl'), CLAUDE)
    const { code, stderr } = await runCli(['prune', path, '--write'], { home })
    t.equal(code, 3)
    t.match(
      stderr,
      /^precis: Nothing is removed: with --keep 40000, 0 tokens would be saved, and at least 20,000 are wanted \(--least\)\. This saves 2,438 tokens: precis prune \S+ --write --keep 0 --least 2000\n$/,
    )
    t.equal(readFileSync(path, 'utf8'), CLAUDE)
    const named = /: precis (prune .*)\n$/.exec(stderr)?.[1]?.split(' ') ?? []
    t.match(await runCli(named, { home }), { code: 0, stderr: /^Removed 2 old tool outputs, 2,438 tokens/ })
  },
)

t.test('a session of pi keeps all other lines, and says when an output was pruned', async (t) => {
  const home = folderOf(t)
  const path = writeOld(join(home, 'session.jsonl'), readFileSync(EXAMPLE))
  t.match(
    await runCli(['prune', path, '--write'], { home }),
    { code: 3 },
    'the defaults prune nothing of a short session',
  )
  t.equal((await runCli(['prune', path, '--write', '--keep', '2000', '--least', '0'], { home })).code, 0)
  const before = readFileSync(EXAMPLE, 'utf8').split('\n')
  const changed = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line, index) => line !== before[index])
  t.equal(changed.length, 16)
  for (const line of changed) t.match(JSON.parse(line).message, { content: [{ text: NOTICE }], prunedAt: Number })
})

t.test('a session that cannot be pruned in its file is refused, and stays as it is', async (t) => {
  const home = folderOf(t)
  const session = largeSession('gemini')
  const path = writeOld(join(home, 'session.jsonl'), session)
  const { code, stderr } = await runCli(['prune', path, '--write', '--keep', '0', '--least', '0'], { home })
  t.equal(code, 1, stderr)
  t.match(stderr, /Only session files of Claude Code, Codex, pi and oh-my-pi can be pruned\./)
  t.equal(readFileSync(path, 'utf8'), session)
})
