import { readFileSync } from 'node:fs'
import type { TSchema } from '@sinclair/typebox'
import { ownFile } from '../own-package.ts'

const read = new Map<string, Record<string, unknown>>()

/**
 * Returns an example for the OpenAPI document, from a file of `examples/api/`: `OPERATION.json` is a request, `OPERATION.reply.json`
 * its reply, and `session.FORM.json` a request of all routes with a session.
 */
export function readExample(name: string): Record<string, unknown> {
  const known = read.get(name)
  if (known !== undefined) return known
  const example = JSON.parse(readFileSync(ownFile(`examples/api/${name}.json`), 'utf8')) as Record<string, unknown>
  read.set(name, example)
  return example
}

/** Returns the schema of a request with an example. */
export function withExample({ title = '', ...schema }: TSchema, example: unknown): TSchema {
  return { title, examples: [example], ...schema }
}
