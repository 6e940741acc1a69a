import { createHash } from 'node:crypto'
import type { Ask } from './ask-model.ts'
import { readListItems, textField, type Item } from './json-list.ts'
import type { ReaderLookUps } from './look-ups.ts'
import type { Probe } from './probes.ts'
import { fillEvalPrompt } from './prompts.ts'

/** What a reader answered to one probe from one summary. */
export interface ProbeAnswer {
  text: string
  isGuess: boolean
}

export type Grade = -1 | 0 | 1 | 2

/** The grades of one probe, in the order of the summaries. */
export interface GradedProbe {
  id: string
  grades: Grade[]
  /** The letters that the summaries had for the judge. */
  letters: string[]
  /** Why, in the judge's words, with those letters. */
  reason: string
}

/** What a reader knows. */
interface Known {
  summary: string
  /** What it may look up; without it, the summary is all that it knows. */
  lookUps?: ReaderLookUps | undefined
}

/** Returns the answers to all probes that a reader finds, by the ids of the probes. */
export async function answerProbes(
  { summary, lookUps }: Known,
  probes: readonly Probe[],
  askReader: Ask,
): Promise<ReadonlyMap<string, ProbeAnswer>> {
  const ask: Ask = lookUps === undefined ? askReader : (prompt) => lookUps.ask(prompt, askReader)
  const promptFor = (asked: readonly Probe[]): string => {
    const questions = asked.map(({ id, question }) => `${id}. ${question}`).join('\n')
    if (lookUps === undefined) return fillEvalPrompt('reader', { summary, questions })
    return fillEvalPrompt('reader-lookups', { summary, questions, tools: lookUps.tools, most: String(lookUps.most) })
  }
  // The author writes the traps last. In another order, a reader cannot recognize them by their place.
  const mixed = shuffle(probes.length, 'reader').flatMap((index) => probes[index] ?? [])
  return askForEach({ probes: mixed, promptFor, ask, who: 'reader' }, (item) => {
    const text = textField(item, 'answer')
    return text === '' ? undefined : { text, isGuess: item['guess'] === true || item['guess'] === 'true' }
  })
}

/** The answers of one prompt for the judge. More of them would be graded carelessly. */
const ANSWERS_PER_PROMPT = 240

/**
 * Returns the grades of all answers. The judge sees the answers to a probe side by side, without names and in an order
 * that differs from probe to probe.
 * @param answers of each summary, by the ids of the probes
 * @param seed the same seed gives the same orders
 */
export async function judgeAnswers(
  answers: readonly ReadonlyMap<string, ProbeAnswer>[],
  probes: readonly Probe[],
  { ask, seed }: { ask: Ask; seed: string },
): Promise<GradedProbe[]> {
  const size = Math.max(1, Math.floor(ANSWERS_PER_PROMPT / Math.max(1, answers.length)))
  const parts = Array.from({ length: Math.ceil(probes.length / size) }, (_, at) =>
    probes.slice(at * size, (at + 1) * size),
  )
  const orderOf = ({ id }: Probe): number[] => shuffle(answers.length, `${seed}:${id}`)
  const promptFor = (asked: readonly Probe[]): string =>
    fillEvalPrompt('judge', { items: asked.map((probe) => writeItem(probe, orderOf(probe), answers)).join('\n\n') })
  const graded = await Promise.all(
    parts.map((part) =>
      askForEach({ probes: part, promptFor, ask, who: 'judge' }, (item, probe) =>
        readGrades(item, probe, { order: orderOf(probe), answers }),
      ),
    ),
  )
  return graded.flatMap((part) => [...part.values()])
}

const letterOf = (place: number): string =>
  place < 26 ? String.fromCharCode(65 + place) : `${letterOf(Math.floor(place / 26) - 1)}${letterOf(place % 26)}`

/** Returns the numbers below a count in an order that depends only on the seed. */
export function shuffle(count: number, seed: string): number[] {
  const keyOf = (number: number): string => createHash('sha256').update(`${seed}:${number}`).digest('hex')
  return Array.from({ length: count }, (_, number) => ({ number, key: keyOf(number) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ number }) => number)
}

function writeItem(
  { id, kind, question, key }: Probe,
  order: readonly number[],
  answers: readonly ReadonlyMap<string, ProbeAnswer>[],
): string {
  const lines = order.map((number, place) => {
    const answer = answers[number]?.get(id)
    return `${letterOf(place)}${answer?.isGuess === true ? ' (guess)' : ''}: ${oneParagraph(answer?.text ?? '')}`
  })
  return [`=== ${id} (${kind}) ===`, `Question: ${question}`, `Key: ${key}`, ...lines].join('\n')
}

/** An answer with lines of its own could look like that of another candidate. */
const oneParagraph = (text: string): string => text.replace(/\s+/g, ' ').trim()

interface Candidates {
  order: readonly number[]
  answers: readonly ReadonlyMap<string, ProbeAnswer>[]
}

function readGrades(item: Item, { id }: Probe, { order, answers }: Candidates): GradedProbe | undefined {
  const given = item['grades']
  if (typeof given !== 'object' || given === null) return undefined
  const grades: Grade[] = answers.map(() => 0)
  const letters = answers.map(() => '')
  for (const [place, number] of order.entries()) {
    const grade = GRADES.get(String((given as Item)[letterOf(place)]).trim())
    if (grade === undefined) return undefined
    // Some judges forget the rule about guesses.
    grades[number] = grade === 2 && answers[number]?.get(id)?.isGuess === true ? 1 : grade
    letters[number] = letterOf(place)
  }
  return { id, grades, letters, reason: textField(item, 'reason') }
}

const GRADES = new Map<string, Grade>([
  ['-1', -1],
  ['0', 0],
  ['1', 1],
  ['2', 2],
  ['+1', 1],
  ['+2', 2],
])

const MAX_ATTEMPTS = 3

interface Asking {
  probes: readonly Probe[]
  promptFor: (probes: readonly Probe[]) => string
  ask: Ask
  who: string
}

/** Asks for one element per probe, and again for those that are missing. @throws Error if some are still missing */
async function askForEach<T>(
  { probes, promptFor, ask, who }: Asking,
  read: (item: Item, probe: Probe) => T | undefined,
): Promise<ReadonlyMap<string, T>> {
  const found = new Map<string, T>()
  const missing = (): Probe[] => probes.filter(({ id }) => !found.has(id))
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && missing().length > 0; attempt++) {
    // Without the note, the prompt could be equal to the one before, whose reply is in the log.
    const note = attempt === 1 ? '' : `\n\nAttempt ${attempt}: the last reply had no complete element for these.`
    const items = readListItems(await ask(promptFor(missing()) + note))
    for (const probe of missing()) {
      const value = items.filter((item) => textField(item, 'id') === probe.id).map((item) => read(item, probe))
      const first = value.find((one) => one !== undefined)
      if (first !== undefined) found.set(probe.id, first)
    }
  }
  const ids = missing().map(({ id }) => id)
  if (ids.length > 0)
    throw new Error(
      `The ${who} gave no usable reply for ${ids.join(', ')} in ${MAX_ATTEMPTS} attempts. ` +
        'Run the same command with another --judge, or correct the reply files of --by-hand.',
    )
  // In the order of the probes.
  return new Map(probes.flatMap(({ id }) => (found.has(id) ? [[id, found.get(id) as T] as const] : [])))
}
