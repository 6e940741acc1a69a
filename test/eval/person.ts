import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PROBE_COUNTS, PROBE_KINDS } from '../../eval/probes.ts'

/** What a person replies to a prompt; undefined for no reply. */
export type Replies = (prompt: string) => string | undefined

/**
 * Answers the prompts in a folder until the work is done, and returns the result of the work and the prompts by number.
 */
export async function answerPrompts<T>(
  folder: string,
  replyTo: Replies,
  work: Promise<T>,
): Promise<{ value: T; prompts: string[] }> {
  const state = { isDone: false }
  const value = work.finally(() => {
    state.isDone = true
  })
  value.catch(() => undefined)
  while (!state.isDone) {
    for (const number of numbersIn(folder)) {
      const replyFile = join(folder, `${number}.reply.txt`)
      const reply = existsSync(replyFile) ? undefined : replyTo(readPrompt(folder, number))
      if (reply !== undefined) writeFileSync(replyFile, reply)
    }
    await wait(5)
  }
  return { value: await value, prompts: numbersIn(folder).map((number) => readPrompt(folder, number)) }
}

const readPrompt = (folder: string, number: number): string =>
  readFileSync(join(folder, `${number}.prompt.txt`), 'utf8')

function numbersIn(folder: string): number[] {
  if (!existsSync(folder)) return []
  const numbers = readdirSync(folder).flatMap((name) => /^(\d+)\.prompt\.txt$/.exec(name)?.[1] ?? [])
  return numbers.map(Number).sort((a, b) => a - b)
}

/** 40 probes in the form that the author is asked for. */
export const PROBES = PROBE_KINDS.flatMap((kind) => Array.from({ length: PROBE_COUNTS[kind] }, () => kind)).map(
  (kind, index) => ({
    id: `P${index + 1}`,
    kind,
    question: `Question ${index + 1}?`,
    key: `2 points: fact ${index + 1}.`,
    entries: ['a1'],
    quote: '',
  }),
)

export type Role = 'author' | 'reader' | 'judge' | 'writer'

/** Returns who is to answer a prompt of the evaluation. */
export function roleOf(prompt: string): Role {
  if (prompt.startsWith('You write an examination.')) return 'author'
  if (prompt.startsWith('You grade an examination.')) return 'judge'
  return prompt.startsWith('You are a coding agent in the middle') ? 'reader' : 'writer'
}

/** Returns the ids of the probes that a prompt asks about, in their order. */
export const idsIn = (prompt: string): string[] =>
  Array.from(prompt.matchAll(/^(?:=== )?(P\d+)(?:\. | \()/gm), ([, id = '']) => id)

/** A reply of the reader: the same answer to each probe. */
export const readerReply = (prompt: string, answer = 'An answer.', guess = false): string =>
  JSON.stringify(idsIn(prompt).map((id) => ({ id, answer, guess })))

/** Returns, for each probe in a prompt for the judge, the letters with their answers. */
export function lettersIn(prompt: string): Map<string, Record<string, string>> {
  const items = prompt.split(/^=== (?=P\d)/m).slice(1)
  return new Map(
    items.map((item) => [
      /^P\d+/.exec(item)?.[0] ?? '',
      Object.fromEntries(
        Array.from(item.matchAll(/^([A-Z](?: \(guess\))?): (.*)$/gm), ([, letter, text]) => [letter, text]),
      ),
    ]),
  )
}

/** A reply of the judge, from the grade of an answer. */
export const judgeReply = (prompt: string, gradeOf: (answer: string) => number): string =>
  JSON.stringify(
    Array.from(lettersIn(prompt), ([id, letters]) => ({
      id,
      grades: Object.fromEntries(
        Object.entries(letters).map(([letter, text]) => [letter.replace(' (guess)', ''), gradeOf(text)]),
      ),
      reason: 'as the key says',
    })),
  )
