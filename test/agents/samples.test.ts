import { readFileSync, readdirSync } from 'node:fs'
import t from 'tap'
import { collectFiles } from '../../src/extract/collect-files.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { planCompaction } from '../../src/plan/plan-compaction.ts'
import { FORMAT_IDS } from '../../src/schemas/format-ids.ts'
import { selectBranch } from '../../src/session/link-session.ts'
import { findLatestRequest } from '../../src/summary/requests.ts'
import { readDocument, readSample } from '../support/read-document.ts'

/** What a session is read as; test/fixtures/formats-read.jsonl has a line for each. */
interface Expected {
  /** Undefined if the body is one of the service's own forms. */
  format?: string | undefined
  /** The roles of the active branch, each with its number, in the order of their first entries. */
  roles: string
  /** The beginning of the newest request of the user. */
  request: string
  /** The files that the whole branch names, or their number. */
  read?: string[] | number
  modified?: string[] | number
  /** The beginning of the summary of an earlier compaction. */
  previous?: string
  ignored?: object
}

/** A session of test/fixtures/formats, or a sample that need not be there. */
type Row = Expected & ({ file: string; sample?: undefined } | { sample: string; file?: undefined })

const FOLDER = new URL('../fixtures/formats/', import.meta.url)
const rows = readFileSync(new URL('../fixtures/formats-read.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)
const fixtures = rows.filter(({ file }) => file !== undefined)

t.test('every format has a fixture, and every fixture has an expected outcome', async (t) => {
  t.strictSame(readdirSync(FOLDER).sort(), fixtures.map(({ file }) => file).sort())
  const found = new Set(fixtures.map(({ format = 'chat' }) => format))
  t.strictSame(
    FORMAT_IDS.filter((id) => !found.has(id)),
    [],
  )
})

for (const { file, sample, ...expected } of rows) {
  const text = file === undefined ? readSample(sample) : readFileSync(new URL(file, FOLDER), 'utf8')
  // As JSON and as NDJSON: what a body is counts more than its content type.
  for (const isLines of [false, true])
    t.test(
      `${file ?? sample} is read as ${expected.format ?? 'one of our own forms'}${isLines ? ', also as NDJSON' : ''}`,
      { skip: text === undefined },
      async (t) => {
        const read = readDocument(text ?? '', { isLines })
        const isOwn = expected.format === undefined || expected.format === 'pi'
        t.strictSame(outcomeOf(read, expected), { ...expected, format: isOwn ? read.format : expected.format })
      },
    )
}

function outcomeOf(read: ReturnType<typeof readDocument>, expected: Expected): Expected {
  const branch = selectBranch(read.session)
  const roles = new Map<string, number>()
  for (const { type, message } of branch) roles.set(message?.role ?? type, (roles.get(message?.role ?? type) ?? 0) + 1)
  const messages = branch.flatMap(({ message }) => message ?? [])
  const { readFiles, modifiedFiles } = collectFiles(pairMessages(messages))
  const { previousSummary } = planCompaction(branch, { keepRecentTokens: 1 })
  const filesOf = (files: string[], wanted: Expected['read']) => (typeof wanted === 'number' ? files.length : files)
  return {
    format: read.format,
    roles: Array.from(roles, ([role, count]) => `${role} ${count}`).join(', '),
    request: (findLatestRequest(messages) ?? '').slice(0, 60),
    ...(readFiles.length === 0 ? {} : { read: filesOf(readFiles, expected.read) }),
    ...(modifiedFiles.length === 0 ? {} : { modified: filesOf(modifiedFiles, expected.modified) }),
    ...(previousSummary === undefined ? {} : { previous: previousSummary.slice(0, 30) }),
    ...(read.ignored === undefined ? {} : { ignored: read.ignored }),
  }
}
