import { SaidLines } from '../../extract/said-lines.ts'
import { baseName } from '../../files/paths.ts'
import { SESSION_FACT_KINDS, type ComparedFact, type FactCounts } from '../../schemas/comparison.ts'
import { comparable, hasStart, START_CHARACTERS } from '../../text/name-boundary.ts'
import { firstCharacters } from '../../text/shorten.ts'
import { findUnknownPaths } from '../checks/claims.ts'
import { wordForWordIn } from '../requests.ts'
import { numbersIn } from './find-numbers.ts'
import type { SessionFact } from './session-facts.ts'

/**
 * Returns which facts a summary has. Names, commands and hashes must be there as they are, files by the end of their path, errors by
 * their letters and digits; requests, demands and open items also in other words that share most of theirs.
 * @param whole any summary: those of agents have forms of their own
 */
export function findKept(facts: readonly SessionFact[], whole: string): boolean[] {
  const summary = firstCharacters(whole, MAX_READ_CHARACTERS)
  const text = comparable(summary)
  const letters = onlyWords(summary)
  const numbers = numbersIn(summary)
  const said = new SaidLines(summary.split('\n'))
  const isWordForWord = wordForWordIn(summary)
  const lost = findLostPaths(facts, summary)
  return facts.map((fact) => {
    switch (fact.kind) {
      case 'demand':
        return isWordForWord(firstCharacters(fact.text, START_CHARACTERS)) || said.stateDemand(fact.text)
      case 'request':
      case 'open-item':
        return isWordForWord(firstCharacters(fact.text, START_CHARACTERS)) || said.state(fact.text)
      case 'changed-file':
      case 'read-file':
        return !lost.has(fact)
      case 'command':
        return hasStart(text, fact.text)
      case 'error':
        return letters.includes(onlyWords(coreOf(fact.text)).slice(0, ERROR_LETTERS))
      case 'number':
        return numbers.has(fact.name ?? '')
      case 'commit':
        return (
          text.includes((fact.name ?? '').slice(0, HASH_CHARACTERS)) || hasStart(text, fact.text.replace(/^\S+ /, ''))
        )
    }
  })
}

/** No summary is longer: each of some hundred facts is looked up in it. */
const MAX_READ_CHARACTERS = 131_072

/** Summaries shorten hashes to this length, as git does. */
const HASH_CHARACTERS = 7
const ERROR_LETTERS = 40

const onlyWords = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Returns the longest part of an error between its colons: what is before it is a place, or the name of a program. */
const coreOf = (error: string): string =>
  error.split(/:\s/).reduce((longest, part) => (part.length > longest.length ? part : longest), '')

/** Returns the files that a summary does not name: by their name, if no other file has it, and otherwise with their folder. */
function findLostPaths(facts: readonly SessionFact[], summary: string): Set<SessionFact> {
  const files = facts.filter(({ kind }) => kind === 'changed-file' || kind === 'read-file')
  const byName = new Map<string, Set<string>>()
  for (const { text } of files) {
    const name = baseName(text)
    byName.set(name, (byName.get(name) ?? new Set()).add(endOf(text)))
  }
  const shortest = new Map(
    files.map((fact) => [
      fact,
      (byName.get(baseName(fact.text))?.size ?? 0) > 1 ? endOf(fact.text) : baseName(fact.text),
    ]),
  )
  const unknown = new Set(findUnknownPaths([...new Set(shortest.values())], [summary]))
  return new Set(files.filter((fact) => unknown.has(shortest.get(fact) ?? '')))
}

/** Returns the name of a file with its folder. */
const endOf = (path: string): string => path.split('/').slice(-2).join('/')

/** Returns which facts each of two summaries has, and how many of each kind. */
export function compareFacts(
  facts: readonly SessionFact[],
  { agent, precis }: { agent: string; precis: string },
): { facts: ComparedFact[]; counts: FactCounts[] } {
  const [byAgent, byPrecis] = [findKept(facts, agent), findKept(facts, precis)]
  const compared = facts.map(({ kind, text, entryIds }, index) => ({
    ...{ kind, text, entryIds },
    inAgent: byAgent[index] === true,
    inPrecis: byPrecis[index] === true,
  }))
  const counts = SESSION_FACT_KINDS.map((kind) => {
    const ofKind = compared.filter((fact) => fact.kind === kind)
    return {
      kind,
      total: ofKind.length,
      inAgent: ofKind.filter(({ inAgent }) => inAgent).length,
      inPrecis: ofKind.filter(({ inPrecis }) => inPrecis).length,
    }
  })
  return { facts: compared, counts: counts.filter(({ total }) => total > 0) }
}
