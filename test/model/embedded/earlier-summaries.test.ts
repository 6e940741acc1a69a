import { readFileSync } from 'node:fs'
import t from 'tap'
import { findWork } from '../../../src/extract/find-work.ts'
import { pairMessages } from '../../../src/extract/runs.ts'
import { removeFileTags } from '../../../src/files/file-tags.ts'
import { readEarlierWork } from '../../../src/model/embedded/earlier-work.ts'
import { parseSummary } from '../../../src/model/embedded/parse-summary.ts'
import { STEP_LABELS } from '../../../src/model/embedded/step-labels.ts'
import { writeExtract } from '../../../src/model/embedded/write-extract.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import { extractShortSummary } from '../../../src/summary/draft.ts'
import { openFence } from '../../../src/text/close-marks.ts'
import { parseSections } from '../../../src/text/sections.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../../support/build-entries.ts'

/** Summaries that are stored in sessions: those of earlier versions, of other agents, and some that were cut. */
const SUMMARIES = JSON.parse(
  readFileSync(new URL('../../fixtures/earlier-summaries.json', import.meta.url), 'utf8'),
) as { from: string; summary: string }[]

const HEADINGS = [
  ...['Goal', 'Constraints & Preferences', 'Progress', 'Done', 'In Progress', 'Blocked'],
  ...['State of the Code', 'Key Decisions', 'Next Steps', 'Critical Context'],
]

function compact(drafts: readonly EntryDraft[], previous: string): string {
  const paired = pairMessages(buildEntries(drafts).map(({ message }) => message!))
  const work = findWork(paired, { earlier: readEarlierWork(parseSummary(previous)) })
  const source = sourceOf(paired, previous, work)
  return extractShortSummary(writeExtract({ kind: 'history', maxTokens: 13_107, source })).text
}

const WORK = [
  user('Go on with the parser, please: all of its rows must be there.'),
  assistant('', [call('a', 'edit', { path: '/p/src/parser.ts', oldText: 'a', newText: 'b' })]),
  result('a', 'Replaced 1 block.'),
  assistant('', [call('b', 'bash', { command: 'npm test' })]),
  result('b', '5 passing', { exitCode: 0 }),
  assistant('The rows are there, and `src/parser.ts` returns all of them.'),
]

/** A plan or an error of a file that was changed since. The open request of an extract is neither. */
const STALE = /(?:fix|guard|error|compile|failed)(?! the parser in).{0,60}src\/parser\.ts/i

const section = (text: string, heading: string): string =>
  parseSections(text)
    .filter(({ heading: one }) => one?.title === heading)
    .flatMap(({ lines }) => lines)
    .join('\n')

t.equal(SUMMARIES.length, 20)

for (const { from, summary } of SUMMARIES)
  t.test(
    `a summary of ${from} is read: nothing of it is lost, and nothing stays current that has changed`,
    async (t) => {
      const previous = removeFileTags(summary)
      const { statements } = parseSummary(previous)
      const text = compact(WORK, previous)
      t.same(
        parseSections(text).flatMap(({ heading }) => heading?.title ?? []),
        HEADINGS,
      )
      t.equal(openFence(text), undefined)
      const open = section(text, 'Next Steps').split(`${STEP_LABELS.older}\n`)[0] ?? ''
      for (const part of [open, section(text, 'In Progress')])
        t.notMatch(part, STALE, 'src/parser.ts was changed since')
      t.notMatch(text, /CURRENT: |currently has/)
      for (const kept of [...statements.constraints, ...statements.decisions].flatMap(
        (one) => one.match(/`[^`\n]+`/g) ?? [],
      ))
        t.ok(text.includes(kept), kept)
      for (const { text: step, isDone } of readEarlierWork(parseSummary(previous)).steps)
        t.ok(step === '' || isDone === true || text.includes(step.slice(0, 40)), step)
      const again = compact([user('Thank you, and now measure it.'), assistant('It takes 3 s.')], text)
      t.ok(again.length <= 1.3 * text.length + 300, `${again.length} after ${text.length} characters`)
    },
  )
