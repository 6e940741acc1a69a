/** Returns parameters as the query of an address. */
export function writeQuery(
  query: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) parameters.append(name, String(one))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
