import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const TEST = new URL('../', import.meta.url)

/**
 * Imports all test files of some folders of `test/` into this process; `.` are the files in `test/` itself. Starting a process takes longer than most files
 * take to run, so that the suite is several times faster this way; each file still runs alone too.
 */
export function importTests(...folders: string[]): void {
  // As a test of its own: tap ends by itself once it has nothing to do, even if there are files left to import.
  t.test(`the tests of ${folders.join(', ')} are loaded`, async () => {
    for (const file of folders.flatMap(testFilesOf)) await import(file)
  })
}

const testFilesOf = (folder: string): string[] =>
  readdirSync(fileURLToPath(new URL(`${folder}/`, TEST)), { recursive: folder !== '.', encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => new URL(`${folder}/${name}`, TEST).href)
