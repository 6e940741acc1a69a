import type { InstallTarget, Setup } from '../../agents/install-target.ts'
import { diffLists } from '../../text/diff-lists.ts'
import type { Cli } from '../cli.ts'
import type { Terminal } from '../terminal.ts'
import { isChange } from './apply-changes.ts'
import type { SettingsChange } from './plan-changes.ts'
import { settingsFor } from './targets.ts'

/** Returns the files of an agent that change, with their lines. */
export function describeChanges(
  { name }: InstallTarget,
  changes: readonly SettingsChange[],
  { terminal: { paint } }: Cli,
): string {
  const parts = changes.filter(isChange).map(({ file: { path, text = '', target }, after, changed }) => {
    const where = target === path ? path : `${path} (a link to ${target})`
    const what = after === undefined ? ' (is removed)' : text === '' ? ' (new)' : ''
    const notes = changed.map(({ purpose }) => `  Changed after the installation: ${purpose}\n`).join('')
    return `${paint('bold', `${where}${what}`)}\n${notes}${writeDiff(text, after ?? '', paint)}\n`
  })
  return `${name}\n\n${parts.join('\n')}\n`
}

/** Returns what an uninstallation leaves, since it is no longer ours. */
export function describeStaying({ file: { path }, replaced }: SettingsChange): string[] {
  const purposes = replaced.map(({ purpose }) => purpose).join('; ')
  return replaced.length === 0
    ? []
    : [`${path} has your own in the place of what was installed, and it stays: ${purposes}`]
}

/** Returns what an installation has not written: where the user has a program with the same name. */
export const describeUnwritten = (target: InstallTarget, setup: Setup, changes: readonly SettingsChange[]): string[] =>
  settingsFor(target, setup).flatMap((setting) =>
    setting.kind === 'file' && setting.command !== undefined && !changes.some(({ file }) => file.path === setting.file)
      ? `${setting.file} is your own, and stays as it is. Let it run this too, with its stdin (${setting.purpose}): ${setting.command}`
      : [],
  )

/** How many lines are shown around a change. */
const CONTEXT_LINES = 2

/** Returns the lines that a change adds and removes, with some around them. */
function writeDiff(before: string, after: string, paint: Terminal['paint']): string {
  const lines = diffLists(linesOf(before), linesOf(after))
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1).some(({ kind }) => kind !== 'same')
  let isCut = false
  return lines
    .flatMap((line, index) => {
      if (!isNear(index)) {
        const wasCut = isCut
        isCut = true
        return wasCut ? [] : ['  ...']
      }
      isCut = false
      return [paint(COLOURS[line.kind], `${MARKS[line.kind]} ${line.item.replace(/\r$/, '')}`)]
    })
    .join('\n')
}

const MARKS = { same: ' ', added: '+', removed: '-' } as const
const COLOURS = { same: 'dim', added: 'green', removed: 'red' } as const

/** An empty text has no line. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
