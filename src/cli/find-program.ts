import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import type { Environment } from '../environment.ts'

/** Returns the path of a program that can be run, by its name or its path; undefined if there is none. */
export function findProgram(name: string, env: Environment, folder: string): string | undefined {
  const places = /[\\/]/.test(name)
    ? [resolve(folder, name)]
    : (env['PATH'] ?? '').split(delimiter).flatMap((place) => (place === '' ? [] : [join(place, name)]))
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : ['']
  return places.flatMap((place) => endings.map((ending) => place + ending)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
