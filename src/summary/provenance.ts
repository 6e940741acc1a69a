import { readCommand } from '../extract/commands.ts'
import type { Fact, Provenance } from '../schemas/provenance.ts'
import type { FileLists } from '../session/entry.ts'
import { textsOf, toolCallsOf, type Message } from '../session/message.ts'
import { createTextFinder, MIN_TEXT_UNITS } from '../text/find-texts.ts'
import { NAME_CHARACTER, NAME_KINDS } from '../text/name-boundary.ts'
import { findClaims } from './checks/claims.ts'

/** An entry that a summary may have its facts from. */
export interface Origin {
  id: string
  message: Message
}

/**
 * Returns where the facts of a summary stand: paths, commands, quotes and other claims, each with the entries that have them.
 * Case, the direction of slashes and white space do not count; a shortened text counts if all of its parts are in one entry.
 * @param origins the entries in their order; they are read once
 */
export function findProvenance(
  { summary, details }: { summary: string; details: FileLists },
  origins: readonly Origin[],
): Provenance {
  const facts = findFacts(summary, details)
  const find = createPartFinder(facts)
  // A map, since an agent chooses the ids: `__proto__` is one like any other.
  const entryFacts = new Map<string, number>()
  for (const { id, message } of origins) {
    const found = find(message)
    if (found.size === 0) continue
    entryFacts.set(id, found.size)
    for (const [fact, isCommand] of found) {
      if (isCommand && fact.kind === 'code') fact.kind = 'command'
      fact.count += 1
      if (fact.entryIds.length < MAX_ENTRY_IDS) fact.entryIds.push(id)
    }
  }
  return { facts, entryFacts: Object.fromEntries(entryFacts) }
}

const MAX_ENTRY_IDS = 20

/** Facts that are searched for: of a long list, the beginning is enough. */
const MAX_FACTS = 600

/** Longer texts are found by their beginning. */
const MAX_PART_CHARACTERS = 300

/** What else a summary states word for word, besides the claims that the checks look up. */
const SPANS: readonly [kind: Fact['kind'], pattern: RegExp][] = [
  ['code', /`([^`\n]{3,300})`/g],
  ['quote', /["“]([^"“”\n]{12,300})["”]/g],
  ['quote', /^[ \t]{0,3}>[ \t]?(\S[^\n]{3,})$/gm],
]

/** Returns the facts of a summary in the order in which they are found, each once. */
function findFacts(summary: string, { readFiles, modifiedFiles }: FileLists): Fact[] {
  const kinds = new Map<string, Fact['kind']>()
  for (const { kind, text } of findClaims(summary)) kinds.set(text, kind)
  for (const path of [...modifiedFiles, ...readFiles]) kinds.set(path, 'path')
  for (const [kind, pattern] of SPANS)
    for (const [, text = ''] of summary.matchAll(pattern)) if (!kinds.has(text.trim())) kinds.set(text.trim(), kind)
  return Array.from(kinds, ([text, kind]): Fact => ({ text, kind, entryIds: [], count: 0 }))
    .filter(({ text }) => partsOf(text).length > 0)
    .slice(0, MAX_FACTS)
}

/** What stands for the rest of a shortened text, and for what varies in it. */
const GAPS = /\.{3}|…|<[^<>]{1,40}>|\[redacted:[a-z-]{1,40}\]/

/** Returns the parts of a text that an entry must have. */
const partsOf = (text: string): string[] =>
  text
    .split(GAPS)
    .map((part) => normalize(part).trim().slice(0, MAX_PART_CHARACTERS))
    .filter((part) => part.length >= MIN_TEXT_UNITS)

const normalize = (text: string): string => text.toLowerCase().replaceAll('\\', '/').replace(/\s+/g, ' ')

const IN_NAME = new RegExp(NAME_CHARACTER, 'u')

/** Returns a function that finds the facts in a message, each with whether it is part of a command there. */
function createPartFinder(facts: readonly Fact[]): (message: Message) => Map<Fact, boolean> {
  const parts = facts.flatMap((fact) => partsOf(fact.text).map((text) => ({ fact, text })))
  const needed = countBy(parts.map(({ fact }) => fact))
  const find = createTextFinder(parts.map(({ text }) => text))
  const collect = (texts: readonly string[]): Set<Fact> => {
    const seen = new Map<Fact, Set<number>>()
    for (const source of texts.map(normalize))
      find(source, (index, start) => {
        const part = parts[index]
        if (part === undefined || isInsideName(part, source, start)) return false
        seen.set(part.fact, (seen.get(part.fact) ?? new Set()).add(index))
        return true
      })
    return new Set([...seen].filter(([fact, found]) => found.size === needed.get(fact)).map(([fact]) => fact))
  }
  return (message) => {
    const inCommands = collect(commandsOf(message))
    return new Map([...collect(textsOf(message))].map((fact) => [fact, inCommands.has(fact)]))
  }
}

function countBy<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function isInsideName({ fact, text }: { fact: Fact; text: string }, source: string, start: number): boolean {
  if (!NAME_KINDS.has(fact.kind)) return false
  const [before, after] = [source[start - 1] ?? '', source[start + text.length] ?? '']
  return IN_NAME.test(before) || IN_NAME.test(after)
}

/** Returns the commands that a message runs. */
const commandsOf = (message: Message): string[] =>
  message.role === 'bashExecution' ? [message.command] : toolCallsOf(message).flatMap((call) => readCommand(call) ?? [])
