/** Deeper than this no tool's arguments are: what is nested further is hostile, and not looked at but taken out. */
const MAX_DEPTH = 200

export interface Redactor {
  text: (text: string) => string
  /** What stands for something that is not looked at; counted as a secret. */
  unread: () => string
}

/** Names whose value is secret, whatever it looks like. */
const SECRET_NAME =
  /passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|(?:^|[_-])token$|_KEY$|credential/i

/** Replaces the secrets in a tool's arguments: in every text, and the whole text where its name says that it is one. */
export function redactValue(value: unknown, redactor: Redactor, { name = '', depth = 0 } = {}): unknown {
  if (typeof value === 'string') return redactNamed(name, value, redactor.text)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return redactor.unread()
  const inside = (child: unknown, childName: string): unknown =>
    redactValue(child, redactor, { name: childName, depth: depth + 1 })
  if (Array.isArray(value)) return value.map((child: unknown) => inside(child, name))
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inside(child, key)]))
}

/** The name stands before the text as it would in JSON, so that one set of rules decides. */
function redactNamed(name: string, text: string, redact: (text: string) => string): string {
  const redacted = redact(text)
  if (redacted !== text || !SECRET_NAME.test(name)) return redacted
  const prefix = `"${name}": "`
  const named = redact(`${prefix}${text}"`)
  return named.startsWith(prefix) ? named.slice(prefix.length, -1) : redacted
}
