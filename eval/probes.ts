import { readListItems, textField, writeItems, type Item } from './json-list.ts'
import { fillEvalPrompt } from './prompts.ts'
import type { EvalTranscript } from './transcript.ts'

/** How many probes of each kind are written. */
export const PROBE_COUNTS = { recall: 9, artifact: 9, continuation: 9, decision: 9, trap: 4 } as const

export type ProbeKind = keyof typeof PROBE_COUNTS
export const PROBE_KINDS = Object.keys(PROBE_COUNTS) as ProbeKind[]

/** One question about the session before the cut. */
export interface Probe {
  id: string
  kind: ProbeKind
  question: string
  /** What an answer must say, for 2 points and for 1. */
  key: string
  /** The entries that prove the key. */
  entries: string[]
  /** A part of the session that proves the key, word for word; it may be empty. */
  quote: string
}

/** Probes, and what is wrong with them, each fault with its place. */
export interface ReadProbes {
  probes: Probe[]
  faults: string[]
}

/** Reads probes from JSON, and checks their shape. */
export function readProbes(text: string): ReadProbes {
  const items = readListItems(text)
  if (items.length === 0) return { probes: [], faults: ['There is no JSON array of probes.'] }
  const faults: string[] = []
  const probes = items.map((item, index) => readProbe(item, `probe ${index + 1}`, faults))
  const ids = probes.map(({ id }) => id)
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
    faults.push(`${id}: several probes have this id. Give each its own.`)
  return { probes, faults }
}

function readProbe(item: Item, place: string, faults: string[]): Probe {
  const id = textField(item, 'id')
  const kind = PROBE_KINDS.find((one) => one === item['kind'])
  const { entries } = item
  const probe = {
    id,
    kind: kind ?? 'recall',
    question: textField(item, 'question'),
    key: textField(item, 'key'),
    entries: Array.isArray(entries) ? entries.map(String) : [],
    quote: textField(item, 'quote'),
  }
  const name = id === '' ? place : id
  for (const field of ['id', 'question', 'key'] as const)
    if (probe[field] === '') faults.push(`${name}: "${field}" is missing or empty.`)
  if (kind === undefined) faults.push(`${name}: "kind" must be one of ${PROBE_KINDS.join(', ')}.`)
  if (kind !== 'trap' && probe.entries.length === 0 && probe.quote === '')
    faults.push(`${name}: nothing proves the key. Give "entries" or a "quote".`)
  return probe
}

const ofKinds = (line: (kind: ProbeKind) => string): string => PROBE_KINDS.map(line).join('\n')
const COUNT = Object.values(PROBE_COUNTS).reduce<number>((sum, count) => sum + count, 0)

/**
 * Returns probes that a model writes from the whole session. If its reply has faults, it gets a second attempt.
 * @throws UnusableProbes if the second reply has faults too
 */
export async function writeProbes(
  transcript: EvalTranscript,
  ask: (prompt: string) => Promise<string>,
): Promise<Probe[]> {
  const prompt = fillEvalPrompt('probes', {
    ...transcript,
    count: String(COUNT),
    kinds: ofKinds((kind) => `- ${PROBE_COUNTS[kind]} of the kind "${kind}"`),
  })
  const reply = await ask(prompt)
  const first = checkWritten(reply)
  if (first.faults.length === 0) return first.probes
  const faults = first.faults.map((fault) => `- ${fault}`).join('\n')
  const second = checkWritten(
    await ask(fillEvalPrompt('probes-again', { prompt, reply, faults, count: String(COUNT) })),
  )
  if (second.faults.length > 0) throw new UnusableProbes(second)
  return second.probes
}

/** Probes that a model has written twice with faults. */
export class UnusableProbes extends Error {
  /** The probes as JSON, so that a person can correct them. */
  readonly draft: string

  constructor({ probes, faults }: ReadProbes) {
    super(`The model has written probes with faults twice:\n${faults.join('\n')}`)
    this.draft = writeItems(probes)
  }
}

function checkWritten(reply: string): ReadProbes {
  const { probes, faults } = readProbes(reply)
  if (probes.length === 0) return { probes, faults }
  const counts = PROBE_KINDS.flatMap((kind) => {
    const count = probes.filter((probe) => probe.kind === kind).length
    const wanted = PROBE_COUNTS[kind]
    return count === wanted ? [] : [`There are ${count} probes of the kind "${kind}" instead of ${wanted}.`]
  })
  return { probes, faults: [...faults, ...counts] }
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Returns the ids of probes whose quote is not in the session, so that a person looks at their keys. */
export function findUnprovenProbes(probes: readonly Probe[], { before }: EvalTranscript): string[] {
  const session = plain(before)
  return probes.filter(({ quote }) => !session.includes(plain(quote))).map(({ id }) => id)
}
