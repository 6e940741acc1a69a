import { isDeepStrictEqual } from 'node:util'
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isOurHook, type AgentSetting, type InstallTarget, type Setup } from '../../agents/install-target.ts'
import type { Machine } from '../../agents/home.ts'
import { namesIn } from '../../agents/shared/session-file.ts'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import { sha256 } from '../../session/hash-id.ts'
import {
  createStateFolder,
  hasStateFolder,
  readPrivate,
  stateFolderOf,
  writePrivate,
} from '../prepared/state-folder.ts'
import type { Trace } from './edit-settings.ts'
import { hooksIn } from './edit-json.ts'
import { hashOfText } from './settings-file.ts'

/** What an installation has written for an agent: kept in the state folder of the user, to undo it. */
export interface Receipt {
  agent: string
  project?: string | undefined
  url?: string | undefined
  /** The version of Précis. */
  version: string
  files: readonly FileReceipt[]
  /** The folders that were created for these files and for the receipt, by this installation or by one of another agent. */
  folders: readonly string[]
}

export interface FileReceipt {
  path: string
  /** The text of the file before the installation; null if there was none, undefined if its backup is missing. */
  before: string | null | undefined
  /** The hash of the file after it. */
  after: string
  settings: readonly TracedSetting[]
}

export type TracedSetting = AgentSetting & { trace: Trace }

interface ReceiptKey {
  agent: string
  project?: string | undefined
}

/** Returns the key of the installation of an agent, for its user or for the project of a setup. */
export const receiptKeyOf = (
  { id: agent }: Pick<InstallTarget, 'id'>,
  { project }: Pick<Setup, 'project'>,
): ReceiptKey => ({
  agent,
  project,
})

const baseOf = (machine: Machine): string => join(stateFolderOf(machine), 'installed')

/** Returns the folder of a receipt: what a file was before may have keys, so only its user can read the folder. */
export function receiptFolder(machine: Machine, { agent, project }: ReceiptKey): string {
  const suffix = project === undefined ? '' : `@${sha256(project).slice(0, 16)}`
  return join(baseOf(machine), agent + suffix)
}

const RECEIPT = 'receipt.json'

/** Returns the receipt of an installation; undefined if there is none. */
export function readReceipt(machine: Machine, key: ReceiptKey): Receipt | undefined {
  const folder = receiptFolder(machine, key)
  if (![stateFolderOf(machine), baseOf(machine), folder].every(hasStateFolder)) return undefined
  const fields = fieldsIn(folder)
  const { agent, files } = fields
  // Without a receipt that is whole, what is certainly ours is found in the settings.
  if (agent !== key.agent || !Array.isArray(files) || !files.every(isFileReceipt)) return undefined
  const receipt = fields as unknown as Receipt
  return {
    ...receipt,
    folders: textsIn(fields['folders']),
    files: receipt.files.map(({ before, settings, ...file }) => ({
      ...file,
      before: typeof before === 'string' ? readPrivate(join(folder, before)) : before,
      settings: settings.map(withFunctions),
    })),
  }
}

function isFileReceipt(value: unknown): boolean {
  const { path, before, after, settings } = fieldsOf(value)
  return (
    [path, after].every((one) => typeof one === 'string') &&
    (before === null || typeof before === 'string') &&
    Array.isArray(settings) &&
    settings.every(isTracedSetting)
  )
}

function isTracedSetting(value: unknown): boolean {
  const { kind, file, purpose, path, name, trace } = fieldsOf(value)
  const keys = kind === 'table' ? name : kind === 'file' ? [] : path
  return (
    ['member', 'element', 'table', 'key', 'file'].includes(String(kind)) &&
    [file, purpose].every((one) => typeof one === 'string') &&
    Array.isArray(keys) &&
    keys.every((key) => typeof key === 'string') &&
    typeof fieldsOf(trace)['depth'] === 'number'
  )
}

const fieldsIn = (folder: string): ReturnType<typeof fieldsOf> =>
  fieldsOf(parseJson(readPrivate(join(folder, RECEIPT)) ?? ''))

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : []

/**
 * Returns the folders above some files of an installation, and above its receipt, that this installation creates or an earlier one has
 * created for another agent, the outer ones first: whichever of them is removed last removes the folders.
 */
export function foldersToCreate(machine: Machine, key: ReceiptKey, files: readonly string[]): string[] {
  const created = new Set(createdFolders(machine))
  const above = [...files, join(receiptFolder(machine, key), RECEIPT)].flatMap(foldersAbove)
  return [...new Set(above)]
    .filter((folder) => created.has(folder) || !fs.existsSync(folder))
    .sort((a, b) => a.length - b.length)
}

function createdFolders(machine: Machine): string[] {
  const base = baseOf(machine)
  if (![stateFolderOf(machine), base].every(hasStateFolder)) return []
  return fs.readdirSync(base).flatMap((name) => textsIn(fieldsIn(join(base, name))['folders']))
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...foldersAbove(folder)]
}

/** Returns whether there are installations of other agents, or for projects. */
export const hasOtherReceipts = (machine: Machine, key: ReceiptKey): boolean =>
  namesIn(baseOf(machine)).some((name) => name !== basename(receiptFolder(machine, key)))

/** What JSON does not keep. */
const withFunctions = (setting: TracedSetting): TracedSetting =>
  setting.kind === 'element'
    ? { ...setting, isOurs: (value) => isDeepStrictEqual([value], hooksIn(setting.value)) || isOurHook(value) }
    : setting

/** Writes a receipt, with the files of before the installation beside it. */
export function writeReceipt(machine: Machine, receipt: Receipt): void {
  const folder = receiptFolder(machine, receipt)
  for (const path of [stateFolderOf(machine), baseOf(machine), folder]) createStateFolder(path)
  const files = receipt.files.map(({ before, ...file }) => {
    if (before === null) return { ...file, before }
    const name = `${basename(file.path)}.${hashOfText(file.path).slice(0, 8)}.bak`
    // Of a backup that is missing, the name stays: the file was there.
    if (before !== undefined) writePrivate(join(folder, name), before)
    return { ...file, before: name }
  })
  writePrivate(join(folder, RECEIPT), `${JSON.stringify({ ...receipt, files }, undefined, 1)}\n`)
}

/** Removes a receipt, and the folders that were created for it and its files, if nothing else is in them. */
export function removeReceipt(machine: Machine, key: ReceiptKey): void {
  const { folders = [] } = readReceipt(machine, key) ?? {}
  fs.rmSync(receiptFolder(machine, key), { recursive: true, force: true })
  for (const folder of folders.toReversed())
    try {
      fs.rmdirSync(folder)
    } catch {
      // Something else is in it by now, or it is gone.
    }
}
