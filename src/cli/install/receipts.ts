import * as fs from 'node:fs'
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { isOurHook, type AgentSetting } from '../../agents/install-target.ts'
import type { Machine } from '../../agents/home.ts'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import {
  createStateFolder,
  hasStateFolder,
  readPrivate,
  stateFolderOf,
  writePrivate,
} from '../prepared/state-folder.ts'
import type { Trace } from './edit-settings.ts'
import { isSameJson } from './edit-json.ts'

/** What an installation has written for an agent: kept in the state folder of the user, to undo it. */
export interface Receipt {
  agent: string
  project?: string | undefined
  url?: string | undefined
  /** The version of Précis. */
  version: string
  files: readonly FileReceipt[]
}

export interface FileReceipt {
  path: string
  /** The text of the file before the installation; null if there was none, undefined if its backup is missing. */
  before: string | null | undefined
  /** The hash of the file after it. */
  after: string
  /** The folders that were created for it. */
  folders: readonly string[]
  settings: readonly TracedSetting[]
}

export type TracedSetting = AgentSetting & { trace: Trace }

/** What a receipt is for. */
export interface ReceiptKey {
  agent: string
  project?: string | undefined
}

const baseOf = (machine: Machine): string => join(stateFolderOf(machine), 'installed')

/** Returns the folder of a receipt: what a file was before may have keys, so only its user can read the folder. */
export function receiptFolder(machine: Machine, { agent, project }: ReceiptKey): string {
  const suffix = project === undefined ? '' : `@${createHash('sha256').update(project).digest('hex').slice(0, 16)}`
  return join(baseOf(machine), agent + suffix)
}

const RECEIPT = 'receipt.json'

/** Returns the receipt of an installation; undefined if there is none. */
export function readReceipt(machine: Machine, key: ReceiptKey): Receipt | undefined {
  const folder = receiptFolder(machine, key)
  if (![stateFolderOf(machine), baseOf(machine), folder].every(hasStateFolder)) return undefined
  const fields = fieldsOf(parseJson(readPrivate(join(folder, RECEIPT)) ?? ''))
  if (fields['agent'] !== key.agent || !Array.isArray(fields['files'])) return undefined
  const receipt = fields as unknown as Receipt
  return {
    ...receipt,
    files: receipt.files.map(({ before, settings, ...file }) => ({
      ...file,
      before: typeof before === 'string' ? readPrivate(join(folder, before)) : before,
      settings: settings.map(withFunctions),
    })),
  }
}

/** What JSON does not keep. */
const withFunctions = (setting: TracedSetting): TracedSetting =>
  setting.kind === 'element'
    ? { ...setting, isOurs: (value) => isSameJson(value, setting.value) || isOurHook(value) }
    : setting

/** Writes a receipt, with the files of before the installation beside it. */
export function writeReceipt(machine: Machine, receipt: Receipt): void {
  const folder = receiptFolder(machine, receipt)
  for (const path of [stateFolderOf(machine), baseOf(machine), folder]) createStateFolder(path)
  const files = receipt.files.map(({ before, ...file }, index) => {
    const name = `${index + 1}-${basename(file.path)}.bak`
    if (typeof before !== 'string') return { ...file, before: null }
    writePrivate(join(folder, name), before)
    return { ...file, before: name }
  })
  writePrivate(join(folder, RECEIPT), `${JSON.stringify({ ...receipt, files }, undefined, 1)}\n`)
}

export function removeReceipt(machine: Machine, key: ReceiptKey): void {
  fs.rmSync(receiptFolder(machine, key), { recursive: true, force: true })
}
