import { SECRET_CHARACTERS, type Ledger } from './ledger.ts'

/** Keys that are words of the service's own, as examples in tests may be. */
const MIN_KEY_CHARACTERS = 8

/**
 * Finds content and keys in what the service wrote: a stretch of 24 characters of any line of a body, prompt or summary,
 * or a whole key.
 */
export function findLeaks({ content, keys, written }: Ledger): string[] {
  const stretches = new Set<string>()
  for (const line of written)
    for (let at = 0; at + SECRET_CHARACTERS <= line.length; at++) stretches.add(line.slice(at, at + SECRET_CHARACTERS))
  const all = written.join('\n')
  return [
    ...content.filter((line) => !OWN_WORDS.test(line) && stretchesOf(line).some((stretch) => stretches.has(stretch))),
    ...keys.filter((key) => key.length >= MIN_KEY_CHARACTERS && all.includes(key)),
  ]
}

/** Names of OpenAI's API that this service uses too: an error, and an option that it refuses by its name. */
const OWN_WORDS = /^(?:"code": "context_length_exceeded"|message\.output_text\.logprobs$)/

/** Every eighth, so that of a part of 32 characters one is sure to be found. */
const STEP = 8

const stretchesOf = (line: string): string[] =>
  Array.from({ length: Math.floor((line.length - SECRET_CHARACTERS) / STEP) + 1 }, (_, index) =>
    line.slice(index * STEP, index * STEP + SECRET_CHARACTERS),
  )
