import { isDeepStrictEqual } from 'node:util'
import { isAbsolute, relative, resolve } from 'node:path'
import { parse } from 'yaml'
import type { InstallTarget, AgentSetting, Setup } from '../../agents/install-target.ts'
import { CliError } from '../exit.ts'
import { valueOfJson } from './edit-json.ts'
import { addSetting, hasSetting, isOfUser, traceOf } from './edit-settings.ts'
import { changedSince, withoutCertain, withoutOurs, withoutSettings, type LaterChanges } from './ours-in-file.ts'
import type { FileReceipt, Receipt, TracedSetting } from './receipts.ts'
import { readSettingsFile, type SettingsFile } from './settings-file.ts'
import { settingsFor } from './targets.ts'

export interface SettingsChange extends LaterChanges {
  file: SettingsFile
  /** The file without anything of ours: what an uninstallation leaves. */
  before: string | undefined
  /** The file after the change; undefined: none. */
  after: string | undefined
  /** What an installation writes into it: none if the file is only rid of what is ours. */
  settings: readonly TracedSetting[]
}

/** The changes for one agent. */
export interface PlannedChanges {
  target: InstallTarget
  setup: Setup
  changes: readonly SettingsChange[]
}

/**
 * Returns the changes of an installation. Files that have everything already are among them, unchanged. A
 * program of the user in the place of one of ours is not. What an earlier installation has written elsewhere in the agent's folder is
 * taken out: the agent would read both. Another folder, as of a second login, stays installed.
 * @throws CliError for a file that cannot be changed without a loss
 */
export function planInstallation(target: InstallTarget, setup: Setup, receipt: Receipt | undefined): SettingsChange[] {
  const groups = groupByFile(settingsFor(target, setup))
  const isWithin = isBelow(resolve(setup.folder, setup.project ?? target.folder(setup)))
  const former = (receipt?.files ?? []).filter(({ path }) => isWithin(path) && groups.every(([now]) => now !== path))
  return [...groups.flatMap((group) => installationOf(group, receipt)), ...former.map(removalOfKnown)]
}

const isBelow =
  (folder: string) =>
  (path: string): boolean => {
    const way = relative(folder, path)
    return !isAbsolute(way) && !/^\.\.(?:[\\/]|$)/.test(way)
  }

/** Returns the change of one file; none for a program of the user in the place of one of ours. */
const installationOf = (
  [path, settings]: [path: string, settings: AgentSetting[]],
  receipt: Receipt | undefined,
): SettingsChange[] =>
  explained(path, () => {
    const file = readSettingsFile(path)
    if (isForeignFile(file, settings) && settings.every((one) => one.kind === 'file' && one.command !== undefined))
      return []
    const known = receipt?.files.find((one) => one.path === path)
    if (settings.every((setting) => hasSetting(file.text, setting))) return [unchanged(file, settings, known)]
    refuseForeignFile(file, settings)
    const before = textBefore(file, settings, known)
    const { text, traced } = addAll(before ?? '', settings)
    refuseLoss(path, before, { after: text, settings: traced })
    return [{ file, before, after: text, settings: traced, ...changedSince(file, known) }]
  })

/** Returns the change of a file that has everything already. */
function unchanged(
  file: SettingsFile,
  settings: readonly AgentSetting[],
  known: FileReceipt | undefined,
): SettingsChange {
  const before = textBefore(file, settings, known)
  const traced = known?.settings ?? addAll(before ?? '', settings).traced
  return { file, before, after: file.text, settings: traced, changed: [], replaced: [] }
}

/** Returns the text of a file without anything of ours; without a receipt, of what is certainly ours: the rest is the user's own. */
const textBefore = (
  file: SettingsFile,
  settings: readonly AgentSetting[],
  known: FileReceipt | undefined,
): string | undefined => (known === undefined ? withoutCertain(file.text, settings) : withoutOurs(file, known))

/** Returns the changes of an uninstallation. @throws CliError for a file that cannot be changed without a loss */
export function planRemoval(target: InstallTarget, setup: Setup, receipt: Receipt | undefined): SettingsChange[] {
  if (receipt !== undefined) return receipt.files.map(removalOfKnown)
  return groupByFile(settingsFor(target, setup)).map(([path, settings]) =>
    removalOf(path, ({ text }) => withoutCertain(text, settings)),
  )
}

const removalOfKnown = (known: FileReceipt): SettingsChange =>
  removalOf(known.path, (file) => withoutOurs(file, known), known)

function removalOf(
  path: string,
  withoutAll: (file: SettingsFile) => string | undefined,
  known?: FileReceipt,
): SettingsChange {
  return explained(path, () => {
    const file = readSettingsFile(path)
    const after = withoutAll(file)
    return { file, before: after, after, settings: [], ...changedSince(file, known) }
  })
}

function groupByFile(settings: readonly AgentSetting[]): [path: string, settings: AgentSetting[]][] {
  const files = new Map<string, AgentSetting[]>()
  for (const setting of settings) files.set(setting.file, [...(files.get(setting.file) ?? []), setting])
  return [...files]
}

/** Adds the place and the remedy to what is wrong with the text of a file. */
function explained<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof CliError || !(cause instanceof Error)) throw cause
    throw new CliError(
      'failed',
      `${path} cannot be changed: ${cause.message}. Nothing was changed. Correct the file, or move it away, and run the ` +
        'command again.',
      { cause },
    )
  }
}

function addAll(text: string, settings: readonly AgentSetting[]): { text: string; traced: TracedSetting[] } {
  const traced: TracedSetting[] = []
  let rest = text
  for (const setting of settings) {
    traced.push({ ...setting, trace: traceOf(rest, setting) })
    rest = addSetting(rest, setting)
  }
  return { text: rest, traced }
}

/** Whether a file of the user's own has the name of one of ours. */
const isForeignFile = ({ text }: SettingsFile, settings: readonly AgentSetting[]): boolean =>
  text !== undefined && settings.some((setting) => setting.kind === 'file' && isOfUser(text, setting))

function refuseForeignFile(file: SettingsFile, settings: readonly AgentSetting[]): void {
  if (isForeignFile(file, settings))
    throw new CliError(
      'failed',
      `${file.path} is there already, and Précis has not written it. Nothing was changed. Move it away, and run the command again.`,
    )
}

/** The last check before anything is written: all of ours is there, and nothing else has changed. @throws Error */
function refuseLoss(
  path: string,
  before: string | undefined,
  { after, settings }: { after: string; settings: readonly TracedSetting[] },
): void {
  const rest = withoutSettings(after, settings)
  const isWhole =
    settings.every((setting) => hasSetting(after, setting)) && isSameDocument(rest ?? '', before ?? '', settings)
  if (!isWhole)
    throw new Error(
      `the settings have a form in which ${path.split(/[\\/]/).at(-1) ?? 'they'} cannot be changed safely`,
    )
}

function isSameDocument(a: string, b: string, [setting]: readonly AgentSetting[]): boolean {
  switch (setting?.kind) {
    case 'member':
    case 'element':
      return isDeepStrictEqual(valueOfJson(a) ?? {}, valueOfJson(b) ?? {})
    case 'key':
      return isDeepStrictEqual(parse(a) ?? {}, parse(b) ?? {})
    default:
      return a.trim() === b.trim()
  }
}
