import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { fakeSummarizer } from './support/fake-summarizer.ts'
import { listenApp } from './support/start-app.ts'
import { tryIn, type Run } from './support/run-in-folder.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const TOKEN = 'token-of-the-hooks-test'

interface Session {
  agent: string
  url: string
  cache: string
}

/** Runs the hook as an agent does: its input comes as JSON on stdin. */
function runHook({ agent, url, cache }: Session, step: string[], input: object): Promise<Run> {
  const command = [process.execPath, 'examples/hooks/precis-hook.mjs', agent, ...step]
  const env = { COMPACTION_URL: url, COMPACTION_TOKEN: TOKEN, XDG_CACHE_HOME: cache }
  return tryIn(ROOT, command, { env, stdin: JSON.stringify({ session_id: 'session-1', ...input }) })
}

async function makeCache(t: Test): Promise<string> {
  const cache = await mkdtemp(join(tmpdir(), 'hooks-'))
  t.teardown(() => rm(cache, { recursive: true }))
  return cache
}

/** Lines of a session file for long messages, in the format of an agent. */
const MESSAGES = {
  'claude-code': (index: number, text: string) => ({
    type: 'user',
    uuid: `u${index}`,
    parentUuid: index === 0 ? null : `u${index - 1}`,
    sessionId: 'session-1',
    isSidechain: false,
    message: { role: 'user', content: text },
  }),
  codex: (_index: number, text: string) => ({
    timestamp: '2026-11-01T10:00:00.000Z',
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  }),
}

async function writeSession(folder: string, agent: keyof typeof MESSAGES): Promise<string> {
  const texts = Array.from({ length: 60 }, (_, index) => `Look at line ${index}. ${'It adds two numbers. '.repeat(60)}`)
  const lines = texts.map((text, index) => JSON.stringify(MESSAGES[agent](index, text)))
  const path = join(folder, 'session.jsonl')
  await writeFile(path, lines.join('\n'))
  return path
}

/** Compacts a long session of an agent: its hook before, and those after the compaction. */
async function compact(t: Test, agent: 'claude-code' | 'codex', summary: string) {
  const { url } = await listenApp(t, { summarizer: fakeSummarizer(() => summary), settings: { tokens: [TOKEN] } })
  const session = { agent, url, cache: await makeCache(t) }
  const transcriptPath = await writeSession(session.cache, agent)
  const before = await runHook(session, ['before'], { transcript_path: transcriptPath })
  const after = (part: string, source = 'compact') => runHook(session, ['after', part], { source })
  return { before, after, session }
}

const LONG = `## Goal\n${'Fix the sum, line by line. '.repeat(700)}`
const SHORT = '## Goal\nFix the sum.'

t.test('Claude Code gets the summary in parts that it does not cut, each once', async (t) => {
  const { before, after } = await compact(t, 'claude-code', LONG)
  t.same([before.code, before.stderr], [0, ''])
  t.match(before.stdout, /^Write at most ten lines: /)
  const parts = [await after('1'), await after('2'), await after('3')].map(({ stdout }) => stdout)
  t.match(parts[0], /^Summary of the conversation before the compaction \(part 1 of \d\):\n\n## Goal/)
  t.match(parts[1], /^Summary of the conversation before the compaction \(part 2 of \d\):\n\n/)
  for (const { length } of parts) t.ok(length < 10_000)
  t.notMatch(parts.join(''), /too long for this hook/)
  t.equal((await after('1')).stdout, '')
})

t.test('Codex gets the summary as additional context, shorter than what it cuts', async (t) => {
  const { before, after } = await compact(t, 'codex', LONG)
  t.same(before, { code: 0, stdout: '', stderr: '' })
  const { stdout } = await after('1')
  const { hookEventName, additionalContext } = JSON.parse(stdout).hookSpecificOutput
  t.equal(hookEventName, 'SessionStart')
  t.match(additionalContext, /^Summary of the conversation before the compaction \(part 1 of 1\):\n\n## Goal/)
  t.ok(additionalContext.length < 9000)
  t.notMatch(additionalContext, /too long for this hook/)
})

t.test('nothing is printed when a session starts for another reason than a compaction', async (t) => {
  const { after } = await compact(t, 'claude-code', SHORT)
  t.equal((await after('1', 'startup')).stdout, '')
  t.match((await after('1')).stdout, /Fix the sum\./)
  t.equal((await after('2')).stdout, '')
})

t.test('a service that does not answer costs the agent nothing, and no older summary is shown', async (t) => {
  const { after, session } = await compact(t, 'claude-code', SHORT)
  const failed = await runHook({ ...session, url: 'http://127.0.0.1:1' }, ['before'], {
    transcript_path: 'test/fixtures/formats/claude-code.jsonl',
  })
  // The exit code 2 would stop the compaction.
  t.same([failed.code, failed.stdout], [1, ''])
  t.match(failed.stderr, /^precis-hook: /)
  t.equal((await after('1')).stdout, '')
})

t.test('a session id cannot name a file elsewhere', async (t) => {
  const cache = await makeCache(t)
  const session = { agent: 'codex', url: 'http://127.0.0.1:1', cache }
  const { code, stderr } = await runHook(session, ['before'], {
    session_id: '../../x',
    transcript_path: 'package.json',
  })
  t.same([code, stderr], [1, 'precis-hook: the input of the hook has no usable `session_id`\n'])
  t.same(await readdir(join(cache, 'precis-hook')), [])
})

t.test('the settings run the hook once for each part of a summary', async (t) => {
  const commandsOf = (agent: string): string[] => {
    const { hooks } = JSON.parse(readFileSync(`${ROOT}examples/hooks/${agent}.json`, 'utf8'))
    const groups: { hooks: { command: string }[] }[] = [...hooks.PreCompact, ...hooks.SessionStart]
    return groups.flatMap((group) => group.hooks.map(({ command }) => command))
  }
  const lines = (agent: string, steps: string[]) => steps.map((step) => `node ~/precis-hook.mjs ${agent} ${step}`)
  t.same(commandsOf('claude-code'), lines('claude-code', ['before', 'after 1', 'after 2', 'after 3']))
  t.same(commandsOf('codex'), lines('codex', ['before', 'after 1']))
})
