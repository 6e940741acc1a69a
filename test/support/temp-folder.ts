import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** Returns a new folder, which is removed with the test. */
export function folderOf(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'precis-'))
  t.teardown(() => {
    rmSync(folder, { recursive: true })
  })
  return folder
}
