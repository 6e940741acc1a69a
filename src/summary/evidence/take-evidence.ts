import { noEvidence, type Evidence } from './evidence.ts'
import { EVIDENCE_HEADING } from './write-evidence.ts'

/** Code in one backtick, or in two where it has one itself. */
const CODE = '(?:`` (.+?) ``|`([^`]+)`)'

const FAILED = new RegExp(String.raw`^- failed(, later passed)?: ${CODE} \(([^)]{1,40})\)(?:: (.+))?$`)
const COMMIT = /^- commit ([0-9a-f]{7,40} .+)$/
const DELETED = new RegExp(`^- deleted: ${CODE}$`)
const RENAMED = new RegExp(`^- renamed: ${CODE} -> ${CODE}$`)

/**
 * Takes the evidence section out of a summary and reads it, so that a model does not copy it wrongly. Lines that are not
 * ours stay where they are.
 * @returns the same text where there is none
 */
export function takeEvidence(summary: string): { text: string; evidence: Evidence } {
  const evidence = noEvidence()
  if (!summary.includes(EVIDENCE_HEADING)) return { text: summary, evidence }
  const kept: string[] = []
  let isInside = false
  for (const line of summary.split('\n')) {
    if (line.trimEnd() === EVIDENCE_HEADING) isInside = true
    else if (isInside && readLine(line.trimEnd(), evidence)) continue
    else {
      if (line.trim() !== '') isInside = false
      kept.push(line)
    }
  }
  return {
    text: kept
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    evidence,
  }
}

function readLine(line: string, { failures, commits, deleted, renamed }: Evidence): boolean {
  const failed = FAILED.exec(line)
  const [, commit] = COMMIT.exec(line) ?? []
  const removed = DELETED.exec(line)
  const moved = RENAMED.exec(line)
  if (failed !== null) {
    const [, passed, quoted, plain, status = '', error = ''] = failed
    failures.push({ what: quoted ?? plain ?? '', status, error, hasPassed: passed !== undefined })
  } else if (commit !== undefined) commits.push(commit)
  else if (removed !== null) deleted.push(removed[1] ?? removed[2] ?? '')
  else if (moved !== null) renamed.push({ from: moved[1] ?? moved[2] ?? '', to: moved[3] ?? moved[4] ?? '' })
  else return false
  return true
}
