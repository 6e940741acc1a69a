import { componentOf, type Schema } from './document.ts'
import { html, prose, type Html } from './html.ts'

const idOf = (name: string): string => `type-${name}`

/** Returns a type in words: its name as a link, or what it consists of. */
export function writeType(schema: Schema): Html {
  const { $ref, anyOf, items, type, ...rest } = schema
  if ($ref !== undefined) return html`<a href="#${idOf(componentOf($ref))}">${componentOf($ref)}</a>`
  if (anyOf !== undefined) return join(anyOf.map(writeType))
  if (rest.const !== undefined) return writeValue(rest.const)
  if (rest.enum !== undefined) return join(rest.enum.map(writeValue))
  if (items !== undefined) return html`list of ${writeType(items)}`
  return html`${type ?? 'any value'}${limitsOf(schema)}`
}

const writeValue = (value: unknown): Html => html`<code>${JSON.stringify(value)}</code>`

const join = (types: readonly Html[]): Html => {
  const [first, ...others] = types
  return html`${first}${others.map((one) => html` | ${one}`)}`
}

function limitsOf({ minimum, maximum, maxLength }: Schema): string {
  const limits = [
    minimum === undefined ? '' : `≥ ${minimum}`,
    maximum === undefined ? '' : `≤ ${maximum}`,
    maxLength === undefined ? '' : `≤ ${maxLength} characters`,
  ].filter((limit) => limit !== '')
  return limits.length === 0 ? '' : ` ${limits.join(', ')}`
}

/** Returns the fields of an object, or of the objects in a list; undefined if it has none of its own. */
export function writeFields({ properties, required = [], items, anyOf }: Schema): Html | undefined {
  if (items !== undefined) return writeFields(items)
  if (properties === undefined) return anyOf && html`${anyOf.flatMap((one) => writeFields(one) ?? [])}`
  const fields = Object.entries(properties)
  if (fields.length === 0) return undefined
  return html`<dl>
    ${fields.map(([name, field]) => writeField({ name, schema: field, isRequired: required.includes(name) }))}
  </dl>`
}

interface Field {
  name: string
  schema: Schema
  isRequired: boolean
  description?: string | undefined
  /** What else the element of its name has. */
  attributes?: Html
}

/** Returns a field or a parameter: its name, type and meaning. */
export function writeField({ name, schema, isRequired, attributes, ...rest }: Field): Html {
  const { description = schema.description } = rest
  const required = isRequired ? html` <strong>required</strong>` : undefined
  return html`<dt${attributes}><code>${name}</code> <span>${writeType(schema)}</span>${required}</dt>
    <dd>${description === undefined ? undefined : html`<p>${prose(description)}</p>`}${writeFields(schema)}</dd>`
}

/** Returns a named type with its fields. */
export const writeNamedType = (name: string, schema: Schema): Html =>
  html`<section class="type" id="${idOf(name)}">
    <h3>${name}</h3>
    ${schema.description === undefined ? undefined : html`<p>${prose(schema.description)}</p>`}
    ${writeFields(schema) ?? html`<p>${writeType(schema)}</p>`}
  </section>`

/** Returns the named types that a value refers to, directly or by others, by their names. */
export function typesIn(value: unknown, schemas: Readonly<Record<string, Schema>>): Map<string, Schema> {
  const found = new Map<string, Schema>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { $ref } = node as Schema
    const name = typeof $ref === 'string' ? componentOf($ref) : undefined
    const schema = name === undefined ? undefined : schemas[name]
    if (name !== undefined && schema !== undefined && !found.has(name)) {
      found.set(name, schema)
      visit(schema)
    }
    Object.values(node).forEach(visit)
  }
  visit(value)
  return found
}
