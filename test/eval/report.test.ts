import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { readOptions } from '../../eval/options.ts'
import { writeHtml } from '../../eval/report-html.ts'
import { writeTable } from '../../eval/report-text.ts'
import { summarizeResult, type WrittenSummary } from '../../eval/result.ts'
import type { Grade } from '../../eval/examine.ts'
import { PROBES } from './person.ts'

const probes = PROBES.filter(({ id }) => ['P1', 'P37'].includes(id))
const work = { calls: 2, inputTokens: 40_000, outputTokens: 5000, ms: 61_000 }
const summaries: WrittenSummary[] = [
  { system: 'Précis, m', text: 'one', tokens: 4000, work },
  { system: 'Précis, m', text: 'two', tokens: 5000, work: { ...work, calls: 1 } },
  { system: '<b>"other"</b>', text: 'three', tokens: 1200 },
]
const GRADES: Grade[][] = [
  [2, 1, 0],
  [2, 2, -1],
]
const result = summarizeResult(
  { session: '<i>.jsonl', cut: 'e&9', judge: 'j', seed: '1' },
  {
    probes,
    summaries,
    answers: summaries.map(({ text }) => new Map(probes.map(({ id }) => [id, { text: `<u>${text}`, isGuess: false }]))),
    graded: probes.map(({ id }, index) => ({
      id,
      grades: GRADES[index] ?? [],
      letters: ['B', 'A', 'C'],
      reason: '<script>alert(1)</script>',
    })),
    price: { input: 1, output: 10 },
  },
)

t.test('the figures of a system are means over its summaries', async (t) => {
  const none = { artifact: 0, continuation: 0, decision: 0 }
  t.same(result.systems, [
    {
      name: 'Précis, m',
      points: 3.5,
      pointsOfEach: [4, 3],
      byKind: { recall: 1.5, ...none, trap: 2 },
      confidentErrors: 0,
      summaryTokens: 4500,
      calls: 1.5,
      inputTokens: 40_000,
      outputTokens: 5000,
      lookUps: null,
      lookUpTokens: null,
      seconds: 61,
      price: 0.09,
    },
    {
      name: '<b>"other"</b>',
      points: -1,
      pointsOfEach: [-1],
      byKind: { recall: 0, ...none, trap: -1 },
      confidentErrors: 1,
      summaryTokens: 1200,
      calls: null,
      inputTokens: null,
      outputTokens: null,
      lookUps: null,
      lookUpTokens: null,
      seconds: null,
      price: null,
    },
  ])
})

t.test('the table has one line for each system, with the spread of several summaries', async (t) => {
  const rows = writeTable(result)
    .split('\n')
    .map((line) => line.split(/ {2,}/))
  t.same(rows, [
    [
      'system',
      'points (4)',
      'recall (2)',
      'artifact (0)',
      'continuation (0)',
      'decision (0)',
      'trap (2)',
      'errors',
      'summary',
      'tokens in',
      'tokens out',
      'calls',
      'seconds',
      'price',
    ],
    ['Précis, m', '3.5 (3 to 4)', '1.5', '0', '0', '0', '2', '0', '4,500', '40,000', '5,000', '1.5', '61', '0.09'],
    ['<b>"other"</b>', '-1', '0', '0', '0', '0', '-1', '1', '1,200', '-', '-', '-', '-', '-'],
  ])
})

t.test('the report shows foreign text as text, and has no script and no reference to elsewhere', async (t) => {
  const html = writeHtml(result)
  for (const foreign of [/<script/i, /<b>/, /<i>/, /<u>/, /href|src=|url\(/]) t.notMatch(html, foreign)
  for (const shown of [
    '&lt;b&gt;&quot;other&quot;&lt;/b&gt;',
    '&lt;i&gt;.jsonl',
    'e&amp;9',
    '&lt;script&gt;',
    '&lt;u&gt;three',
  ])
    t.ok(html.includes(shown), shown)
})

t.test(
  'the chart has one bar for each system, and no bar is wider than the drawing or narrower than nothing',
  async (t) => {
    const html = writeHtml(result)
    const bars = Array.from(
      html.matchAll(/<rect x="([\d.]+)" y="\d+" width="(-?[\d.]+)" height="26"/g),
      ([, x, width]) => [Number(x), Number(width)],
    )
    t.equal(bars.length, 2 * 5)
    t.ok(bars.every(([x = NaN, width = NaN]) => width >= 0 && x + width <= 960))
    t.match(html, 'aria-label="Points by system. Précis, m: 3.5 of 4; ')
  },
)

t.test('arguments become options', async (t) => {
  t.same(
    readOptions([
      ...['--session', 's.jsonl', '--summarizer', 'embedded', '--summarizer', 'https://a.example/v1,some/model'],
      ...['--summarizer', 'own.md', '--baseline', 'pi', '--judge', 'http://127.0.0.1:1/v1,j', '--writers', '3'],
      ...['--transcript-tokens', '20000', '--transcript-tokens', '60000', '--price', '0.25,2', '--cut', 'line:7'],
    ]),
    {
      session: 's.jsonl',
      cut: 'line:7',
      systems: [
        { kind: 'embedded' },
        { kind: 'model', url: 'https://a.example/v1', model: 'some/model' },
        { kind: 'file', path: 'own.md' },
        { kind: 'baseline', baseline: 'pi' },
      ],
      judge: { url: 'http://127.0.0.1:1/v1', model: 'j' },
      writers: 3,
      transcriptTokens: [20_000, 60_000],
      price: { input: 0.25, output: 2 },
      seed: '1',
    },
  )
})

t.test('without --summarizer, people and the embedded summarizer write', async (t) => {
  t.same(readOptions(['--session', 's', '--by-hand', 'd']).systems, [{ kind: 'by-hand' }, { kind: 'embedded' }])
})

t.test('a wrong argument is named with its remedy', async (t) => {
  const cases: [string[], string][] = [
    [[], '--session is missing. Give the path of a session file.'],
    [['--session', 's'], 'Nobody would write the probes. Give --judge URL,MODEL, or --by-hand DIR.'],
    [['--session', 's', '--judge', 'gpt'], '--judge must be URL,MODEL, such as https://api.openai.com/v1,gpt-5-mini.'],
    [
      ['--session', 's', '--judge', 'https://k@h/v1,m'],
      'The URL of --judge must not contain a key. Set OPENAI_API_KEY instead.',
    ],
    [
      ['--session', 's', '--judge', 'http://h,m', '--summarizer', 'by-hand'],
      '--summarizer by-hand needs --by-hand DIR.',
    ],
    [['--session', 's', '--judge', 'http://h,m', '--baseline', 'pi'], '--baseline needs a model for its prompts. '],
    [['--session', 's', '--by-hand', 'd', '--baseline', 'vim'], '--baseline vim is unknown. Choose pi or oh-my-pi.'],
    [['--session', 's', '--by-hand', 'd', '--writers', '0'], '--writers must be a positive integer, not "0".'],
    [
      ['--session', 's', '--by-hand', 'd', '--price', '5'],
      '--price must be two numbers, INPUT,OUTPUT, such as 0.25,2. ',
    ],
    [['--sesion', 's'], "Unknown option '--sesion'"],
  ]
  for (const [args, message] of cases) t.throws(() => readOptions(args), { message }, args.join(' '))
})

t.test('the command names a fault on stderr, and fails', async (t) => {
  const main = fileURLToPath(new URL('../../eval/main.ts', import.meta.url))
  const ran = spawnSync(process.execPath, ['--import', 'tsx', main, '--by-hand', 'x'], { encoding: 'utf8' })
  const stderr = 'precis: --session is missing. Give the path of a session file.\n'
  t.match(ran, { status: 1, stdout: '', stderr })
})
