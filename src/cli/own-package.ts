import { readFileSync } from 'node:fs'

/** Returns the name and the version of this package: a release may have given it a name with a scope. */
export const readPackage = (): { name: string; version: string } =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { name: string; version: string }
