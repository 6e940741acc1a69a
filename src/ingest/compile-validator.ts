import type { Static, TProperties, TSchema } from '@sinclair/typebox'
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import { namingFault, NO_FORM, Problem, type Fault } from '../errors.ts'
import { findFaults } from '../schemas/find-faults.ts'
import { isPlainObject } from '../session/entry.ts'
import { groupOf } from './count-ignored.ts'

/** Returns a checked value with the fields that its form has, or the problem of a wrong one. */
export type Validate<T = unknown> = (value: unknown) => { value: T; properties: TProperties } | { error: Problem }

/**
 * Compiles a route's schema into a validator that reports all faults, each with its pointer. It changes nothing: Fastify's
 * own validator would coerce types, add defaults and remove fields.
 */
export function compileValidator<S extends TSchema>(schema: S): Validate<Static<S>> {
  let compiled: TypeCheck<S> | undefined
  const properties = groupOf(schema)
  return (value) => {
    // Compiled at the first use, to start faster.
    compiled ??= TypeCompiler.Compile(schema)
    if (compiled.Check(value)) return { value, properties }
    return { error: invalidBody(findFaults(compiled.Errors(value))) }
  }
}

type Forms = Readonly<Record<string, TSchema>>

/**
 * Compiles the schemas of a body that has one of several forms. The one field that is present selects the form, and only
 * the faults of that form are reported.
 * @param forms the schema of each form, by the field that selects it
 */
export function compileForms<F extends Forms>(forms: F): Validate<Static<F[keyof F]>> {
  const names = Object.keys(forms)
  const validators = new Map(names.map((name) => [name, compileValidator(forms[name] as F[keyof F])]))
  return (body) => {
    const present = isPlainObject(body) ? names.filter((name) => Object.hasOwn(body, name)) : []
    const validate = present.length === 1 ? validators.get(present[0] ?? '') : undefined
    return validate?.(body) ?? { error: wrongForm(names, isPlainObject(body) ? present : undefined) }
  }
}

/** @param present the fields of forms that the body has; undefined if it is no object */
function wrongForm(names: string[], present: string[] | undefined): Problem {
  // The routes with forms also read an envelope (envelope.ts), which never comes here.
  const wanted = `must have exactly one of ${[...names, 'session'].join(', ')}`
  const found = present?.length === 0 ? NO_FORM : `it has ${present?.join(' and ')}`
  const detail = present === undefined ? 'must be a JSON object' : `${wanted}; ${found}`
  return new Problem('invalid-request', `The body ${detail}.`, { faults: [{ pointer: '', detail }] })
}

/**
 * Returns the problem of a request with faults: in its body, and in its query parameters.
 * @param read the names of the parameters that were read, by the pointers of the fields that they stand for
 */
export function invalidRequest(found: readonly Fault[], read: ReadonlyMap<string, string>): Problem {
  const faults = found.map((fault): Fault => {
    const [pointer, parameter] = [...read].find(([at]) => `${fault.pointer}/`.startsWith(`${at}/`)) ?? []
    if (pointer === undefined || parameter === undefined) return fault
    return { ...fault, pointer: `/${parameter}${fault.pointer.slice(pointer.length)}`, parameter }
  })
  const names = [...new Set(faults.flatMap(({ parameter }) => (parameter === undefined ? [] : `\`${parameter}\``)))]
  if (names.length === 0) return invalidBody(faults)
  const parameters = `the query parameter${names.length > 1 ? 's' : ''} ${names.join(' and ')}`
  const subjects = faults.every(({ parameter }) => parameter !== undefined)
    ? `T${parameters.slice(1)}`
    : `The request body and ${parameters}`
  const verb = names.length === 1 && subjects.startsWith('The query') ? 'is' : 'are'
  return new Problem('invalid-request', namingFault(`${subjects} ${verb} not valid`, faults), { faults })
}

export function invalidBody(faults: readonly Fault[]): Problem {
  return new Problem('invalid-request', namingFault('The request body is not valid', faults), { faults })
}
