import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { writeCommand } from '../cli/run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'
import { openClient, openTools } from './open-client.ts'
import { calls, openDesk, RUNNING, says, user, writeLines, writePi, writeSession, type Desk } from './sessions.ts'

const idOf = (number: number): string => `0199c0de-0000-7000-8000-00000000000${number}`

/** What a call says of the session that it was answered from. */
const sessionIn = (text: string): string | undefined => /^Session (\S+) of /.exec(text)?.[1]

const LOOKUP = { query: 'code word' }

/** Writes a session of Codex. Returns its path. */
function writeCodex({ home, folder }: Desk, number: number, secondsAgo = RUNNING): string {
  const lines = [
    { type: 'session_meta', payload: { id: idOf(number), cwd: folder } },
    codexMessage(`The code word is zebra-${number}.`),
  ]
  return writeSession(
    join(home, `.codex/sessions/2026/11/23/rollout-2026-11-23T01-02-03-${idOf(number)}.jsonl`),
    writeLines(lines),
    secondsAgo,
  )
}

const codexMessage = (text: string) => ({
  type: 'response_item',
  payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
})

/** Writes a session of Claude Code that ends with a call. Returns its path. */
function writeClaude({ home, folder }: Desk, number: number, callId: string): string {
  const common = { sessionId: idOf(number), cwd: folder, isSidechain: false }
  const content = [{ type: 'tool_use', id: callId, name: 'mcp__precis__recall', input: LOOKUP }]
  return writeSession(
    join(home, '.claude/projects', folder.replace(/[^a-z\d]/gi, '-'), `${idOf(number)}.jsonl`),
    writeLines([
      { ...common, type: 'user', uuid: 'u1', parentUuid: null, message: { role: 'user', content: 'The code word.' } },
      { ...common, type: 'assistant', uuid: 'a1', parentUuid: 'u1', message: { role: 'assistant', content } },
    ]),
  )
}

t.test('Codex says in each call which session it is, also if another one is newer', async (t) => {
  const desk = openDesk(t)
  writeCodex(desk, 1, 3600)
  writeCodex(desk, 2)
  const { call } = await openClient(t, { ...desk, name: 'codex-mcp-client' })
  for (const number of [1, 2, 1]) {
    const { text } = await call('recall', LOOKUP, { threadId: idOf(number) })
    t.equal(sessionIn(text), idOf(number))
    t.match(text, `zebra-${number}.`)
  }
})

t.test('if the session that an agent says is not there, no other one is read', async (t) => {
  const desk = openDesk(t)
  writeCodex(desk, 1)
  const call = await openTools({ ...desk, name: 'codex-mcp-client' })
  t.same(await call('recall', LOOKUP, { threadId: idOf(9) }), {
    isError: true,
    text:
      `Codex says that its session is ${idOf(9)}, and there is no such file. If a variable moves the folder of Codex ` +
      '(docs/mcp.md), this server needs it too: ask the user.',
  })
})

t.test('what cannot be read is named where no session is found', async (t) => {
  const desk = openDesk(t)
  writeCodex(desk, 1, 7200)
  const loop = join(desk.home, 'loop')
  symlinkSync(loop, loop)
  const call = await openTools({ ...desk, env: { CLAUDE_CONFIG_DIR: loop } })
  const unread = `Not searched, because it could not be read: "${loop}/projects (ELOOP)".`
  t.same(await call('recall', { ...LOOKUP, session: 'abcdef123456' }), {
    isError: true,
    text:
      `There is no session abcdef123456 of this folder (${desk.folder}). Leave out \`session\`, or give the whole id. ` +
      `Sessions of other folders are not read.\n${unread}`,
  })
  t.match((await call('recall', LOOKUP)).text, unread)
})

t.test('Claude Code: the file of its process counts, not the variable from before /clear', async (t) => {
  const desk = openDesk(t)
  writeClaude(desk, 1, 'toolu_1')
  writeClaude(desk, 2, 'toolu_2')
  const env = { CLAUDE_CODE_SESSION_ID: idOf(1) }
  const { call } = await openClient(t, { ...desk, env, name: 'claude-code', era: 'modern' })
  const ask = async (meta?: object) => sessionIn((await call('recall', LOOKUP, { ...meta })).text)
  t.equal(await ask(), idOf(1), 'without a better sign')
  t.equal(await ask({ 'claudecode/toolUseId': 'toolu_2' }), idOf(2), 'the transcript that has the call')
  // The parent of the server is this process.
  writeSession(join(desk.home, `.claude/sessions/${process.pid}.json`), JSON.stringify({ sessionId: idOf(2) }))
  t.equal(await ask(), idOf(2), 'the file of the process')
})

/** Writes a session of Qwen Code. Returns its path. */
const writeQwen = ({ home, folder }: Desk, number: number, secondsAgo = RUNNING): string =>
  writeSession(
    join(home, `.qwen/projects/p/chats/${idOf(number)}.jsonl`),
    writeLines([
      {
        ...{ uuid: 'u1', parentUuid: null, sessionId: idOf(number), cwd: folder, type: 'user' },
        message: { role: 'user', parts: [{ text: 'The code word.' }] },
      },
    ]),
    secondsAgo,
  )

t.test('Qwen Code says its session when it starts its servers: it asks back once there is a newer one', async (t) => {
  const desk = openDesk(t)
  const env = { QWEN_CODE_SESSION_ID: idOf(2) }
  writeQwen(desk, 1, 300)
  writeQwen(desk, 2, 20)
  const call = await openTools({ ...desk, env, name: 'qwen-cli-mcp-client-precis' })
  t.equal(sessionIn((await call('recall', LOOKUP)).text), idOf(2))
  writeQwen(desk, 3)
  t.match(await call('recall', LOOKUP), { isError: false, text: /^2 sessions of this folder may be yours/ })
})

t.test('a session of another folder is refused also if an agent says that it is its own', async (t) => {
  const desk = openDesk(t)
  const elsewhere = { ...desk, folder: '/elsewhere' }
  writeCodex(elsewhere, 1)
  writeQwen(elsewhere, 2)
  const env = { QWEN_CODE_SESSION_ID: idOf(2) }
  for (const [name, agent, number] of [
    ['codex-mcp-client', 'Codex', 1],
    ['qwen-cli-mcp-client-precis', 'Qwen Code', 2],
  ] as const) {
    const call = await openTools({ ...desk, env, name })
    t.same(await call('recall', LOOKUP, { threadId: idOf(number) }), {
      isError: true,
      text:
        `${agent} says that its session is ${idOf(number)}, which is not one of this folder (${desk.folder}). Sessions ` +
        'of other folders are not read, unless the user starts this server with `--all-projects`: ask the user.',
    })
    const callAll = await openTools({ ...desk, env, name, options: ['--all-projects'] })
    t.equal(sessionIn((await callAll('recall', LOOKUP, { threadId: idOf(number) })).text), idOf(number))
  }
})

t.test('an agent that another agent has started does not get the session of that one', async (t) => {
  const desk = openDesk(t)
  writeClaude(desk, 1, 'toolu_1')
  writePi({ ...desk, id: idOf(2), entries: [user('The code word.')] })
  const env = { CLAUDE_CODE_SESSION_ID: idOf(1), QWEN_CODE_SESSION_ID: idOf(1) }
  const call = await openTools({ ...desk, env, name: 'pi' })
  t.equal(sessionIn((await call('recall', LOOKUP)).text), idOf(2))
})

t.test(
  'without a word of the agent, it is the session of the folder that changed in the last minute, if no other is recent',
  async (t) => {
    const desk = openDesk(t)
    writePi({ ...desk, id: idOf(1), entries: [user('The code word is old.')], secondsAgo: 1200 })
    writePi({ ...desk, id: idOf(2), entries: [user('The code word is new.')] })
    writePi({ ...desk, id: idOf(3), entries: [user('The code word is elsewhere.')], project: '/elsewhere' })
    writePi({ ...desk, id: idOf(4), entries: [user('The code word is that of another agent.')], agent: 'oh-my-pi' })
    const call = await openTools({ ...desk, name: 'pi' })
    const { text } = await call('recall', LOOKUP)
    t.equal(sessionIn(text), idOf(2))
    t.match(text, '| The code word is new.')
  },
)

t.test('of two sessions, it is the one that waits for this call', async (t) => {
  const desk = openDesk(t)
  writePi({ ...desk, id: idOf(1), entries: [user('Hello.'), calls('c1', 'mcp__precis__recall', { query: 'other' })] })
  writePi({ ...desk, id: idOf(2), entries: [user('Hello.'), calls('c1', 'mcp__precis__recall', LOOKUP)] })
  writePi({ ...desk, id: idOf(3), entries: [user('Hello.'), says('I look for the code word with recall.')] })
  const call = await openTools({ ...desk, name: 'pi' })
  t.equal(sessionIn((await call('recall', LOOKUP)).text), idOf(2))
})

t.test(
  'a session that has waited for the user to allow the call is the caller, not one that has changed since',
  async (t) => {
    const desk = openDesk(t)
    const waits = (name: string, args: object) => [user('Hello.'), calls('c1', name, { ...args })]
    writePi({ ...desk, id: idOf(1), entries: waits('mcp__precis__recall', LOOKUP), secondsAgo: 75 })
    writePi({ ...desk, id: idOf(2), entries: waits('bash', { command: 'sleep 100' }) })
    const call = await openTools({ ...desk, name: 'pi' })
    t.equal(sessionIn((await call('recall', LOOKUP)).text), idOf(1))
    writePi({ ...desk, id: idOf(1), entries: waits('mcp__precis__recall', LOOKUP), secondsAgo: 7200 })
    const { text } = await call('recall', LOOKUP)
    t.match(text, /^2 sessions of this folder may be yours\./, 'its process may have died, and the other one waits too')
    for (const id of [idOf(1), idOf(2)]) t.match(text, id)
    writePi({ ...desk, id: idOf(2), entries: waits('bash', { command: 'sleep 100' }), secondsAgo: 5000 })
    t.equal(
      sessionIn((await call('recall', LOOKUP)).text),
      idOf(1),
      'it is the only one that waits, and none is recent',
    )
  },
)

t.test('arguments that say nothing count as absent, as models fill all of them', async (t) => {
  const desk = openDesk(t)
  const filled = { ...LOOKUP, kinds: [], tool: '', path: '', before: null, session: '' }
  writePi({ ...desk, id: idOf(1), entries: [user('The code word.'), calls('c1', 'mcp__precis__recall', filled)] })
  writePi({ ...desk, id: idOf(2), entries: [user('The code word.')] })
  const call = await openTools({ ...desk, name: 'pi' })
  t.match(await call('recall', filled), { isError: false, text: new RegExp(`^Session ${idOf(1)} [^]*The code word`) })
})

t.test('two recent sessions of which none waits for the call may both be the caller', async (t) => {
  const desk = openDesk(t)
  writePi({ ...desk, id: idOf(1), entries: [user('Hello.')], secondsAgo: 300 })
  const others = [
    calls('c1', 'bash', { command: 'echo recall {"query":"code word"} # mcp__precis__recall' }),
    calls('c1', 'mcp__precis__recall', { ...LOOKUP, kinds: ['request'] }),
    calls('c1', 'mcp__precis__recall', { query: 'the code word' }),
    calls('c1', 'mcp__precis__total_recall_of', LOOKUP),
  ]
  const call = await openTools({ ...desk, name: 'pi' })
  for (const other of others) {
    writePi({ ...desk, id: idOf(2), entries: [user('Hello.'), other] })
    t.match(await call('recall', LOOKUP), { isError: false, text: /^2 sessions of this folder may be yours/ })
  }
  writePi({ ...desk, id: idOf(2), entries: [user('Hello.'), calls('c1', 'bash', { command: 'cat docs/outline.md' })] })
  t.match(await call('outline'), { isError: false, text: /^2 sessions of this folder may be yours/ })
  writePi({ ...desk, id: idOf(2), entries: [user('H.'), calls('c1', 'mcp__precis__recall', LOOKUP), user('Stop.')] })
  t.match(await call('recall', LOOKUP), { isError: false, text: /^2 sessions of this folder may be yours/ })
})

t.test('a call is known by the names that agents give the tool, also within a tool of theirs', async (t) => {
  const desk = openDesk(t)
  const written: [string, Record<string, unknown>][] = [
    ['precis_recall', LOOKUP],
    ['precis__recall', LOOKUP],
    ['recall', LOOKUP],
    ['mcp_precis_recall', { ...LOOKUP, wait_for_previous: true }],
    ['tool_call', { name: 'mcp__precis__recall', arguments: LOOKUP }],
    ['write', { path: 'xd://mcp__precis_recall', content: JSON.stringify(LOOKUP) }],
  ]
  writePi({ ...desk, id: idOf(1), entries: [user('Hello.')] })
  const call = await openTools({ ...desk, name: 'pi' })
  for (const [name, args] of written) {
    writePi({ ...desk, id: idOf(2), entries: [user('Hello.'), calls('c1', name, args)], secondsAgo: RUNNING + 30 })
    t.equal(sessionIn((await call('recall', LOOKUP)).text), idOf(2), name)
  }
})

t.test('with two sessions that it may be, it asks back, and the id of one is the answer', async (t) => {
  const desk = openDesk(t)
  writePi({ ...desk, id: idOf(1), entries: [user('Fix the parser.'), says('Done.')], secondsAgo: RUNNING + 20 })
  writePi({
    ...desk,
    id: idOf(2),
    entries: [user('Deploy with password=hunter2hunter2.\nThen rest.')],
    secondsAgo: RUNNING + 10,
  })
  const call = await openTools({ ...desk, name: 'pi' })
  const { text, isError } = await call('outline')
  t.equal(isError, false, 'a question is no failure of the tool')
  const TIME = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'
  const lines = [
    '2 sessions of this folder may be yours. Call again with "session" and the id of yours, which you know by its first ' +
      'request; if you do not, ask the user. Do not guess.',
    `- ${idOf(2)} (pi, changed TIME), first request: "Deploy with password=[redacted:password]. Then rest."`,
    `- ${idOf(1)} (pi, changed TIME), first request: "Fix the parser."`,
  ]
  t.same(text.replaceAll(new RegExp(TIME, 'g'), 'TIME').split('\n'), lines)
  t.equal(sessionIn((await call('outline', { session: idOf(1) })).text), idOf(1))
})

t.test('if none has changed in the last minute, it asks back too', async (t) => {
  const desk = openDesk(t)
  const call = await openTools({ ...desk, name: 'pi' })
  t.match(await call('outline'), { isError: true, text: 'There is none at all' })
  writePi({ ...desk, id: idOf(1), entries: [user('Fix the parser.')], secondsAgo: 90 })
  const { text, isError } = await call('outline')
  t.equal(isError, false)
  t.match(text, `No session of this folder has changed in the last minute.`)
  t.match(text, `- ${idOf(1)} (pi, `)
})

t.test(
  'a session of another folder is refused by its id and by its path, unless all projects are wanted',
  async (t) => {
    const desk = openDesk(t)
    const path = writePi({ ...desk, id: idOf(1), entries: [user('The code word is secret.')], project: '/elsewhere' })
    const call = await openTools(desk)
    for (const session of [idOf(1), idOf(1).slice(0, 10), path]) {
      const { text, isError } = await call('recall', { ...LOOKUP, session })
      t.equal(isError, true)
      t.match(text, /^There is no session \S+ of this folder .* Sessions of other folders are not read\.$/)
    }
    const callAll = await openTools({ ...desk, options: ['--all-projects'] })
    for (const session of [idOf(1), path])
      t.match((await callAll('recall', { ...LOOKUP, session })).text, '| The code word is secret.')
    t.match(await callAll('recall', LOOKUP), {
      isError: false,
      text: /^No session of this folder has changed in the last minute[^]*\n- \S+ \(pi, .*"The code word is secret\."$/,
    })
  },
)

t.test('a file that is no session of an agent is never read', async (t) => {
  const desk = openDesk(t)
  const path = writeSession(join(desk.folder, 'notes.jsonl'), writeLines([{ role: 'user', content: 'The code word.' }]))
  const call = await openTools({ ...desk, options: ['--all-projects'] })
  for (const session of [path, '/etc/passwd', '../../etc/passwd', 'no such'])
    t.match(await call('recall', { ...LOOKUP, session }), { isError: true, text: /^There is no session / })
})

/** A command `opencode` whose sessions are those of a folder. */
const opencodeIn = (folder: string): string => `
const fs = require('node:fs')
const [command, ...args] = process.argv.slice(2)
const row = (number, query) => ({
  id: 'ses_' + String(number).repeat(26), directory: ${JSON.stringify(folder)}, updated: Date.now() - number, request: 'Request ' + number + ' with password=hunter2hunter2',
  pending: JSON.stringify([{ name: 'precis_recall', arguments: { query } }]),
})
if (command === 'db') console.log(JSON.stringify([row(1, 'other'), row(2, 'code word')]))
else if (command === 'export') console.log(JSON.stringify({ info: { id: args[0], directory: '/p' }, messages: [
  { info: { id: 'msg_1', role: 'user', sessionID: args[0] }, parts: [{ type: 'text', text: 'The code word of ' + args[0] }] } ] }))
else process.exit(1)
`

t.test('opencode: its database says which session waits for this call', async (t) => {
  const desk = openDesk(t)
  const env = { PATH: writeCommand(folderOf(t), 'opencode', opencodeIn(desk.folder)) }
  const call = await openTools({ ...desk, env, name: 'opencode' })
  const id = `ses_${'2'.repeat(26)}`
  const { text } = await call('recall', LOOKUP)
  t.equal(sessionIn(text), id)
  t.match(text, `| The code word of ${id}`)
  t.match(
    (await call('recall', { query: 'nobody' })).text,
    /^2 sessions of this folder may be yours[^]*"Request 1 with password=\[redacted:password\]"/,
  )
})
