import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import type { TSchema } from '@sinclair/typebox'
import type { Fault } from '../errors.ts'
import { EntrySchema } from '../schemas/entry.ts'
import { findFaults } from '../schemas/find-faults.ts'
import { MessageSchema } from '../schemas/message.ts'

/** The lists of a session's forms. */
export type ListName = 'entries' | 'messages'

const SCHEMAS: Record<ListName, TSchema> = { entries: EntrySchema, messages: MessageSchema }

const checks = new Map<ListName, TypeCheck<TSchema>>()

/**
 * Checks one element of a list as the list's form would.
 * @returns what is wrong with it, each fault by its pointer from the body's root; empty where nothing is
 */
export function checkElement(name: ListName, index: number, value: unknown): Fault[] {
  let check = checks.get(name)
  // Compiled when the first body comes: a service that is only asked whether it lives starts without.
  if (check === undefined) checks.set(name, (check = TypeCompiler.Compile(SCHEMAS[name])))
  if (check.Check(value)) return []
  return findFaults(check.Errors(value)).map(({ pointer, detail }) => ({
    pointer: `/${name}/${index}${pointer}`,
    detail,
  }))
}
