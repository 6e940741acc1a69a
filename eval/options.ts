import { parseArgs } from 'node:util'

/** A model at a model server. */
export interface ModelOption {
  url: string
  model: string
}

export const BASELINES = ['pi', 'oh-my-pi'] as const
export type Baseline = (typeof BASELINES)[number]

/** Who writes a summary. */
export type SystemOption =
  | { kind: 'embedded' }
  | { kind: 'by-hand' }
  | ({ kind: 'model' } & ModelOption)
  | { kind: 'file'; path: string }
  | { kind: 'baseline'; baseline: Baseline }

/** What one evaluation does. */
export interface EvalOptions {
  session: string
  /** The format of the session; absent: it is detected. */
  format?: string
  /** The id of the first entry that is not summarized, or `line:N`; absent: where the service would cut. */
  cut?: string
  systems: SystemOption[]
  /** The model that writes probes, reads and judges; absent if people do it. */
  judge?: ModelOption
  /** The folder of prompts and replies, if people answer. */
  byHand?: string
  /** The folder of the run. */
  out?: string
  /** A file of probes that were written before. */
  probes?: string
  /** How often the reader may look things up for all probes together; absent: it reads only the summaries. */
  lookUps?: number
  /** How many summaries each system writes. */
  writers: number
  /** Budgets of the transcript, in tokens; each makes one system of each model. */
  transcriptTokens: number[]
  seed: string
  /** For a million tokens. */
  price?: { input: number; output: number }
}

export const USAGE = `npm run eval -- --session FILE [options]

  --session FILE             a session file of any format that the service reads
  --format ID                the format of the session, if it is not detected
  --cut ENTRY                the id of the first entry that is not summarized, or line:N (default: where the service cuts)
  --summarizer WHO           who writes a summary; repeat it for several:
                             embedded, URL,MODEL, by-hand, or a file with a finished summary
  --baseline NAME            pi or oh-my-pi: their prompts, sent to the first URL,MODEL or written by hand
  --judge URL,MODEL          the model that writes the probes, reads the summaries and grades the answers
  --by-hand DIR              people answer instead: DIR/N.prompt.txt is written, DIR/N.reply.txt is awaited
  --probes FILE              probes of an earlier run
  --lookups N                the reader answers a second time, and may look up N times what the summary replaces
  --writers N                summaries by each system (default 1)
  --transcript-tokens N      a budget for the transcript; repeat it for several
  --price INPUT,OUTPUT       the price of a million tokens
  --seed TEXT                decides the order of the answers for the judge (default 1)
  --out DIR                  the folder of the run (default: precis-eval/SESSION)

The key of the model servers is read from OPENAI_API_KEY. Run the same command again to resume a run.
eval/README.md describes the options and the files, docs/evaluation.md the method.`

const text = { type: 'string' } as const
const list = { type: 'string', multiple: true } as const
const OPTIONS = {
  session: text,
  format: text,
  cut: text,
  summarizer: list,
  baseline: list,
  judge: text,
  'by-hand': text,
  probes: text,
  lookups: text,
  writers: text,
  'transcript-tokens': list,
  price: text,
  seed: text,
  out: text,
} as const

/** Reads the arguments of the command. @throws Error that names the wrong argument and its remedy */
export function readOptions(args: readonly string[]): EvalOptions {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const { session, format, cut, judge, probes, lookups, out, seed = '1', price } = values
  if (session === undefined) throw new Error('--session is missing. Give the path of a session file.')
  const byHand = values['by-hand']
  const systems = [...readSummarizers(values.summarizer, byHand), ...(values.baseline ?? []).map(readBaseline)]
  if (judge === undefined && byHand === undefined)
    throw new Error('Nobody would write the probes. Give --judge URL,MODEL, or --by-hand DIR.')
  const needsPeople = systems.some(({ kind }) => kind === 'by-hand')
  const hasModel = systems.some(({ kind }) => kind === 'model')
  if (needsPeople && byHand === undefined) throw new Error('--summarizer by-hand needs --by-hand DIR.')
  if (!hasModel && byHand === undefined && systems.some(({ kind }) => kind === 'baseline'))
    throw new Error('--baseline needs a model for its prompts. Give --summarizer URL,MODEL, or --by-hand DIR.')
  return {
    session,
    systems,
    writers: readInteger('writers', values.writers ?? '1'),
    transcriptTokens: (values['transcript-tokens'] ?? []).map((value) => readInteger('transcript-tokens', value)),
    seed,
    ...(format !== undefined && { format }),
    ...(cut !== undefined && { cut }),
    ...(judge !== undefined && { judge: readModel('judge', judge) }),
    ...(byHand !== undefined && { byHand }),
    ...(probes !== undefined && { probes }),
    ...(lookups !== undefined && { lookUps: readInteger('lookups', lookups) }),
    ...(out !== undefined && { out }),
    ...(price !== undefined && { price: readPrice(price) }),
  }
}

function readSummarizers(values: readonly string[] | undefined, byHand: string | undefined): SystemOption[] {
  if (values !== undefined) return values.map(readSummarizer)
  return byHand === undefined ? [{ kind: 'embedded' }] : [{ kind: 'by-hand' }, { kind: 'embedded' }]
}

function readSummarizer(value: string): SystemOption {
  if (value === 'embedded' || value === 'by-hand') return { kind: value }
  if (/^https?:\/\//i.test(value)) return { kind: 'model', ...readModel('summarizer', value) }
  return { kind: 'file', path: value }
}

function readModel(option: string, value: string): ModelOption {
  const comma = value.lastIndexOf(',')
  const [url, model] = [value.slice(0, comma), value.slice(comma + 1).trim()]
  const { protocol = '', username = '', password = '' } = URL.parse(url) ?? {}
  if (comma === -1 || model === '' || !/^https?:$/.test(protocol))
    throw new Error(`--${option} must be URL,MODEL, such as https://api.openai.com/v1,gpt-5-mini.`)
  if (username !== '' || password !== '')
    throw new Error(`The URL of --${option} must not contain a key. Set OPENAI_API_KEY instead.`)
  return { url, model }
}

function readBaseline(value: string): SystemOption {
  const baseline = BASELINES.find((one) => one === value)
  if (baseline === undefined) throw new Error(`--baseline ${value} is unknown. Choose ${BASELINES.join(' or ')}.`)
  return { kind: 'baseline', baseline }
}

function readInteger(option: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new Error(`--${option} must be a positive integer, not "${value}".`)
}

function readPrice(value: string): { input: number; output: number } {
  const [, input, output] = /^(\d{1,9}(?:\.\d{1,9})?),(\d{1,9}(?:\.\d{1,9})?)$/.exec(value) ?? []
  if (input === undefined || output === undefined)
    throw new Error('--price must be two numbers, INPUT,OUTPUT, such as 0.25,2. They are prices of a million tokens.')
  return { input: Number(input), output: Number(output) }
}
