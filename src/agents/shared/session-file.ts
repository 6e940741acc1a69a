import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import type { Fields } from './values.ts'

/** The first part of a file that may name the folder of its session, in bytes. */
export const HEAD_BYTES = 65_536

/** Returns the name of a session's file, without the extension. */
export const nameOf = (path: string): string => basename(path).replace(/\.jsonl?$/, '')

/** Returns the name of the folder of a session's file. */
export const folderOf = (path: string): string => basename(dirname(path))

/** Returns a path, and the folders that it is in, the innermost first. */
export function withParents(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [path, ...withParents(parent)]
}

/** Returns the first text that is found in one of the first lines of a session; undefined also if the file cannot be read. */
export function findInHead(path: string, find: (value: Fields) => unknown): string | undefined {
  for (const line of readHead(path).split('\n')) {
    const found = find(fieldsOf(parseJson(line)))
    if (typeof found === 'string') return found
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

/** Returns the text of a file; an empty one if it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
