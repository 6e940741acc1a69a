import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import type { Fields } from './values.ts'

/** The first and the last part of a file that may name the folder of its session, in bytes. */
export const HEAD_BYTES = 65_536

/** Returns the name of a session's file, without the extension. */
export const nameOf = (path: string): string => basename(path).replace(/\.jsonl?$/, '')

/** Returns the name of the folder of a session's file. */
export const folderOf = (path: string): string => basename(dirname(path))

/** Returns where a path leads through symbolic links; the path itself if that cannot be found out. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Returns a path, and the folders that it is in, the innermost first. */
export function withParents(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [path, ...withParents(parent)]
}

/**
 * Returns the first text that is found in one of the first lines of a session, or else in one of its last lines: the first one may
 * have a large image. Undefined also if the file cannot be read.
 */
export function findInLines(path: string, find: (value: Fields) => unknown): string | undefined {
  for (const part of [readHead(path), readTail(path)])
    for (const line of part.split('\n')) {
      const found = find(fieldsOf(parseJson(line)))
      if (typeof found === 'string') return found
    }
  return undefined
}

/** Returns the first part of a file; an empty text if it cannot be read. */
export const readHead = (path: string): string => readPart(path, () => 0)

/** Returns the last part of a file; an empty text if it is no longer than the first part, or cannot be read. */
const readTail = (path: string): string =>
  readPart(path, (size) => (size <= HEAD_BYTES ? size : Math.max(HEAD_BYTES, size - HEAD_BYTES)))

/**
 * Returns a part of a file; an empty text if it cannot be read.
 * @param startOf returns where the part begins in a file of a size in bytes
 */
export function readPart(path: string, startOf: (size: number) => number, maxBytes = HEAD_BYTES): string {
  try {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      const start = Math.max(0, startOf(size))
      const part = Buffer.alloc(Math.max(0, Math.min(maxBytes, size - start)))
      return part.toString('utf8', 0, readSync(file, part, 0, part.length, start))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/** Returns the text of a file; an empty one if it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the names in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
