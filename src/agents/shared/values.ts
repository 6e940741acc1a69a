import { fieldsOf } from '../../session/entry.ts'

/** The fields of a value that no schema has checked. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns a text; '' for any other value. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns a text that is not empty; undefined for any other value. */
export const filled = (value: unknown): string | undefined => asText(value) || undefined

/** Returns the fields of the elements of a list; none for any other value. */
export const listOf = (list: unknown): Fields[] => (Array.isArray(list) ? list.map(fieldsOf) : [])

/** Returns a function that returns the number in a field; 0 if it has none. */
export const countsOf =
  (value: unknown) =>
  (name: string): number => {
    const count = fieldsOf(value)[name]
    return typeof count === 'number' ? count : 0
  }
