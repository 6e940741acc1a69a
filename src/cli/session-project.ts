import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { basename } from 'node:path'

/** The first part of a file that may name the folder of its session, in bytes. */
export const HEAD_BYTES = 65_536

/** Returns the name of a session's file, without the extension. */
export const nameOf = (path: string): string => basename(path).replace(/\.jsonl?$/, '')

/** Returns the folder that one of the first lines of a session names; undefined also if the file cannot be read. */
export const projectInFile = (path: string): string | undefined => findInHead(path, cwdOf)

/** Returns the id that one of the first lines of a session names. */
export const idInFile = (path: string): string | undefined => findInHead(path, idOf)

/** Returns the folder that a file beside the session names. */
export const projectInManifest = (path: string): string | undefined => cwdOf(readJson(path))

/** Returns which of two agents with one format wrote a session; only that of oh-my-pi begins with a title, which it can change. */
export const writerOf = (path: string): 'pi' | 'oh-my-pi' | undefined =>
  findInHead(path, (value) => {
    const { type } = (value ?? {}) as { type?: unknown }
    if (type === 'title') return 'oh-my-pi'
    return type === 'session' ? 'pi' : undefined
  })

function findInHead<T>(path: string, find: (value: unknown) => T | undefined): T | undefined {
  for (const line of readHead(path).split('\n')) {
    const found = find(parseJson(line))
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the first part of a file; an empty text if it cannot be read. */
export function readHead(path: string): string {
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

function idOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  // `session_meta` is the first line of Codex; other lines have ids of messages.
  const { sessionId, type, payload } = value as {
    sessionId?: unknown
    type?: unknown
    payload?: { id?: unknown } | null
  }
  const id = type === 'session_meta' ? payload?.id : sessionId
  return typeof id === 'string' ? id : undefined
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
