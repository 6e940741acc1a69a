import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Problem } from '../errors.ts'
import { findFaults } from '../schemas/find-faults.ts'

type Validate = (value: unknown) => { value: unknown } | { error: Error }

/**
 * Compiles a route's schema into a check that changes nothing: no coercion, no defaults, no removal, which Fastify's
 * own validator would do. All faults are told, each by its pointer.
 */
export function compileValidator(schema: TSchema): Validate {
  const compiled = TypeCompiler.Compile(schema)
  return (value) => {
    if (compiled.Check(value)) return { value }
    const faults = findFaults(compiled.Errors(value))
    return {
      error: new Problem('invalid-request', 'The request does not have the form that this route takes.', { faults }),
    }
  }
}

/**
 * Compiles a body that has one of several forms, told apart by which one of their fields is there: only that form's
 * faults are told.
 */
export function compileForms(forms: Readonly<Record<string, TSchema>>): Validate {
  const names = Object.keys(forms)
  const validators = new Map(names.map((name) => [name, compileValidator(forms[name] as TSchema)]))
  return (body) => {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    const present = isObject ? names.filter((name) => Object.hasOwn(body, name)) : []
    const validate = present.length === 1 ? validators.get(present[0] ?? '') : undefined
    return validate?.(body) ?? { error: wrongForm(names, present, isObject) }
  }
}

function wrongForm(names: string[], present: string[], isObject: boolean): Problem {
  const wanted = `must have exactly one of ${names.join(', ')}`
  const detail = isObject ? `${wanted}; it has ${present.join(' and ') || 'none'}` : 'must be an object'
  return new Problem('invalid-request', `The body ${detail}.`, { faults: [{ pointer: '', detail }] })
}
