import { isDeepStrictEqual } from 'node:util'
import type { AgentSetting } from '../../agents/install-target.ts'
import { addSetting, hasOurs, hasSetting, isOfUser, serverIn } from './edit-settings.ts'
import type { FileReceipt } from './receipts.ts'
import { hashOfText, type SettingsFile } from './settings-file.ts'

/** What in a settings file is no longer as it was installed. */
export interface LaterChanges {
  /** What of ours was changed by somebody else. */
  changed: readonly AgentSetting[]
  /** In whose places the user has put something else. */
  replaced: readonly AgentSetting[]
}

export function changedSince({ text }: SettingsFile, known: FileReceipt | undefined): LaterChanges {
  if (known === undefined || text === undefined || hashOfText(text) === known.after)
    return { changed: [], replaced: [] }
  const { settings } = known
  return {
    changed: settings.filter((one) => !isAsInstalled(text, one, settings) && hasOurs(text, one, one.trace)),
    replaced: settings.filter((one) => isOfUser(text, one)),
  }
}

/** A table is as it was installed if those below it are, too. */
function isAsInstalled(text: string, setting: AgentSetting, all: readonly AgentSetting[]): boolean {
  if (!hasSetting(text, setting)) return false
  return (
    setting.kind !== 'table' ||
    isDeepStrictEqual(serverIn(text, setting), serverIn(all.reduce(addSetting, ''), setting))
  )
}
