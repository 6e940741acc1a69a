import { readHeading } from '../text/sections.ts'
import { oneLine } from '../text/shorten.ts'
import { NO_CONTENT } from '../text/summary-headings.ts'

/** How the embedded summarizer writes an error, and a command that has failed (`model/embedded/write-context.ts`). */
const ERROR = /^- Error: (.+)$/
const FAILED = /^- `(.+)`: failed \(/

/** The evidence shortens what is longer. */
const COMPARED_CHARACTERS = 60

/** Returns the text of an extract without the failures that are in the section of evidence, with their reasons. */
export function withoutRepeatedFailures(extract: string, evidence: string): string {
  const proven = oneLine(evidence)
  const isProven = (line: string): boolean => {
    const [, what] = ERROR.exec(line) ?? FAILED.exec(line) ?? []
    if (what === undefined) return false
    // The error of a file tool begins with the tool and the path.
    const texts = [what, what.replace(/^\S+ \S+: /, '')].filter((text) => text.trim() !== '')
    return texts.some((text) => proven.includes(oneLine(text).slice(0, COMPARED_CHARACTERS).trimEnd()))
  }
  const kept: string[] = []
  const lines = extract.split('\n')
  for (const [at, line] of lines.entries()) {
    if (!isProven(line)) kept.push(line)
    else if (readHeading(kept.at(-1) ?? '') !== undefined && (lines[at + 1] ?? '').trim() === '') kept.push(NO_CONTENT)
  }
  return kept.join('\n')
}
