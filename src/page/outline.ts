/** Returns a JSON text as indented lines, with its strings as they are. A text that is not JSON comes back unchanged. */
export function outline(json: string): string {
  try {
    return write(JSON.parse(json), '').trim()
  } catch {
    return json
  }
}

/** Deeper values stay JSON. */
const MAX_INDENT = 16

function write(value: unknown, indent: string): string {
  if (typeof value === 'string') return value.includes('\n') ? block(value, indent) : value
  if (typeof value !== 'object' || value === null) return String(value)
  if (indent.length > MAX_INDENT) return JSON.stringify(value)
  const isList = Array.isArray(value)
  return Object.entries(value)
    .map(([key, one]) => `\n${indent}${isList ? '-' : `${key}:`} ${write(one, `${indent}  `)}`)
    .join('')
}

const block = (text: string, indent: string): string => `\n${text.replace(/^/gm, indent)}`
