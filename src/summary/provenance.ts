import { readCommand } from '../extract/commands.ts'
import type { Fact, Provenance } from '../schemas/provenance.ts'
import type { FileLists, ProjectFile } from '../session/entry.ts'
import { textsOf, toolCallsOf, type Message } from '../session/message.ts'
import { createTextFinder, MIN_TEXT_UNITS } from '../text/find-texts.ts'
import { edgesOf, edgeTest, splitAtGaps } from '../text/name-boundary.ts'
import { comparableText } from './checks/grounding.ts'
import { findStatedFacts } from './stated-facts.ts'

/** An entry that a summary may have its facts from. */
export interface Origin {
  id: string
  message: Message
  /** The files of the project that are shown beside it. */
  projectFiles?: readonly ProjectFile[] | undefined
}

/**
 * Returns where the facts of a summary are: paths, commands, quotes and other claims, each with the entries that have them.
 * Case, the direction of slashes and white space do not count; a shortened text counts if all of its parts are in one entry.
 * @param origins the entries in their order; their texts are read once
 */
export function findProvenance(
  { summary, details }: { summary: string; details: FileLists },
  origins: readonly Origin[],
): Provenance {
  const toolNames = new Set(origins.flatMap(({ message }) => toolCallsOf(message).map(({ name }) => name)))
  const facts = findStatedFacts(summary, details, toolNames)
    .map((fact): Fact => ({ ...fact, entryIds: [], count: 0 }))
    .filter((fact) => partsOf(fact).length > 0)
    .slice(0, MAX_FACTS)
  const find = createPartFinder(facts)
  // A map, since an agent chooses the ids: `__proto__` is one like any other.
  const entryFacts = new Map<string, number>()
  let isWhole = true
  for (const { id, ...origin } of origins) {
    const { found, wasSearched } = find(origin)
    isWhole &&= wasSearched
    if (found.size === 0) continue
    entryFacts.set(id, found.size)
    for (const [fact, isCommand] of found) {
      if (isCommand && fact.kind === 'code') fact.kind = 'command'
      fact.count = (fact.count ?? 0) + 1
      if (fact.entryIds.length < MAX_ENTRY_IDS) fact.entryIds.push(id)
    }
  }
  // A fact that was not found may be where nothing was searched.
  if (!isWhole) for (const fact of facts) fact.count = fact.count === 0 ? null : fact.count
  return { facts, entryFacts: Object.fromEntries(entryFacts) }
}

/** The facts of a message, each with whether it is part of a command there; and whether all of the message was searched. */
interface FoundFacts {
  found: Map<Fact, boolean>
  wasSearched: boolean
}

const MAX_ENTRY_IDS = 20

/** Facts that are searched for: of a long list, the beginning is enough. */
const MAX_FACTS = 600

/** Longer texts are found by their beginning. */
const MAX_PART_CHARACTERS = 300

/** A part of a fact that an entry must have. */
interface FactPart {
  fact: Fact
  text: string
  isAtStart: (source: string, at: number) => boolean
  isAtEnd: (source: string, at: number) => boolean
}

const partsOf = (fact: Fact): FactPart[] =>
  splitAtGaps(fact.text).flatMap((part) => {
    const whole = comparableText(part.text)
    const text = whole.slice(0, MAX_PART_CHARACTERS)
    if (text.length < MIN_TEXT_UNITS) return []
    const edges = edgesOf(fact.kind, { ...part, isCutAfter: part.isCutAfter || text !== whole })
    return [{ fact, text, isAtStart: edgeTest(edges.before), isAtEnd: edgeTest(edges.after) }]
  })

function createPartFinder(facts: readonly Fact[]): (origin: Omit<Origin, 'id'>) => FoundFacts {
  const parts = facts.flatMap(partsOf)
  const needed = countBy(parts.map(({ fact }) => fact))
  const find = createTextFinder(parts.map(({ text }) => text))
  let wasSearched = true
  const collect = (texts: readonly string[]): Set<Fact> => {
    const seen = new Map<Fact, Set<number>>()
    for (const source of texts.map(comparableText)) {
      const isWhole = find(source, (index, start) => {
        const part = parts[index]
        if (part?.isAtStart(source, start) !== true || !part.isAtEnd(source, start + part.text.length)) return false
        seen.set(part.fact, (seen.get(part.fact) ?? new Set()).add(index))
        return true
      })
      wasSearched &&= isWhole
    }
    return new Set([...seen].filter(([fact, found]) => found.size === needed.get(fact)).map(([fact]) => fact))
  }
  return ({ message, projectFiles = [] }) => {
    wasSearched = true
    const inCommands = collect(commandsOf(message))
    // A command may be a list of its words.
    const found = new Set([
      ...inCommands,
      ...collect([...textsOf(message), ...projectFiles.flatMap(({ path, text }) => [path, text])]),
    ])
    return { found: new Map(Array.from(found, (fact) => [fact, inCommands.has(fact)])), wasSearched }
  }
}

function countBy<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const commandsOf = (message: Message): string[] =>
  message.role === 'bashExecution' ? [message.command] : toolCallsOf(message).flatMap((call) => readCommand(call) ?? [])
