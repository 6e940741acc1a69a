import { readFileSync } from 'node:fs'
import t from 'tap'
import { findWork } from '../../../src/extract/find-work.ts'
import { pairMessages } from '../../../src/extract/runs.ts'
import { removeFileTags } from '../../../src/files/file-tags.ts'
import { earlierDecisions, readEarlierWork } from '../../../src/model/embedded/earlier-work.ts'
import { parseSummary } from '../../../src/model/embedded/parse-summary.ts'
import { MAY_BE_OVER, STEP_LABELS } from '../../../src/model/embedded/step-labels.ts'
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
      const open = section(text, 'Next Steps').split(`${STEP_LABELS.older}${MAY_BE_OVER}\n`)[0] ?? ''
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

const SYNC = `## Goal
Build a CLI which downloads our Notion workspace as markdown.

## Progress
### In Progress
- [ ] Convert tables to markdown

### Blocked
- Rate limits: Notion answers 429 after 3 requests per second
- No access to the private pages
- The font has no licence

## Key Decisions
- **Slugs from titles**: links stay stable
- Pages are written one after the other

## Next Steps
1. Finish table conversion
2. Add retry with backoff for 429
3. Write a README`

t.test(
  'what happened after an earlier summary stands beside its steps, blockers and decisions, or in their place',
  (t) => {
    const text = compact(
      [
        assistant('Started with the client.'),
        user('continue with the tables'),
        assistant('Tables are converted now.'),
        user('nice. now the 429 thing'),
        assistant('', [call('c', 'bash', { command: 'git commit -am "Retry when Notion answers 429"' })]),
        result('c', '[main 77aa102] Retry when Notion answers 429', { exitCode: 0 }),
        assistant('Added retries with backoff.'),
        user('Ops gave us access. Use page ids instead of slugs.'),
        assistant('The names have page ids now. Done.'),
      ],
      SYNC,
    )
    const trimmed = (whole: string, heading: string): string => section(whole, heading).trim()
    const done = trimmed(text, 'Done').split('\n')
    for (const step of ['Convert tables to markdown', 'Finish table conversion', 'Add retry with backoff for 429'])
      t.strictSame(
        done.filter((line) => line.includes(step)),
        [`- [x] ${step} (said to be done)`],
      )
    t.notMatch(text, /=> Started with the client/, 'an answer from before the summary is no answer to its steps')
    t.equal(
      trimmed(text, 'Next Steps'),
      `${STEP_LABELS.closed}"The names have page ids now. Done."\n${STEP_LABELS.older}${MAY_BE_OVER}\n  - Write a README`,
    )
    t.equal(trimmed(text, 'In Progress'), '(none)')
    const blocked = [
      '- Rate limits: Notion answers 429 after 3 requests per second (said earlier; since then: commit 77aa102 "Retry when Notion answers 429")',
      `- No access to the private pages (said earlier; since then: the user said "Ops gave us access.")`,
      '- The font has no licence',
    ]
    t.equal(trimmed(text, 'Blocked'), blocked.join('\n'))
    const decisions = [
      `- **Slugs from titles**: links stay stable (overruled since, in the user's words: "Use page ids instead of slugs.")`,
      '- Pages are written one after the other',
    ]
    t.equal(trimmed(text, 'Key Decisions'), decisions.join('\n'))
    const again = compact([user('Thank you, and now measure it.'), assistant('It takes 3 s.')], text)
    t.equal(trimmed(again, 'Blocked'), blocked.join('\n'))
    t.equal(trimmed(again, 'Key Decisions'), decisions.join('\n'))
    t.end()
  },
)

t.test(
  'a decision in the words of an earlier turn lasts, and what was cut of it, there or within it, is none',
  async (t) => {
    const done = [
      '- Choose a limit. => The limit is 20 rows because the feed sends parts. (answered)',
      '- Choose a store. => The store is a file because the feed… It rejects rows without a key. (answered)',
      '- Choose a name. => The name is `mailer` because the… (answered)',
    ]
    const summary = `## Goal\nLimits.\n\n## Progress\n\n### Done\n${done.join('\n')}\n\n## Key Decisions\n- Keys are cents.`
    t.strictSame(earlierDecisions(parseSummary(summary).statements), [
      '- Keys are cents.',
      '- The limit is 20 rows because the feed sends parts.',
    ])
  },
)
