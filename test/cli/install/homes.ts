import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { folderOf } from '../../support/temp-folder.ts'
import { runCli, type Ran } from '../run-cli.ts'

/** Returns a home with some files. */
export function homeWith(t: Parameters<typeof folderOf>[0], files: Readonly<Record<string, string>>): string {
  const home = folderOf(t)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  return home
}

/** Returns the files of a home, without what Précis keeps for itself. */
export function filesOf(home: string): Record<string, string> {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('.local') && !statSync(join(home, name)).isDirectory(),
  )
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(home, name), 'utf8')]))
}

/** Runs a command in a home. */
export const runIn = (home: string, ...args: string[]): Promise<Ran> => runCli(args, { home, cwd: home })

export const jsonIn = (home: string, name: string): unknown => JSON.parse(readFileSync(join(home, name), 'utf8'))

/** Changes a JSON file of a home, as a user does who edits it. */
export function editJson(home: string, name: string, change: (value: never) => void): void {
  const value = jsonIn(home, name)
  change(value as never)
  writeFileSync(join(home, name), `${JSON.stringify(value, undefined, 2)}\n`)
}
