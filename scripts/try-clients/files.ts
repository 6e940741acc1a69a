import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Returns the paths of all files below a folder. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)

/** Returns the session file below a folder whose name has the ending, and in which the user has named a word. */
export function findSession(folder: string, ending: string, word: string): string {
  const found = filesBelow(folder).find(
    (path) => path.endsWith(ending) && readFileSync(path, 'utf8').includes(`for ${word}:`),
  )
  if (found === undefined) throw new Error(`No session "*${ending}" in ${folder} has the prompt for ${word}.`)
  return found
}

/** The files below a folder, by their paths: their modes and texts. */
export type Snapshot = ReadonlyMap<string, string>

export const snapshotOf = (folder: string): Snapshot =>
  new Map(
    filesBelow(folder).map((path) => [
      path,
      `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'latin1')}`,
    ]),
  )

/** Returns the paths of files that are not as they were. */
export const differences = (before: Snapshot, after: Snapshot): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))

/** Whether a file has something of ours. The path of the scratch folder does not count: it has our name, too. */
export const hasOurs = (path: string, home: string): boolean =>
  existsSync(path) &&
  (basename(path).includes('precis') ||
    /precis/i.test(readFileSync(path, 'utf8').replaceAll(dirname(dirname(home)), '')))

/** Returns a cell with files that are not as they should be. */
export const describeFiles = (paths: readonly string[], home: string, good: string): string =>
  paths.length === 0 ? good : `FAULT: ${paths.map((path) => path.replace(home, '~')).join(', ')}`
