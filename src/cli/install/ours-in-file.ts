import { isDeepStrictEqual } from 'node:util'
import type { AgentSetting } from '../../agents/install-target.ts'
import { addSetting, hasOurs, hasSetting, isOfUser, removeSetting, serverIn } from './edit-settings.ts'
import type { FileReceipt, TracedSetting } from './receipts.ts'
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

/** Returns the text that a file has, or had, without anything of ours. */
export function withoutOurs({ text }: SettingsFile, { before, after, settings }: FileReceipt): string | undefined {
  if (before !== undefined && hashOfText(text) === after) return before ?? undefined
  const rest = withoutSettings(text, settings)
  // The file is there only because of us.
  return before === null && rest !== undefined && isEmpty(rest, settings) ? undefined : rest
}

/**
 * Returns the text without what is certainly ours, if no receipt says it. A permission is, beside a hook of ours: alone, the user may
 * have written it.
 */
export function withoutCertain(text: string | undefined, settings: readonly AgentSetting[]): string | undefined {
  const certain = settings.filter((one) => one.kind !== 'element' || typeof one.value !== 'string')
  return withoutSettings(text, certain) === text ? text : withoutSettings(text, settings)
}

export function withoutSettings(
  text: string | undefined,
  settings: readonly (AgentSetting | TracedSetting)[],
): string | undefined {
  return settings
    .toReversed()
    .reduce<string | undefined>(
      (rest, setting) =>
        rest === undefined ? undefined : removeSetting(rest, setting, 'trace' in setting ? setting.trace : undefined),
      text,
    )
}

const isEmpty = (text: string, [setting]: readonly AgentSetting[]): boolean =>
  text.trim() === '' || ((setting?.kind === 'member' || setting?.kind === 'element') && /^\s*\{\s*\}\s*$/.test(text))
