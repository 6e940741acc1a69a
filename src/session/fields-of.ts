type Fields = Readonly<Record<string, unknown>>

/** Returns the fields of a value that no schema has checked; an empty object, if the value is not an object. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
