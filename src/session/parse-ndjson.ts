import { Problem, type Fault } from '../errors.ts'

const MAX_FAULTS = 20

/** Stands for a blank line, so that pointers go on counting lines: a title line is no entry wherever it stands. */
const BLANK_LINE = { type: 'title' }

/**
 * Parses a session file, a JSON value a line. A broken last line is ignored: an agent may have been stopped while it
 * wrote it (docs/contract.md, "Entries form").
 * @returns a value for each line, in order
 * @throws Problem `invalid-request` that names each other broken line as `/entries/N`
 */
export function parseNdjson(text: string): unknown[] {
  const lines = text.split('\n')
  while (lines.at(-1)?.trim() === '') lines.pop()
  const faults: Fault[] = []
  const values: unknown[] = []
  for (const [index, line] of lines.entries()) {
    const value = parseLine(line)
    if (value !== undefined) values.push(value)
    else if (index < lines.length - 1 || index === 0)
      faults.push({ pointer: `/entries/${index}`, detail: 'is not JSON' })
    if (faults.length === MAX_FAULTS) break
  }
  if (faults.length > 0) throw new Problem('invalid-request', 'A line is not a JSON value.', { faults })
  return values
}

function parseLine(line: string): unknown {
  if (line.trim() === '') return BLANK_LINE
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}
