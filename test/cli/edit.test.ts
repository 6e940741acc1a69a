import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { largeSession, runCli, writeCommand, writeOld } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

/** A session, and a command that compacts it with an editor, which is a script. */
function setUp(t: Test, script: string) {
  const folder = folderOf(t)
  const path = writeOld(join(folder, 'session.jsonl'), largeSession('claude-code'))
  const PATH = writeCommand(folder, 'editor', `const fs = require('fs'); const path = process.argv.at(-1)\n${script}`)
  const compact = (args: string[], env: Record<string, string> = { VISUAL: 'editor --wait' }) =>
    runCli(['compact', path, '--write', '--edit', '--keep', '1', ...args], {
      home: folder,
      cwd: folder,
      env: { PATH, ...env },
    })
  return { path, compact }
}

t.test('the summary is written as the user has left it in the editor', async (t) => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('precis-edit-'))
  const { path, compact } = setUp(
    t,
    "fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('## Goal', '## Goal\\nBy hand: keep the tabs.'))",
  )
  const { code, stderr } = await compact([])
  t.match([code, stderr], [0, /Edited by you/])
  const [line = ''] = readFileSync(path, 'utf8')
    .split('\n')
    .filter((one) => one.includes('By hand: keep the tabs.'))
  t.match(line, /## Goal\\nBy hand: keep the tabs\./)
  t.match(line, /## Looking things up/)
  t.equal(line.split('## Looking things up').length, 2)
  t.equal(line.split('<read-files>').length <= 2, true)
  t.same(
    readdirSync(tmpdir()).filter((name) => name.startsWith('precis-edit-')),
    before,
  )
})

for (const window of [[], ['--window', '60000']])
  t.test(
    `without --keep, both requests have the default of the real window, and so the same cut: ${window.join(' ') || 'no options'}`,
    async (t) => {
      const folder = folderOf(t)
      const example = readFileSync(new URL('../../examples/session.jsonl', import.meta.url), 'utf8')
      const path = writeOld(join(folder, 'session.jsonl'), example)
      const PATH = writeCommand(folder, 'editor', "require('fs').appendFileSync(process.argv.at(-1), 'By hand.')")
      const args = ['compact', path, '--write', '--edit', ...window]
      const { code, stderr } = await runCli(args, { home: folder, cwd: folder, env: { PATH, VISUAL: 'editor' } })
      t.match([code, stderr], [0, /Edited by you/])
      t.match(stderr, /20,000 were asked for/)
    },
  )

t.test('if the user empties the summary, nothing is written or printed', async (t) => {
  const { path, compact } = setUp(t, "fs.writeFileSync(path, ' \\n')")
  t.match(await compact([]), {
    ...{ code: 3, stdout: '' },
    stderr: /^precis: The summary was left empty\. Nothing was written\.$/m,
  })
  t.equal(readFileSync(path, 'utf8'), largeSession('claude-code'))
})

t.test('if the editor fails, the summary that was paid for is printed, and nothing is written', async (t) => {
  const { path, compact } = setUp(t, 'process.exit(7)')
  t.match(await compact([]), {
    code: 1,
    stdout: /^## Goal\n/m,
    stderr:
      /^The summary could not be written into the session, so it was printed\.\nprecis: The editor has ended with 7\. Nothing was written\.$/m,
  })
  t.equal(readFileSync(path, 'utf8'), largeSession('claude-code'))
})

t.test('what cannot be edited is an error before a summary is written', async (t) => {
  const { compact, path } = setUp(t, '')
  t.match(await compact([], {}), { code: 2, stderr: /^precis: --edit needs an editor: set VISUAL or EDITOR/ })
  t.match(await compact(['--url', 'http://127.0.0.1:1']), { code: 2, stderr: /--edit and --url exclude each other/ })
  t.match(await runCli(['compact', path, '--edit']), { code: 2, stderr: /^precis: --edit needs --write/ })
  t.match(await compact([], { EDITOR: '/no/such-editor --wait' }), {
    ...{ code: 2, stdout: '' },
    stderr:
      /^precis: The editor "\/no\/such-editor" was not found\. Set VISUAL or EDITOR to the command of another one\.$/m,
  })
})
