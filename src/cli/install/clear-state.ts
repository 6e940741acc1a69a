import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../agents/home.ts'
import { hasStateFolder, stateFolderOf } from '../prepared/state-folder.ts'
import { WatcherClaim } from '../prepared/watcher-claim.ts'

/** What hooks and preparations keep. */
const KEPT = ['hooks', 'summaries', 'key', 'calls']

/** Removes what hooks have kept, and prepared summaries, with their key. Returns what stays, and why. */
export function clearState(machine: Machine): string | undefined {
  const path = stateFolderOf(machine)
  if (!hasStateFolder(path)) return undefined
  const other = new WatcherClaim({ path, now: Date.now }).livingOther()
  for (const name of other === undefined ? KEPT : ['hooks'])
    fs.rmSync(join(path, name), { recursive: true, force: true })
  return other === undefined
    ? undefined
    : `The prepared summaries stay: process ${other.pid} prepares them. Once it has ended, \`precis watch --forget\` removes them.`
}
