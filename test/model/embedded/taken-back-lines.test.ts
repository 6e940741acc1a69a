import t from 'tap'
import { pairMessages } from '../../../src/extract/runs.ts'
import { markTakenBack } from '../../../src/model/embedded/taken-back-lines.ts'
import { writeExtract } from '../../../src/model/embedded/write-extract.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import { extractShortSummary } from '../../../src/summary/draft.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../../support/build-entries.ts'

const pairedOf = (drafts: readonly EntryDraft[]) => pairMessages(buildEntries(drafts).map(({ message }) => message!))

let calls = 0
const ran = (command: string, output = ''): EntryDraft[] => {
  const id = `c${calls++}`
  return [assistant('', [call(id, 'bash', { command })]), result(id, output, { exitCode: 0 })]
}

const REVERT = ran('git revert --no-edit HEAD', '[main def5678] Revert "Switch the theme to dark"')
const RESET = ran('git reset --hard HEAD~1', 'HEAD is now at 111aaaa Old')

const COMMIT = '- [x] Switch the theme to dark (said to be done, in commit abc1234)'
const REQUEST = '- [x] Switch the theme to dark. => Done [t.css] (said to be done)'
const BY_REVERT = 'taken back by `git revert --no-edit HEAD`'
const BESIDE = 'since then: `git revert --no-edit HEAD`'
const BY_RESET = 'since then: `git reset --hard HEAD~1`'

/** Steps after a compaction, lines of what was done before it, and the same lines after the steps. */
const LINES: Record<string, [steps: EntryDraft[], before: string[], after: string[]]> = {
  'a reverted commit and its request lose their ticks': [
    REVERT,
    [COMMIT, `${REQUEST}\n  - Blue is left.`],
    [
      `- Switch the theme to dark (${BY_REVERT}) (in commit abc1234)`,
      `- Switch the theme to dark. => Done [t.css] (said to be done; ${BY_REVERT})\n  - Blue is left.`,
    ],
  ],
  'a reset stands beside both': [
    RESET,
    [COMMIT, REQUEST],
    [
      `- [x] Switch the theme to dark (${BY_RESET}) (said to be done, in commit abc1234)`,
      `- [x] Switch the theme to dark. => Done [t.css] (said to be done; ${BY_RESET})`,
    ],
  ],
  'the last command counts': [
    REVERT,
    [
      `- [x] Switch the theme to dark (${BY_RESET}) (said to be done, in commit abc1234)`,
      `- [x] Switch the theme to dark. => Done (said to be done; ${BY_RESET})`,
    ],
    [
      `- Switch the theme to dark (${BY_REVERT}) (in commit abc1234)`,
      `- Switch the theme to dark. => Done (said to be done; ${BY_REVERT})`,
    ],
  ],
  'a request of which another commit stays keeps its tick, with the command': [
    REVERT,
    ['- [x] Add the dark colours (said to be done, in commit 7777aaa)', COMMIT, REQUEST],
    [
      '- [x] Add the dark colours (said to be done, in commit 7777aaa)',
      `- Switch the theme to dark (${BY_REVERT}) (in commit abc1234)`,
      `- [x] Switch the theme to dark. => Done [t.css] (said to be done; ${BESIDE})`,
    ],
  ],
  'a request in other words keeps its tick, with the command': [
    REVERT,
    [COMMIT, '- [x] Mach es dunkel. => Fertig (said to be done)', '- [x] Write the notes. => Done (said to be done)'],
    [
      `- Switch the theme to dark (${BY_REVERT}) (in commit abc1234)`,
      `- [x] Mach es dunkel. => Fertig (said to be done; ${BESIDE})`,
      '- [x] Write the notes. => Done (said to be done)',
    ],
  ],
  'what is brought back keeps no tick, and says so': [
    ran('git cherry-pick abc1234', '[main 0a1b2c3] Switch the theme to dark'),
    [
      `- Switch the theme to dark (${BY_REVERT}) (in commit abc1234)`,
      `- Switch the theme to dark. => Done (said to be done; ${BY_REVERT})`,
    ],
    [
      '- Switch the theme to dark (since then: `git cherry-pick abc1234`) (in commit abc1234)',
      '- Switch the theme to dark. => Done (said to be done; since then: `git cherry-pick abc1234`)',
    ],
  ],
  'a later reset does not say what it takes back where the last commits are not known': [
    RESET,
    [`- Switch the theme to dark (${BY_REVERT}) (in commit abc1234)`],
    [`- Switch the theme to dark (${BY_REVERT}) (in commit abc1234)`],
  ],
  'what another writer says of a commit stays': [
    REVERT,
    ['- Switched the theme to dark (abc1234)', '- [x] Theme'],
    ['- Switched the theme to dark (abc1234)', '- [x] Theme'],
  ],
}

for (const [name, [steps, before, after]] of Object.entries(LINES))
  t.test(`earlier lines: ${name}`, async (t) => {
    t.strictSame(markTakenBack(before, pairedOf(steps)), after)
    t.strictSame(markTakenBack(after, pairedOf([])), after, 'and stay so')
    t.strictSame(markTakenBack(after, pairedOf(steps)), after, 'once')
  })

t.test('what is reverted after a compaction is no more said to be done, in the next ones too', async (t) => {
  const write = (drafts: readonly EntryDraft[], previous?: string): string =>
    extractShortSummary(
      writeExtract({ kind: 'history', maxTokens: 13_107, source: sourceOf(pairedOf(drafts), previous) }),
    ).text
  const first = write([
    user('Switch the theme to dark.'),
    ...ran('git commit -am "Switch the theme to dark"', '[main abc1234] Switch the theme to dark\n 1 file changed'),
    assistant('Done.'),
  ])
  t.match(first, COMMIT)
  const second = write([user('Undo that.'), ...REVERT, assistant('Reverted.')], first)
  const third = write([user('Which version of node is it?'), assistant('It is 20.')], second)
  for (const text of [second, third]) {
    t.match(text, `- Switch the theme to dark (${BY_REVERT}) (in commit abc1234)\n`)
    t.match(text, `- Switch the theme to dark. => Done (said to be done; ${BY_REVERT})\n`)
    t.notMatch(text, '[x] Switch the theme')
  }
})
