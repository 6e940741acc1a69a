import t from 'tap'
import { hasTable, removeTable, setTable } from '../../../src/cli/install/edit-toml.ts'

const NAME = ['mcp_servers', 'precis']
const TABLE = { command: '/usr/bin/node', args: ['C:\\x "y"\\main.js', 'mcp'], startup_timeout_sec: 20 }
const LINES = String.raw`[mcp_servers.precis]
command = "/usr/bin/node"
args = ["C:\\x \"y\"\\main.js", "mcp"]
startup_timeout_sec = 20
`
const USER = `# my settings
model = "gpt-5" # the usual one
notify = [
  "a", # [not.a.table]
  ["b"],
]
text = """
[mcp_servers.precis]
"""
literal = '[x'

[mcp_servers.other]
command = 'x'

# about the project
[projects."/home/me/a.b"]
trust_level = "trusted"
`

t.test('a table is added at the end, and removed again', async (t) => {
  for (const before of ['', USER, USER.trimEnd(), USER.replaceAll('\n', '\r\n')]) {
    const after = setTable(before, NAME, TABLE)
    t.ok(after.replaceAll('\r\n', '\n').endsWith(before === '' ? LINES : `\n\n${LINES}`), after)
    t.ok(after.startsWith(before))
    t.ok(hasTable(after, NAME, TABLE))
    t.equal(setTable(after, NAME, TABLE), after)
    t.equal(removeTable(after, NAME).trimEnd(), before.trimEnd())
  }
  t.equal(removeTable(setTable(USER, NAME, TABLE), NAME), USER)
})

t.test('what an agent or a user adds behind the table stays', async (t) => {
  const more = '\n# trusted by the agent\n[hooks.state."x:pre_compact:0:0"]\ntrusted_hash = "sha256:1"\n'
  const nested = '\n[mcp_servers.precis.tools.recall]\napproval_mode = "approve"\n'
  const text = setTable(USER, NAME, TABLE)
  t.equal(removeTable(text + more, NAME), USER + more)
  t.equal(removeTable(text + nested + more, NAME), USER + more)
  t.equal(removeTable(text.replace(LINES, `${LINES}# mine\nenabled = false\n`), NAME), USER)
})

t.test('a table that somebody has changed is written anew, in its place', async (t) => {
  const old = setTable(USER, NAME, { ...TABLE, command: 'old' }) + '\n[other]\na = 1\n'
  t.notOk(hasTable(old, NAME, TABLE))
  t.equal(setTable(old, NAME, TABLE), `${USER}\n${LINES}\n[other]\na = 1\n`)
  const quoted = '[ mcp_servers . "precis" ]\ncommand = "x"\n'
  t.equal(setTable(quoted, NAME, TABLE), LINES)
})

t.test('other forms of the same name are refused, with their line', async (t) => {
  for (const text of [
    '\nmcp_servers = {}',
    '\nmcp_servers.precis = {}',
    '[mcp_servers]\nprecis = { command = "x" }',
    '[mcp_servers]\nprecis.command = "x"',
  ])
    t.throws(() => setTable(text, NAME, TABLE), {
      message: /^line [12]: mcp_servers\S* is defined as a value, and not as a table$/,
    })
})

t.test('a file that is no TOML is refused, with the line', async (t) => {
  for (const [text, line] of [
    ['a = 1\nb = "x\n[c]\n', 2],
    ['a = 1\n\n[b\nc = 2\n', 3],
    ['a = 1\nb\n', 2],
    ['a = 1\n[b]\na = 1\na = 2\n', 4],
    ['{"a": 1}\n', 1],
  ] as const) {
    const message = new RegExp(`^line ${line}: [a-z]`)
    t.throws(() => setTable(text, NAME, TABLE), { message })
    t.throws(() => removeTable(text, NAME), { message })
  }
  t.ok(setTable('big = 9223372036854775807\nwhen = 2026-11-28 19:00:00\n', NAME, TABLE))
})
