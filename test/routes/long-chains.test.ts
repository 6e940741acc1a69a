import t, { type Test } from 'tap'
import type { Summarizer } from '../../src/model/summarizer.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import {
  assistant,
  buildRawEntries,
  call,
  compaction,
  result,
  tokens,
  user,
  type EntryDraft,
} from '../support/build-entries.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp } from '../support/start-app.ts'

const COMPACTIONS = 10
const TURNS = 30

/** The most that the tenth summary may be longer than the second. */
const MAX_GROWTH = 1.3

const WORDS =
  'parser lexer scanner buffer cache reader writer socket router table index column record signal worker queue stream branch ' +
  'driver render layout border colour widget window panel button cursor'
const VOCABULARY = WORDS.split(' ')

/** Returns sentences that differ, the same ones for the same seed. */
function writer(seed: number): (words: number) => string {
  let state = seed
  const word = (): string | undefined => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return VOCABULARY[(state >> 8) % VOCABULARY.length]
  }
  return (words) => Array.from({ length: words }, word).join(' ')
}

/** A turn with a request, a file that is read and changed, a check that fails at times, a commit at times, and an answer. */
function turnOf(write: (words: number) => string, round: number, turn: number): EntryDraft[] {
  const [path, id] = [`src/${write(1)}/${write(1)}${round}.ts`, `${round}-${turn}`]
  const isFailing = turn % 5 === 0
  return [
    user(
      `Please make the ${write(1)} of ${path} handle the ${write(12)}.${turn % 7 === 0 ? ` Always keep ${id} stable.` : ''}`,
    ),
    assistant(`I will look at ${path} because ${write(12)}.`, [call(`r${id}`, 'read', { path })]),
    result(`r${id}`, tokens(700), { toolName: 'read' }),
    assistant(`The cause is that the ${write(15)}.`, [
      call(`e${id}`, 'edit', { path, oldText: write(30), newText: write(25) }),
    ]),
    result(`e${id}`, 'Edited.', { toolName: 'edit' }),
    assistant('', [call(`t${id}`, 'bash', { command: `npm test -- ${path}` })]),
    result(`t${id}`, isFailing ? `Error: ${write(9)}\nexit code 1` : 'ok', { isError: isFailing }),
    assistant('', [call(`c${id}`, 'bash', { command: `git commit -am "Handle ${write(2)}"` })]),
    result(`c${id}`, `[main ${(0xabc0000 + round * 100 + turn).toString(16)}] Handle ${write(2)}`),
    assistant(`Done: ${path} handles ${write(10)}. I chose ${write(1)} instead of ${write(1)} because ${write(9)}.`),
  ]
}

/** A model that writes three quarters of what it is asked for, with new facts each time. */
const steadyModel = (): Summarizer => {
  const write = writer(3)
  return fakeSummarizer(({ prompt }) => {
    const lines = Math.round((0.75 * Number(/about (\d+) tokens/.exec(prompt)?.[1])) / 26)
    const part = (share: number): string =>
      Array.from({ length: Math.ceil(lines * share) }, () => `- ${write(14)}`).join('\n')
    return (
      `## Goal\n${write(20)}\n\n## Constraints & Preferences\n${part(0.15)}\n\n## Progress\n\n### Done\n${part(0.25)}\n\n` +
      `## State of the Code\n${part(0.4)}\n\n## Next Steps\n1. ${write(9)}\n\n## Critical Context\n${part(0.2)}`
    )
  })
}

/** Returns the tokens of each summary of a chain, without file tags. */
async function lengthsOfChain(t: Test, summarizer: Summarizer): Promise<number[]> {
  const { app } = await startApp(t, { summarizer })
  const write = writer(7)
  const lengths: number[] = []
  let before: EntryDraft[] = []
  for (let round = 1; round <= COMPACTIONS; round++) {
    const turns = Array.from({ length: TURNS }, (_, turn) => turnOf(write, round, turn)).flat()
    const entries = buildRawEntries([...before, ...turns, user(`Now go on. ${write(200)}`)])
    const payload = { entries, settings: { keepRecentTokens: 100 } }
    const response = await app.inject({ method: 'POST', url: '/compaction', payload })
    const { summary } = response.json<{ summary: string }>()
    lengths.push(estimateTextTokens(summary.replaceAll(/<(read|modified)-files>[^]*?<\/\1-files>/g, '').trim()))
    before = [compaction({ summary, files: { readFiles: [], modifiedFiles: [] } })]
  }
  return lengths
}

// Without a model: test/model/embedded/chains.test.ts.
t.test('the tenth summary of a chain with a model is hardly longer than the second', async (t) => {
  const lengths = await lengthsOfChain(t, steadyModel())
  const [second = 0] = lengths.slice(1)
  t.ok(Math.max(...lengths) <= second * MAX_GROWTH, `tokens: ${lengths.join(', ')}`)
  t.ok(Math.min(...lengths.slice(1)) >= second * 0.7, 'and not much shorter')
})
