import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/** The first part of a file that may name the folder of its session, in bytes. */
const HEAD_BYTES = 65_536

/** Returns the folder that one of the first lines of a session names; undefined also if the file cannot be read. */
export function projectInFile(path: string): string | undefined {
  for (const line of readHead(path).split('\n')) {
    const found = cwdOf(parseJson(line))
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the folder that a file beside the session names. */
export const projectInManifest = (path: string): string | undefined => cwdOf(readJson(path))

function readHead(path: string): string {
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const file = openSync(path, 'r')
    try {
      return head.toString('utf8', 0, readSync(file, head))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

function cwdOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  // `working_dir` is Goose's name.
  const { cwd, working_dir, payload } = value as { cwd?: unknown; working_dir?: unknown; payload?: unknown }
  const folder = cwd ?? working_dir
  return typeof folder === 'string' ? folder : cwdOf(payload)
}

function readJson(path: string): unknown {
  try {
    return parseJson(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
