import { findValueStart, scanMembers } from '../../text/json-scan.ts'

/** Returns the names that an object in valid JSON text has more than once, each with the line of its second place. */
export function repeatedNamesIn(text: string): { name: string; line: number }[] {
  const seen = new Set<string>()
  const repeated: { name: string; line: number }[] = []
  scanMembers(text, findValueStart(text), {
    onMember: (_value, { start, end }) => {
      const name = JSON.parse(text.slice(start, end)) as string
      if (seen.has(name)) repeated.push({ name, line: text.slice(0, start).split('\n').length })
      seen.add(name)
    },
  })
  return repeated
}
