/** A placeholder in a template: two braces, a name, two braces. */
export const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/**
 * Puts values in the place of a template's placeholders, in a single pass: what looks like a placeholder in a value
 * stays as it is.
 * @throws Error when the template has a placeholder without a value
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw new Error(`No value was given for ${placeholder}`)
    return value
  })
}
