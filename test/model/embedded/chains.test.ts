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

/** What a round of a smaller session begins with: what holds, and what is left open, is said in the first rounds only. */
const BEGINNINGS: readonly EntryDraft[][] = [
  [
    user('Build the export of invoices. Never touch vendor/.'),
    assistant('I decided to use semicolons as the separator because Excel expects them.'),
    user('Which database should we take?'),
    assistant('SQLite is simpler, Postgres allows two writers. Which one do you want?'),
    user('We take Postgres, since two workers write at once.'),
    assistant('The pool is in src/pool.ts. Still to do: the migration of the old rows.'),
  ],
  [
    assistant('', [
      call('todo', 'todo_write', { todos: [{ id: '1', content: 'Write the upgrade guide', status: 'pending' }] }),
    ]),
    result('todo', 'ok'),
    user('Is the name of the table fixed?'),
    assistant('It is. I chose the name ledger_rows instead of rows, because invoices are in another table.'),
  ],
]

/** A round of a smaller session: in each turn a file is changed, a check runs, and the agent decides and answers. */
const smallRoundOf = (round: number): EntryDraft[] => [
  ...(BEGINNINGS[round - 1] ?? []),
  ...Array.from({ length: 8 }, (_, turn) => {
    const name = `r${round}t${turn}`
    const topic = ['cache', 'parser', 'zip', 'auth', 'router', 'mailer', 'queue', 'search'][(round + turn) % 8] ?? ''
    return [
      user(`Improve the ${topic} module, so that it handles ${name}.`),
      assistant(`I look at ${topic}, which has to handle ${name}.`, [
        call(`a${name}`, 'read', { path: `src/${topic}/${name}.ts` }),
        call(`b${name}`, 'edit', { path: `src/${topic}/index.ts`, oldText: 'a', newText: `const limit_${name} = 4` }),
        call(`c${name}`, 'bash', { command: `npx jest src/${topic}` }),
      ]),
      result(`a${name}`, `export const ${name} = ${turn}\n${OUTPUT.slice(0, 3000)}`),
      result(`b${name}`, 'ok'),
      result(`c${name}`, `${round + turn} passing`),
      assistant(`The ${topic} module handles ${name} now, and its tests pass.`),
    ]
  }).flat(),
]

t.test(
  'ten compactions of a smaller session: what is open, decided or demanded in the first is in the last, and the oldest finished work is not',
  async (t) => {
    const summaries = await compactRounds(t, await createSummarizer(readSettings({}), templates), smallRoundOf)
    const last = removeFileTags(summaries.at(-1) ?? '')
    for (const held of [
      '- Never touch vendor/.',
      '- I decided to use semicolons as the separator because Excel expects them.',
      '> We take Postgres, since two workers write at once.',
      'Still to do: the migration of the old rows',
      '- I chose the name ledger_rows instead of rows, because invoices are in another table.',
      '[pending] Write the upgrade guide',
    ])
      t.ok(last.includes(held), held)
    const [work = '', words = ''] = last.split('\n## User Messages\n')
    const kept = (round: number): number => work.match(new RegExp(String.raw`\br${round}t\d\b`, 'g'))?.length ?? 0
    t.ok(kept(10) > 15 && kept(10) > kept(8) && kept(3) === 0, `${kept(10)}, ${kept(8)}, ${kept(3)}`)
    // Requests of the user go last: by age alone, and when they have no room of their own.
    const quoted = Array.from(words.matchAll(/handles r(\d{1,2})t/g), ([, round]) => Number(round))
    t.ok(quoted.length > 60, `${quoted.length} requests`)
    t.strictSame(
      quoted,
      quoted.toSorted((a, b) => b - a),
    )
  },
)

/** Compacts a session after each of its rounds. @returns the summaries, of which none is much longer than the second one */
async function compactRounds(t: Test, summarizer: Summarizer, write = roundOf): Promise<string[]> {
  const { app } = await startApp(t, { summarizer })
  const drafts: EntryDraft[] = []
  const summaries: string[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    drafts.push(...write(round).map((draft, at) => named(`r${round}-${at}`, draft)))
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
