import { spawnSync } from 'node:child_process'
import type { InstallTarget, MemberSetting, Setup } from '../../agents/install-target.ts'
import { readPackage } from '../../own-package.ts'
import { CliError } from '../exit.ts'
import { findProgram } from '../find-program.ts'
import { clearState } from './clear-state.ts'
import { valueAt, valueOfJson } from './edit-json.ts'
import { hasSetting } from './edit-settings.ts'
import type { PlannedChanges, SettingsChange } from './plan-changes.ts'
import {
  foldersToCreate,
  hasOtherReceipts,
  readReceipt,
  receiptKeyOf,
  removeReceipt,
  writeReceipt,
  type Receipt,
} from './receipts.ts'
import {
  hashOfText,
  readSettingsFile,
  runningOf,
  SettingsFileError,
  copyBeside,
  writeSettingsFile,
} from './settings-file.ts'
import { settingsFor } from './targets.ts'

/** How long a command of an agent may take. */
const TIMEOUT_MS = 60_000

/**
 * Writes an installation, and checks that it is there. What is needed to undo it is written first. Returns the copies of files in which
 * somebody has changed what is taken out.
 * @param written gets the paths of the files that were changed
 * @throws CliError
 */
export function applyInstallation(planned: PlannedChanges, written: string[]): string[] {
  const { target, setup, changes } = planned
  const former = readReceipt(setup, receiptKeyOf(target, setup))
  const receipt = receiptOf(planned, former)
  const countBefore = written.length
  writeReceipt(setup, receipt)
  let copies: string[] = []
  try {
    copies = writeAll(planned, written)
  } catch (error) {
    if (former === undefined && written.length === countBefore && error instanceof SettingsFileError)
      removeReceipt(setup, receipt)
    throw error
  }
  const found = changes
    .filter(({ settings }) => settings.length > 0)
    .map(({ file, settings }) => ({ text: readSettingsFile(file.path).text, file, settings }))
  for (const { text, file, settings } of found)
    if (!settings.every((setting) => hasSetting(text, setting)))
      throw new CliError(
        'failed',
        `${file.path} has not what was written: another program has changed it at once. Leave ${target.name}, and run the command again.`,
      )
  const isTakenOut = (path: string): boolean => changes.some(({ file }) => file.path === path)
  const files = receipt.files.flatMap((one) => {
    const now = found.find(({ file }) => file.path === one.path)
    if (now === undefined) return isTakenOut(one.path) ? [] : [one]
    return [{ ...one, after: hashOfText(now.text) }]
  })
  writeReceipt(setup, { ...receipt, files })
  return copies
}

/**
 * Writes an uninstallation. With the last one goes what hooks have kept. Returns the copies of files in which somebody has changed what
 * is removed, and what else stays.
 * @param written gets the paths of the files that were changed
 * @throws CliError
 */
export function applyRemoval(
  planned: PlannedChanges,
  written: string[],
): { copies: string[]; staying: string | undefined } {
  const { target, setup, changes } = planned
  const key = receiptKeyOf(target, setup)
  const isInstalled = changes.some(isChange) || readReceipt(setup, key) !== undefined
  const copies = writeAll(planned, written)
  const staying = isInstalled && !hasOtherReceipts(setup, key) ? clearState(setup) : undefined
  removeReceipt(setup, key)
  return { copies, staying }
}

/** Writes files one after the other. An error names those that were written before it. Returns copies of files with changes that go. */
function writeAll({ target, setup, changes }: PlannedChanges, written: string[]): string[] {
  const copies: string[] = []
  for (const change of changes.filter(isChange)) {
    const { path, text } = change.file
    const isTakenOut = change.settings.length === 0
    try {
      if (isTakenOut && text !== undefined && change.changed.length > 0) copies.push(copyBeside(path, text))
      write(target, setup, change)
    } catch (error) {
      throw error instanceof SettingsFileError ? error.after(written) : error
    }
    written.push(path)
  }
  return copies
}

export const isChange = ({ file, after }: SettingsChange): boolean => file.text !== after

/** Returns the receipt of an installation, with the files of an earlier one: they are ours until they are taken out. */
function receiptOf({ target, setup, changes }: PlannedChanges, former: Receipt | undefined): Receipt {
  const key = receiptKeyOf(target, setup)
  const own = changes.filter(({ settings }) => settings.length > 0)
  const earlier = (former?.files ?? []).filter(({ path }) => own.every(({ file }) => file.path !== path))
  const folders = foldersToCreate(
    setup,
    key,
    own.map(({ file }) => file.target),
  )
  return {
    ...{ ...key, url: setup.url, version: readPackage().version },
    files: [
      ...own.map(({ file, before, after, settings }) => ({
        path: file.path,
        before: before ?? null,
        after: hashOfText(after),
        settings,
      })),
      ...earlier,
    ],
    folders: [...new Set([...(former?.folders ?? []), ...folders])].sort((a, b) => a.length - b.length),
  }
}

/** Writes a file; by the agent's own command, if the agent is running and writes this file itself. */
function write(target: InstallTarget, setup: Setup, change: SettingsChange): void {
  const members = change.file.text === undefined ? [] : [...change.settings, ...ownMembers(target, setup, change)]
  const setting = members.find((one): one is MemberSetting => one.kind === 'member' && one.commands !== undefined)
  const pid = setting && runningOf(target.processes?.(setup) ?? [])
  if (setting?.commands === undefined || pid === undefined) {
    const isProgram = change.settings.some((one) => one.kind === 'file' && one.command !== undefined)
    writeSettingsFile(change.file, change.after, isProgram ? 0o700 : undefined)
    return
  }
  const [old, value] = [change.file.text, change.after].map((text = '') => valueAt(valueOfJson(text), setting.path))
  if (old !== undefined) run(setting.commands.remove, { target, setup, pid })
  // What an uninstallation puts back may be an entry of the user.
  if (value !== undefined) run([...setting.commands.add, JSON.stringify(value)], { target, setup, pid })
}

/** An uninstallation has no settings that it writes. */
const ownMembers = (target: InstallTarget, setup: Setup, { file }: SettingsChange): readonly MemberSetting[] =>
  settingsFor(target, setup).filter(
    (setting): setting is MemberSetting => setting.kind === 'member' && setting.file === file.path,
  )

function run(
  [name = '', ...args]: readonly string[],
  { target, setup, pid }: { target: InstallTarget; setup: Setup; pid: number },
): void {
  const { env, folder, project = folder } = setup
  const program = findProgram(name, env, folder)
  const { status, error } =
    program === undefined ? {} : spawnSync(program, args, { env, cwd: project, timeout: TIMEOUT_MS, stdio: 'ignore' })
  if (program === undefined || error !== undefined || status !== 0)
    throw new CliError(
      'failed',
      `${target.name} is running (process ${pid}) and writes its settings itself, and \`${name} ${args[0] ?? ''}\` ` +
        `${program === undefined ? 'was not found' : 'failed'}. Leave ${target.name}, and run the command again.`,
    )
}
