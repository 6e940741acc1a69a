import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

/** The folder of this package: sources, compiled files and the files of a bundle are at different depths below it. */
const ROOT = findRoot(new URL('./', import.meta.url))

/** Returns where a file or a folder of this package is, by its path in it. */
export const ownFile = (path: string): URL => new URL(path, ROOT)

/** Returns where a program is, by its name in `src/`: TypeScript under tsx, else JavaScript in the folder of this code. */
export function ownProgram(name: string): URL {
  const [folder = ''] = import.meta.url.slice(ROOT.href.length).split('/')
  return ownFile(`${folder}/${name}${extname(import.meta.url)}`)
}

interface Package {
  /** A release may have given it a scope. */
  name: string
  version: string
  description: string
}

/** Returns what package.json says of this package. */
export const readPackage = (): Package => JSON.parse(readFileSync(ownFile('package.json'), 'utf8')) as Package

function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder
  const above = new URL('../', folder)
  if (above.href === folder.href) throw new Error(`No folder above ${import.meta.url} has a package.json.`)
  return findRoot(above)
}
