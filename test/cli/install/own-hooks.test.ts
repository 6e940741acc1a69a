import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isOurHook } from '../../../src/agents/install-target.ts'
import { editJson, filesOf, homeWith, jsonIn, runIn } from './homes.ts'

interface Hook {
  command: string
  timeout?: number
}

interface Hooked {
  hooks: Record<string, { matcher?: string; hooks: Hook[] }[]>
}

/** The agents with hooks in a JSON file, and an event of each. */
const HOOKED = [
  ['claude-code', '.claude/settings.json', 'SessionStart'],
  ['codex', '.codex/hooks.json', 'SessionStart'],
  ['gemini', '.gemini/settings.json', 'AfterAgent'],
  ['qwen', '.qwen/settings.json', 'SessionStart'],
] as const

const MINE: Hook = { command: 'say mine' }

/** Adds a hook of the user to each element of an installation. */
const addMine = (home: string, file: string): void => {
  editJson(home, file, ({ hooks }: Hooked) => {
    for (const elements of Object.values(hooks)) for (const element of elements) element.hooks.unshift(MINE)
  })
}

t.test('a hook of the user beside one of ours stays, and ours goes', async (t) => {
  for (const [agent, file] of HOOKED) {
    const home = homeWith(t, {})
    await runIn(home, 'install', agent, '--yes')
    const { hooks } = jsonIn(home, file) as Hooked
    addMine(home, file)
    t.match(await runIn(home, 'uninstall', agent, '--yes'), { code: 0, stderr: /^Removed from/m })
    const left = Object.entries(hooks).map(([event, [element]]) => [event, [{ ...element, hooks: [MINE] }]])
    t.same(jsonIn(home, file), { hooks: Object.fromEntries(left) }, agent)
    t.match(await runIn(home, 'uninstall', agent), { code: 0, stderr: /has nothing of Précis/ })
  }
})

t.test('with a hook of the user beside ours, an installation is complete, and doctor says so', async (t) => {
  for (const [agent, file] of HOOKED) {
    const home = homeWith(t, {})
    await runIn(home, 'install', agent, '--yes')
    addMine(home, file)
    const files = filesOf(home)
    t.match(await runIn(home, 'install', agent, '--yes'), { stdout: '', stderr: /has everything already/ }, agent)
    t.same(filesOf(home), files)
  }
  const home = homeWith(t, {})
  await runIn(home, 'install', 'codex', '--yes')
  addMine(home, '.codex/hooks.json')
  t.match((await runIn(home, 'doctor', 'codex')).stdout, /ok +The settings are as they were installed/)
})

t.test('hooks of ours that are there twice, or changed beside one of the user, are written anew once', async (t) => {
  for (const [agent, file, event] of HOOKED) {
    const home = homeWith(t, {})
    await runIn(home, 'install', agent, '--yes')
    const installed = jsonIn(home, file) as Hooked
    const element = installed.hooks[event]?.[0]
    for (const change of [
      (list: Hooked['hooks'][string]) => list.push(...structuredClone(list)),
      (list: Hooked['hooks'][string]) => list[0]?.hooks.push({ ...(list[0].hooks[0] ?? MINE), timeout: 1 }),
      (list: Hooked['hooks'][string]) => Object.assign(list[0] ?? {}, { matcher: 'other' }),
    ]) {
      editJson(home, file, ({ hooks }: Hooked) => {
        const list = hooks[event] ?? []
        change(list)
        list[0]?.hooks.unshift(MINE)
      })
      t.equal((await runIn(home, 'install', agent, '--yes')).code, 0)
      const list = (jsonIn(home, file) as Hooked).hooks[event] ?? []
      t.same(
        list.map(({ hooks }) => hooks),
        [[MINE], element?.hooks],
        agent,
      )
      editJson(home, file, ({ hooks }: Hooked) => hooks[event]?.shift())
      t.same((jsonIn(home, file) as Hooked).hooks, installed.hooks)
    }
  }
})

t.test('comments beside a hook of ours stay', async (t) => {
  const home = homeWith(t, {})
  await runIn(home, 'install', 'gemini', '--yes')
  const path = join(home, '.gemini/settings.json')
  const { hooks } = jsonIn(home, '.gemini/settings.json') as Hooked
  t.ok(isOurHook(hooks['AfterAgent']?.[0]?.hooks[0]))
  t.notOk(isOurHook(MINE))
  const text = readFileSync(path, 'utf8')
  const list = /"AfterAgent": \[\s*\{\s*"hooks": \[/
  const mine = '\n          // mine\n          {"command": "say mine"},'
  writeFileSync(
    path,
    text.replace(list, (found) => found + mine),
  )
  t.equal((await runIn(home, 'uninstall', 'gemini', '--yes')).code, 0)
  t.match(readFileSync(path, 'utf8'), /\[\s*\/\/ mine\s*\{"command": "say mine"\}\s*\]/)
})

t.test('a hook of the user whose program has the name of a file of ours stays', async (t) => {
  const own: Hook = { command: 'node /home/me/notify/main.js hook notify Stop' }
  const before = { hooks: { Stop: [{ hooks: [own] }] } }
  const home = homeWith(t, { '.claude/settings.json': JSON.stringify(before) })
  await runIn(home, 'install', 'claude-code', '--yes')
  t.same((jsonIn(home, '.claude/settings.json') as Hooked).hooks['Stop']?.[0], { hooks: [own] })
  editJson(home, '.claude/settings.json', (settings: object) => Object.assign(settings, { model: 'x' }))
  t.equal((await runIn(home, 'uninstall', 'claude-code', '--yes')).code, 0)
  t.same(jsonIn(home, '.claude/settings.json'), { ...before, model: 'x' })
})

t.test(
  'a permission that the user had before stays: with the receipt, without it, and after a second installation',
  async (t) => {
    const before = { permissions: { allow: ['mcp__precis', 'Bash(ls)'] } }
    const home = homeWith(t, { '.claude/settings.json': JSON.stringify(before) })
    const run = async (command: string): Promise<void> => {
      t.equal((await runIn(home, command, 'claude-code', '--yes')).code, 0)
    }
    await run('uninstall')
    t.same(jsonIn(home, '.claude/settings.json'), before)
    await run('install')
    for (const model of ['x', 'y']) {
      editJson(home, '.claude/settings.json', (settings: Hooked) => {
        delete settings.hooks['Stop']
        return Object.assign(settings, { model })
      })
      await run('install')
    }
    editJson(home, '.claude/settings.json', (settings: object) => Object.assign(settings, { model: 'z' }))
    await run('uninstall')
    t.same(jsonIn(home, '.claude/settings.json'), { ...before, model: 'z' })
  },
)
