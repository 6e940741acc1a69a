import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import { Problem, type Fault } from '../errors.ts'
import { SessionBody } from './session-body.ts'
import { findFaults, MAX_FAULTS } from '../schemas/find-faults.ts'

export type Validate = (value: unknown) => { value: unknown } | { error: Problem }

/**
 * Compiles a route's schema into a validator that reports all faults, each with its pointer. It changes nothing: Fastify's
 * own validator would coerce types, add defaults and remove fields.
 */
export function compileValidator(schema: TSchema): Validate {
  let compiled: TypeCheck<TSchema> | undefined
  return withLists((value) => {
    // Compiled at the first use, to start faster.
    compiled ??= TypeCompiler.Compile(schema)
    if (compiled.Check(value)) return { value }
    return { error: invalidBody(findFaults(compiled.Errors(value))) }
  })
}

/**
 * Compiles the schemas of a body that has one of several forms. The one field that is present selects the form, and only
 * the faults of that form are reported.
 * @param forms the schema of each form, by the field that selects it
 */
export function compileForms(forms: Readonly<Record<string, TSchema>>): Validate {
  const names = Object.keys(forms)
  const validators = new Map(names.map((name) => [name, compileValidator(forms[name] as TSchema)]))
  return withLists((body) => {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    const present = isObject ? names.filter((name) => Object.hasOwn(body, name)) : []
    const validate = present.length === 1 ? validators.get(present[0] ?? '') : undefined
    return validate?.(body) ?? { error: wrongForm(names, present, isObject) }
  })
}

/** Validates the other fields of a session's body, whose lists were checked while they were read, and joins both. */
function withLists(validate: Validate): Validate {
  return (body) => {
    if (!(body instanceof SessionBody)) return validate(body)
    const result = validate(body.fields)
    const others = 'error' in result ? result.error.faults : []
    // If the form is unknown, the other faults mean nothing.
    if ('error' in result && others.some(({ pointer }) => pointer === '')) return result
    const faults = [...body.faults(), ...others]
    return faults.length > 0 ? { error: invalidBody(faults.slice(0, MAX_FAULTS)) } : { value: body.join() }
  }
}

function wrongForm(names: string[], present: string[], isObject: boolean): Problem {
  const wanted = `must have exactly one of ${names.join(', ')}`
  const found = present.length === 0 ? 'it has none of them' : `it has ${present.join(' and ')}`
  const detail = isObject ? `${wanted}; ${found}` : 'must be a JSON object'
  return new Problem('invalid-request', `The body ${detail}.`, { faults: [{ pointer: '', detail }] })
}

function invalidBody(faults: readonly Fault[]): Problem {
  return new Problem('invalid-request', 'The request body is not valid. See `errors` for each fault.', { faults })
}
