import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import { Problem, type Fault } from '../errors.ts'
import { SessionBody } from '../ingest/session-body.ts'
import { findFaults, MAX_FAULTS } from '../schemas/find-faults.ts'

type Validate = (value: unknown) => { value: unknown } | { error: Problem }

const badForm = (faults: readonly Fault[]): Problem =>
  new Problem('invalid-request', 'The request does not have the form that this route takes.', { faults })

/**
 * Compiles a route's schema into a check that changes nothing: no coercion, no defaults, no removal, which Fastify's
 * own validator would do. All faults are told, each by its pointer.
 */
export function compileValidator(schema: TSchema): Validate {
  let compiled: TypeCheck<TSchema> | undefined
  return withLists((value) => {
    // Compiled when it is first needed: a start compiles nothing.
    compiled ??= TypeCompiler.Compile(schema)
    if (compiled.Check(value)) return { value }
    return { error: badForm(findFaults(compiled.Errors(value))) }
  })
}

/**
 * Compiles a body that has one of several forms, told apart by which one of their fields is there: only that form's
 * faults are told.
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

/** The lists of a session were checked as they came; what is left of its body is checked here, and joined with them. */
function withLists(validate: Validate): Validate {
  return (body) => {
    if (!(body instanceof SessionBody)) return validate(body)
    const result = validate(body.fields)
    const others = 'error' in result ? result.error.faults : []
    // A body of the wrong form has that one fault.
    if ('error' in result && others.some(({ pointer }) => pointer === '')) return result
    const faults = [...body.faults(), ...others]
    return faults.length > 0 ? { error: badForm(faults.slice(0, MAX_FAULTS)) } : { value: body.join() }
  }
}

function wrongForm(names: string[], present: string[], isObject: boolean): Problem {
  const wanted = `must have exactly one of ${names.join(', ')}`
  const detail = isObject ? `${wanted}; it has ${present.join(' and ') || 'none'}` : 'must be an object'
  return new Problem('invalid-request', `The body ${detail}.`, { faults: [{ pointer: '', detail }] })
}
