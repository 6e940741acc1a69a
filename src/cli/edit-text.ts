import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Machine } from '../agents/home.ts'
import { commandWords } from '../model/commands/command-words.ts'
import { CliError } from './exit.ts'
import { findProgram } from './find-program.ts'

/**
 * Lets the user change a text in the editor of `VISUAL` or `EDITOR`, and returns it. The file is readable by the user alone.
 * @throws CliError if there is no editor, or if it fails
 */
export async function editText(text: string, { env, folder }: Pick<Machine, 'env' | 'folder'>): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'precis-edit-'))
  try {
    const path = join(place, 'summary.md')
    writeFileSync(path, `${text.trimEnd()}\n`, { mode: 0o600 })
    const code = await runEditor([...editorOf({ env, folder }), path], { env, folder })
    if (code !== 0) throw new CliError('failed', `The editor has ended with ${code}. Nothing was written.`)
    return readFileSync(path, 'utf8').trim()
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Returns the words that start the editor of the user. @throws CliError if none is named, or there is no such program */
export function editorOf({ env, folder }: Pick<Machine, 'env' | 'folder'>): string[] {
  const named = [env['VISUAL'], env['EDITOR']].find((one) => one !== undefined && one.trim() !== '')
  if (named === undefined) throw new CliError('usage', '--edit needs an editor: set VISUAL or EDITOR to its command.')
  const words = commandWords(named)
  const [program = ''] = words
  if (findProgram(program, env, folder) === undefined)
    throw new CliError(
      'usage',
      `The editor "${program}" was not found. Set VISUAL or EDITOR to the command of another one.`,
    )
  return words
}

async function runEditor(
  [program = '', ...args]: readonly string[],
  { env, folder }: Pick<Machine, 'env' | 'folder'>,
): Promise<number | string> {
  // Ctrl-C belongs to the editor.
  const ignore = (): void => undefined
  process.on('SIGINT', ignore)
  try {
    return await new Promise((resolve) => {
      const child = spawn(program, args, { cwd: folder, env: { ...env }, stdio: 'inherit' })
      child.on('error', (error) => resolve(`an error (${error.message})`))
      child.on('exit', (code, signal) => resolve(code ?? signal ?? 0))
    })
  } finally {
    process.removeListener('SIGINT', ignore)
  }
}
