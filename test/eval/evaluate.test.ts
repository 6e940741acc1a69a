import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { evaluate } from '../../eval/evaluate.ts'
import { openLookUps, ReaderLookUps } from '../../eval/look-ups.ts'
import { readOptions } from '../../eval/options.ts'
import { writeTable } from '../../eval/report-text.ts'
import { compactUpTo } from '../../eval/service.ts'
import { findCut, readSessionFile } from '../../eval/session.ts'
import { startModelServer } from '../support/model-server.ts'
import { answerPrompts, judgeReply, lettersIn, PROBES, readerReply, roleOf, type Replies, type Role } from './person.ts'
import { folderOf } from '../support/temp-folder.ts'

const SUMMARY = `## Goal
"Sort the list."

## Constraints & Preferences
- Use no library.

## Progress

### Done
- [x] (none)

### In Progress
(none)

### Blocked
(none)

## Key Decisions
(none)

## Next Steps
1. Sort the list.

## Critical Context
(none)`

const line = (id: string, parentId: string | null, role: string, text: string): object => ({
  type: 'message',
  id,
  parentId,
  message: { role, content: [{ type: 'text', text }] },
})

const SESSION = [
  { type: 'session', version: 3, id: 's' },
  line('a1', null, 'user', 'Sort the list. Use no library.'),
  line('a2', 'a1', 'assistant', 'I will write a merge sort.'),
  line('a3', 'a2', 'user', 'Make it stable.'),
  line('a4', 'a3', 'assistant', 'The sort is stable now, and it was tested with 300 lists.'),
]

function openFolder(t: Test): { folder: string; session: string } {
  const folder = folderOf(t)
  const session = join(folder, 'work.jsonl')
  writeFileSync(session, SESSION.map((one) => JSON.stringify(one)).join('\n'))
  return { folder, session }
}

const REPLIES: Record<Role, (prompt: string) => string> = {
  author: () => JSON.stringify(PROBES),
  // What a reader answers depends on the summary that it sees.
  reader: (prompt) => readerReply(prompt, prompt.includes('foreign summary') ? 'wrong' : 'right'),
  judge: (prompt) => judgeReply(prompt, (answer) => (answer === 'right' ? 2 : -1)),
  writer: () => SUMMARY,
}

const reply = (prompt: string): string => REPLIES[roleOf(prompt)](prompt)

interface Place {
  folder: string
  session: string
}

const BY_HAND = ['--summarizer', 'by-hand']

function runByHand({ folder, session }: Place, args: readonly string[] = BY_HAND, replyTo: Replies = reply) {
  const hand = join(folder, 'hand')
  const all = ['--session', session, '--cut', 'a3', '--by-hand', hand, '--out', join(folder, 'run'), ...args]
  const lines: string[] = []
  const work = evaluate(readOptions(all), { env: {}, print: (text) => void lines.push(text), pollMs: 2 })
  return answerPrompts(hand, replyTo, work).then(({ value, prompts }) => ({ result: value, prompts, lines }))
}

t.test('people answer all prompts of an evaluation, and the result has the points of each system', async (t) => {
  const place = openFolder(t)
  const foreign = join(place.folder, 'foreign.md')
  writeFileSync(foreign, 'A foreign summary.\n')
  const { result, prompts } = await runByHand(place, [...BY_HAND, '--summarizer', foreign])
  const full = { recall: 18, artifact: 18, continuation: 18, decision: 18, trap: 8 }
  const errors = { recall: -9, artifact: -9, continuation: -9, decision: -9, trap: -4 }
  const figures = result.systems.map(({ name, points, byKind, confidentErrors }) => [
    name,
    points,
    byKind,
    confidentErrors,
  ])
  t.same(figures, [
    ['Précis, by hand', 80, full, 0],
    ['foreign.md', -40, errors, 40],
  ])
  t.same(result.maxPoints, 80)
  t.same(prompts.map(roleOf).sort(), ['author', 'judge', 'reader', 'reader', 'writer'])
  const [first] = result.probes
  t.same(
    first?.answers.map(({ system, text, isGuess, grade }) => [system, text, isGuess, grade]),
    [
      ['Précis, by hand', 'right', false, 2],
      ['foreign.md', 'wrong', false, -1],
    ],
  )
  t.same(JSON.parse(readFileSync(join(place.folder, 'run', 'result.json'), 'utf8')), result)
  t.match(readFileSync(join(place.folder, 'run', 'summaries', '1.md'), 'utf8'), '## Goal')
  t.match(readFileSync(join(place.folder, 'run', 'report.html'), 'utf8'), 'foreign.md')
})

t.test('a run that is repeated asks nobody again, and has the same result', async (t) => {
  const place = openFolder(t)
  const first = await runByHand(place)
  const again = await runByHand(place, BY_HAND, () => {
    throw new Error('Nobody may be asked again.')
  })
  t.same(again.result, first.result)
  t.same(again.prompts, first.prompts)
})

t.test('a run that was interrupted goes on with the replies that it has', async (t) => {
  const place = openFolder(t)
  const { prompts } = await runByHand(place)
  const hand = join(place.folder, 'hand')
  const judged = prompts.findIndex((prompt) => roleOf(prompt) === 'judge') + 1
  rmSync(join(hand, `${judged}.reply.txt`))
  const asked: Role[] = []
  const again = await runByHand(place, BY_HAND, (prompt) => {
    asked.push(roleOf(prompt))
    return reply(prompt)
  })
  t.same(asked, ['judge'])
  t.same(again.prompts, prompts)
})

t.test('everything that depends on nothing else is asked at once', async (t) => {
  const place = openFolder(t)
  const waiting = new Set<string>()
  await runByHand(place, [...BY_HAND, '--writers', '2'], (prompt) => {
    const files = readdirSync(join(place.folder, 'hand')).filter((name) => name.endsWith('.prompt.txt'))
    for (const file of files) waiting.add(file)
    return waiting.size < 3 ? undefined : reply(prompt)
  })
  t.ok(existsSync(join(place.folder, 'run', 'summaries', '2.md')))
})

t.test('the author sees the whole session before the cut, and what happened next apart from it', async (t) => {
  const { prompts } = await runByHand(openFolder(t))
  const author = prompts.find((prompt) => roleOf(prompt) === 'author') ?? ''
  const [before = '', after = ''] = author.split('=== End of the session before the cut ===')
  t.ok(before.includes('[a1] user:\nSort the list. Use no library.\n\n[a2] assistant:\nI will write a merge sort.'))
  t.notMatch(before, 'Make it stable.')
  t.ok(after.includes('[a3] user:\nMake it stable.\n\n[a4] assistant:\nThe sort is stable now'))
})

t.test('neither the reader nor the judge sees the name of a system', async (t) => {
  const { prompts } = await runByHand(openFolder(t), [...BY_HAND, '--summarizer', 'embedded'])
  const shown = prompts.filter((prompt) => ['reader', 'judge'].includes(roleOf(prompt)))
  t.equal(shown.length, 3)
  for (const prompt of shown) t.notMatch(prompt, /embedded|by hand|by-hand|Précis/)
  const judge = shown.find((prompt) => roleOf(prompt) === 'judge') ?? ''
  t.same([...lettersIn(judge).keys()].length, 40)
})

t.test('a repair of a summary is one more prompt', async (t) => {
  const place = openFolder(t)
  let drafts = 0
  const { result } = await runByHand(place, BY_HAND, (prompt) =>
    roleOf(prompt) === 'writer' && drafts++ === 0 ? 'Only a sentence about src/invented.ts.' : reply(prompt),
  )
  t.equal(drafts, 2)
  t.equal(result.systems[0]?.calls, 2)
})

t.test('models answer over HTTP with the key, and a run that is repeated calls none of them', async (t) => {
  const place = openFolder(t)
  const server = await startModelServer(t, ({ body }) => {
    const messages = body['messages'] as { content: string }[]
    return reply(messages.map(({ content }) => content).join('\n\n'))
  })
  const model = `${server.url},some-model`
  const args = ['--session', place.session, '--cut', 'a3', '--out', join(place.folder, 'run'), '--judge', model]
  const options = readOptions([...args, '--summarizer', model, '--writers', '2', '--price', '1,10'])
  const context = { env: { OPENAI_API_KEY: 'key-of-the-test' }, print: () => undefined }
  const first = await evaluate(options, context)
  t.match(first.systems, [
    { name: 'Précis, some-model', pointsOfEach: [80, 80], calls: 1, inputTokens: 100, outputTokens: 10, price: 0.0002 },
  ])
  const count = server.requests.length
  // One reader is enough for two equal summaries.
  t.equal(count, 1 + 2 + 1 + 1)
  for (const { headers } of server.requests) t.equal(headers.authorization, 'Bearer key-of-the-test')
  t.same(await evaluate(options, context), first)
  t.equal(server.requests.length, count)
})

t.test('a model server that refuses ends the run with the remedy, and without the prompt', async (t) => {
  const { session, folder } = openFolder(t)
  const server = await startModelServer(t, [{ status: 401 }])
  const args = ['--session', session, '--cut', 'a3', '--out', join(folder, 'run'), '--judge', `${server.url},m`]
  await t.rejects(evaluate(readOptions(args), { env: {}, print: () => undefined }), {
    message: 'The model server replied with status 401. Check the URL, the name of the model and OPENAI_API_KEY.',
  })
})

t.test('a fault that needs no model ends the run before the first prompt is written', async (t) => {
  const place = openFolder(t)
  const rejected = async (args: readonly string[], message: string | RegExp): Promise<void> => {
    const work = evaluate(readOptions(['--session', place.session, '--by-hand', join(place.folder, 'hand'), ...args]), {
      env: {},
      print: () => undefined,
    })
    await t.rejects(work, { message }, args.join(' '))
    t.same(existsSync(join(place.folder, 'hand')) ? readdirSync(join(place.folder, 'hand')) : [], [], args.join(' '))
  }
  const out = ['--out', join(place.folder, 'run'), '--cut', 'a3']
  await rejected([...out, '--summarizer', '/no/such/summary.md'], /summary.md cannot be opened \(ENOENT\)/)
  await rejected([...out, '--probes', '/no/such/probes.json'], /probes.json cannot be opened \(ENOENT\)/)
  await rejected(
    [...out, '--transcript-tokens', '1'],
    /^Précis, by hand, 1 tokens: The service replied 400 [^]*\n {2}\/transcriptTokens must be /,
  )
})

t.test('a failed model ends a run that waits for people, and what other models answered is not lost', async (t) => {
  const place = openFolder(t)
  const broken = await startModelServer(t, () => ({ status: 401 }))
  const slow = await startModelServer(t, () => SUMMARY)
  const models = ['--summarizer', `${broken.url},broken`, '--summarizer', `${slow.url},slow`]
  const hand = join(place.folder, 'hand')
  const args = ['--session', place.session, '--cut', 'a3', '--out', join(place.folder, 'run'), '--by-hand', hand]
  const lines: string[] = []
  const context = { env: {}, print: (line: string) => void lines.push(line), pollMs: 2 }
  await t.rejects(evaluate(readOptions([...args, ...BY_HAND, ...models]), context), { message: /^Précis, broken: / })
  t.ok(lines.includes('The run has failed, and ends when the models have answered what they were asked'))
  t.match(readFileSync(join(place.folder, 'run', 'summaries', '3.md'), 'utf8'), '## Goal')
  t.notOk(existsSync(join(place.folder, 'run', 'summaries', '1.md')))
})

t.test('probes of an earlier run are used again, and those with faults are refused', async (t) => {
  const place = openFolder(t)
  const file = join(place.folder, 'probes.json')
  writeFileSync(file, JSON.stringify(PROBES.slice(0, 2)))
  const { result, prompts } = await runByHand(place, [...BY_HAND, '--probes', file])
  t.equal(result.maxPoints, 4)
  t.notOk(prompts.some((prompt) => roleOf(prompt) === 'author'))
  writeFileSync(file, JSON.stringify([{ ...PROBES[0], kind: 'riddle', key: '' }]))
  await t.rejects(runByHand(place, [...BY_HAND, '--probes', file]), {
    message: `The probes ${file} have faults:
P1: "key" is missing or empty.
P1: "kind" must be one of recall, artifact, continuation, decision, trap.`,
  })
})

t.test('a setting that the service does not know is an error, not a silent difference', async (t) => {
  const place = openFolder(t)
  const file = readSessionFile(place.session, true)
  const cut = findCut(file, 'a3')
  await t.rejects(compactUpTo(file, { cut, env: {}, settings: { inventedSetting: 5 } }), {
    message: 'This version of the service does not know settings.inventedSetting. Leave it out.',
  })
})

t.test('a folder with prompts of unknown calls is refused: their replies would answer other prompts', async (t) => {
  const place = openFolder(t)
  await runByHand(place)
  rmSync(join(place.folder, 'hand', 'calls.json'))
  await t.rejects(runByHand(place), {
    message: /hand has prompts but no calls\.json\. Give an empty folder to --by-hand\.$/,
  })
})

t.test('a wrong cut or setting is found before any model is called', async (t) => {
  const place = openFolder(t)
  const server = await startModelServer(t, [SUMMARY])
  const file = readSessionFile(place.session, true)
  const model = { baseUrl: server.url, name: 'm' }
  await t.rejects(compactUpTo(file, { cut: findCut(file, 'a3'), env: {}, model, settings: { inventedSetting: 5 } }))
  t.equal(server.requests.length, 0)
})

t.test(
  'with look-ups, a second reader of each summary may look up what it replaces, and nothing after the cut',
  async (t) => {
    const place = openFolder(t)
    const asks = [
      'LOOK UP recall {"query": "stable"}\nLOOK UP recall {"query": "merge sort"}',
      'LOOK UP read_entries {"entryIds": ["a1"]}\n- `LOOK UP outline {}`',
    ]
    const replyTo = (prompt: string): string => {
      if (roleOf(prompt) !== 'reader') return judgedBy(prompt)
      if (!prompt.includes('LOOK UP NAME')) return readerReply(prompt, 'wrong')
      const calls = prompt.split(/^=== Call \d: /m).length - 1
      return asks[calls === 0 ? 0 : calls === 2 ? 1 : 2] ?? readerReply(prompt, 'right')
    }
    const { result, prompts, lines } = await runByHand(place, [...BY_HAND, '--lookups', '3'], replyTo)
    const last = prompts.find((prompt) => prompt.includes('=== No calls are left')) ?? ''
    const answers = last.split(/^=== Call \d: /m).slice(1)
    t.match(answers, [
      /^LOOK UP recall \{"query": "stable"\} ===\n\n[^]*No word there begins with "stable"/,
      /^LOOK UP recall \{"query": "merge sort"\} ===\n\n[^]*\| I will write a merge sort\./,
      /^LOOK UP read_entries \{"entryIds": \["a1"\]\} ===\n\n[^]*\| Sort the list\. Use no library\./,
    ])
    t.equal(answers.length, 3, 'a call too many is not made')
    const tokens = result.systems[1]?.lookUpTokens ?? 0
    t.ok(tokens > 100 && tokens < 1000, String(tokens))
    t.same(
      result.systems.map(({ name, points, lookUps, lookUpTokens }) => [name, points, lookUps, lookUpTokens]),
      [
        ['Précis, by hand', -40, null, null],
        ['Précis, by hand, with look-ups', 80, 3, tokens],
      ],
    )
    const [titles = '', alone = '', looking = ''] = writeTable(result)
      .split('\n')
      .map((row) => row.replace(/ {2,}/g, ' | '))
    t.match(titles, 'summary | look-ups | their tokens | tokens in')
    t.match([alone, looking], [/^Précis, by hand \| -40 .* \| - \| - \| /, /with look-ups \| 80 .* \| 3 \| \d+ \| /])
    t.ok(lines.includes('The reader has answered from summary 1 of 1 and 3 look-ups'))
    const again = await runByHand(place, [...BY_HAND, '--lookups', '3'], () => {
      throw new Error('Nobody may be asked again.')
    })
    t.same(again.result, result)
  },
)

const judgedBy = (prompt: string): string => REPLIES[roleOf(prompt)](prompt)

t.test('a look-up that cannot be made says why, and counts', async (t) => {
  const { session } = openFolder(t)
  const file = readSessionFile(session, true)
  const replies = ['LOOK UP recall {"query": 1', 'LOOK UP recall {}', 'LOOK UP read_entries {"entryIds": ["a3"]}', '[]']
  const lookUps = new ReaderLookUps(openLookUps(file, findCut(file, 'a3'), true), 5)
  const prompts: string[] = []
  const last = await lookUps.ask('Questions.', async (prompt) => {
    prompts.push(prompt)
    return replies[prompts.length - 1] ?? ''
  })
  t.same([last, lookUps.tally.calls], ['[]', 3])
  t.match(prompts.at(-1), /Error: .*[^]*Error: Say what to look up[^]*Error: .*[^]*=== 2 calls are left: /)
  t.same(prompts[0], 'Questions.')
})
