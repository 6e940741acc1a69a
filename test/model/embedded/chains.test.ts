import t, { type Test } from 'tap'
import { estimateTextTokens } from '../../../src/tokens/estimate-tokens.ts'
import { removeFileTags } from '../../../src/files/file-tags.ts'
import { createSummarizer } from '../../../src/model/create-summarizer.ts'
import type { Summarizer } from '../../../src/model/summarizer.ts'
import { readSettings } from '../../../src/settings.ts'
import { fakeSummarizer } from '../../support/fake-summarizer.ts'
import { startApp, templates } from '../../support/start-app.ts'
import { assistant, buildRawEntries, call, named, result, user, type EntryDraft } from '../../support/build-entries.ts'

const ROUNDS = 10
const TURNS = 24

/** The outputs of a round are of a real size: 45,000 tokens. */
const OUTPUT = 'const rows = readRows(input) // one line of a file that the agent has read\n'.repeat(100)

/** A round of a session: requests with reads, edits of new files, a check, a commit, and an answer. */
const roundOf = (round: number): EntryDraft[] =>
  Array.from({ length: TURNS }, (_, turn) => {
    const name = `r${round}t${turn}`
    const file = `src/${name}.ts`
    const about = `the ${name} importer, with its ${round * 37 + turn} columns, limits and errors`
    return [
      user(`Write ${about}, please. ${'It has to read what the office sends each month. '.repeat(4)}`),
      assistant(`I looked at ${name}. The cause of its errors is the key K${round}${turn}, because it is a float.`, [
        call(`a${name}`, 'read', { path: `docs/${name}.md` }),
        call(`b${name}`, 'write', {
          path: file,
          content: `export function ${name}(a: string): void {\n  return a\n}\n`,
        }),
        call(`c${name}`, 'bash', { command: `npm test ${name} && git commit -am "Add ${name}"` }),
      ]),
      result(`a${name}`, OUTPUT),
      result(`b${name}`, 'ok'),
      result(`c${name}`, `${round + 3} passing\n[main ${(0x1a2b3c4 + round * 64 + turn).toString(16)}] Add ${name}`),
      assistant(`The importer ${name} is written and its ${round + 3} tests pass. ${name} rejects rows without a key.`),
    ]
  }).flat()

t.test(
  'ten compactions of a large session: the summary stays as long as the second one, the oldest finished work goes first',
  async (t) => {
    const summaries = await compactRounds(t, await createSummarizer(readSettings({}), templates))
    // The evidence has commits of all rounds.
    const [last = ''] = removeFileTags(summaries.at(-1) ?? '').split('\n## Evidence\n')
    const kept = (round: number): number => last.match(new RegExp(String.raw`\br${round}t\d{1,2}\b`, 'g'))?.length ?? 0
    t.ok(kept(10) > 100 && kept(5) < 10 && kept(1) < 10, `${kept(10)}, ${kept(5)}, ${kept(1)}`)
  },
)

t.test(
  'with a model, the summary stays as long too: what was done stands in order, for the newest round alone',
  async (t) => {
    const summaries = await compactRounds(t, fakeSummarizer('## Goal\nImporters.\n\n## Progress\nSome are written.'))
    for (const [at, summary] of summaries.entries()) {
      t.equal(summary.match(/ commands \(but looks\), edits and words of the user, in order:/g)?.length, 1)
      const [, steps = ''] = summary.split('in order:\n')
      const rounds = new Set(Array.from(steps.matchAll(/edited r(\d{1,2})t/g), ([, round]) => Number(round)))
      t.strictSame([...rounds], [at + 1])
    }
  },
)

/** Compacts a session after each of its rounds. @returns the summaries, of which none is much longer than the second one */
async function compactRounds(t: Test, summarizer: Summarizer): Promise<string[]> {
  const { app } = await startApp(t, { summarizer })
  const drafts: EntryDraft[] = []
  const summaries: string[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    drafts.push(...roundOf(round).map((draft, at) => named(`r${round}-${at}`, draft)))
    const entries = withSummaries(drafts, summaries)
    const payload = { entries, settings: { keepRecentTokens: 10 } }
    const reply = await app.inject({ method: 'POST', url: '/compaction', payload })
    t.equal(reply.statusCode, 200)
    summaries.push(reply.json<{ summary: string }>().summary)
  }
  const sizes = summaries.map((summary) => estimateTextTokens(removeFileTags(summary)))
  const [, second = 0] = sizes
  t.ok(
    sizes.every((size) => size <= 1.3 * second),
    sizes.join(', '),
  )
  return summaries
}

/** Returns the entries of all rounds, with the compaction behind each of them. */
function withSummaries(drafts: readonly EntryDraft[], summaries: readonly string[]): object[] {
  const entries = buildRawEntries(drafts)
  return summaries.reduceRight<object[]>((all, summary, index) => {
    const at = all.findIndex((entry) => (entry as { id: string }).id === `r${index + 2}-0`)
    const before = all[at - 1] as { id: string }
    const compaction = {
      ...{ type: 'compaction', id: `k${index}`, parentId: before.id, summary },
      ...{ firstKeptEntryId: before.id, tokensBefore: 50_000, timestamp: '2026-11-20T10:00:00Z' },
    }
    return [...all.slice(0, at), compaction, { ...all[at], parentId: compaction.id }, ...all.slice(at + 1)]
  }, entries)
}
