import t from 'tap'
import { hookCommand, isOurHook } from '../../../src/agents/install-target.ts'
import { refuseUnquotable } from '../../../src/cli/install/targets.ts'

const startedBy = (...start: string[]) => ({ env: {}, home: 'C:\\Users\\me', folder: 'C:\\', start })

const NODE = 'C:\\Program Files\\node.exe'

/** A start, and the command lines of a hook of Codex and of Gemini CLI, which runs them by PowerShell on Windows. */
const LINES: readonly [start: string[], codex: string, gemini: string][] = [
  [
    [NODE, 'C:\\x y\\dist\\cli\\main.js'],
    '"C:\\Program Files\\node.exe" "C:\\x y\\dist\\cli\\main.js" hook codex Stop',
    "& 'C:\\Program Files\\node.exe' 'C:\\x y\\dist\\cli\\main.js' hook gemini AfterAgent",
  ],
  [
    [NODE, "C:\\it's\\dist\\cli\\main.js"],
    '"C:\\Program Files\\node.exe" "C:\\it\'s\\dist\\cli\\main.js" hook codex Stop',
    "& 'C:\\Program Files\\node.exe' 'C:\\it''s\\dist\\cli\\main.js' hook gemini AfterAgent",
  ],
  [
    ['cmd', '/c', 'npx', '--yes', '@me/precis@1.0.0'],
    'cmd /c npx --yes @me/precis@1.0.0 hook codex Stop',
    "& cmd /c npx --yes '@me/precis@1.0.0' hook gemini AfterAgent",
  ],
  [
    ["/a b/it's", '/x/src/cli/main.ts'],
    "'/a b/it'\\''s' /x/src/cli/main.ts hook codex Stop",
    "'/a b/it'\\''s' /x/src/cli/main.ts hook gemini AfterAgent",
  ],
]

t.test('paths are one word of the shell that runs a hook', async (t) => {
  for (const [start, codex, gemini] of LINES) {
    t.equal(hookCommand(startedBy(...start), { agent: 'codex', event: 'Stop' }), codex)
    const run = { agent: 'gemini', event: 'AfterAgent', runner: 'PowerShell' } as const
    t.equal(hookCommand(startedBy(...start), run), gemini)
    refuseUnquotable(startedBy(...start))
    for (const command of [codex, gemini, `${codex} --model x`]) t.ok(isOurHook({ type: 'command', command }), command)
  }
})

t.test('a path of Windows that no shell takes as one word is an error with a remedy', async (t) => {
  for (const path of ['C:\\100%\\main.js', 'C:\\a!\\main.js', 'C:\\a$b\\main.js', '\\\\server\\share\\main.js'])
    t.throws(
      () => {
        refuseUnquotable(startedBy(NODE, path))
      },
      {
        message:
          `A command line of a hook cannot name ${path} for all shells of Windows. Nothing was changed. Install Node.js and Précis ` +
          'on a drive such as C:, into folders without %, !, $ and `, and run the command again.',
      },
    )
})

t.test('only a program of ours with an event that it knows is a hook of ours', async (t) => {
  const ours = [
    'precis hook claude-code Stop',
    '/usr/local/bin/precis hook --url http://127.0.0.1:8080 qwen PreCompact',
    'npx --yes @me/precis@1.2.3 hook codex SessionStart --model x',
    '/usr/bin/node /opt/precis/dist/cli/main.js hook gemini AfterAgent',
  ]
  const others = [
    'node /home/me/notify/main.js hook notify Stop',
    'node /home/me/notify/main.js hook claude-code Stop',
    'precis hook claude-code Nothing',
    'precis hook toString Stop',
    'precis hook claude-code toString',
    'compris hook claude-code Stop',
    'say done',
  ]
  for (const command of ours) t.ok(isOurHook({ command }), command)
  for (const command of others) t.notOk(isOurHook({ command }), command)
  t.notOk(isOurHook({}))
  t.notOk(isOurHook(null))
})
