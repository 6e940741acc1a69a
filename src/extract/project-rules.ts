import { baseName } from '../files/paths.ts'
import type { Entry, ProjectFile } from '../session/entry.ts'
import { textOf, type Message } from '../session/message.ts'
import { isFence } from '../text/close-marks.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { eachThatFits } from '../text/that-fit.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { findSentences } from './statements.ts'
import { DOCUMENT_DEMAND, isDemand } from './words.ts'

/** The room of all rules: the files themselves are longer, and a client shows them again after a compaction. */
const MAX_TOKENS = 300
const MAX_RULE_CHARACTERS = 300
const MAX_FILE_CHARACTERS = 16_000

/**
 * Returns the rules in the files of the project that a client has shown to the model, such as CLAUDE.md, each once and with the name of
 * its file. The newest text of each file counts. Where they are many, those that say "must", "never" and the like are chosen.
 * @param redact replaces the secrets of a text
 */
export function findProjectRules(files: readonly ProjectFile[], redact: (text: string) => string): string[] {
  const newest = new Map(files.map(({ path, text }) => [path, text]))
  const rules = [...newest].flatMap(([path, text]) =>
    rulesIn(redact(text)).map((rule) => ({ rule, file: nameOf(path) })),
  )
  const once = [...new Map(rules.map((one) => [one.rule.toLowerCase(), one])).values()]
  const costOf = (all: typeof once): number => estimateTextTokens(all.map(write).join('\n'))
  const chosen = costOf(once) <= MAX_TOKENS ? once : once.filter(({ rule }) => DOCUMENT_DEMAND.test(rule))
  return eachThatFits(chosen.map(write), MAX_TOKENS, (line) => estimateTextTokens(`${line}\n`))
}

const write = ({ rule, file }: { rule: string; file: string }): string => `${rule} (rule of ${file})`

/** Whether a line of a summary is a rule of a file: its file may say something else by now. */
export const isProjectRule = (line: string): boolean => / \(rule of [^\s()]{1,80}\)$/.test(line)

const nameOf = (path: string): string =>
  baseName(path.replaceAll('\\', '/'))
    .replace(/[\s()`]+/g, '-')
    .slice(0, 80) || 'AGENTS.md'

/** Returns the files of the project that entries show, oldest first. */
export const projectFilesIn = (entries: readonly Entry[]): ProjectFile[] =>
  entries.flatMap(({ message, projectFiles = [] }) => [...projectFiles, ...readCodexFile(message)])

const CODEX_START = '# AGENTS.md instructions'
const CODEX_TAG = '<INSTRUCTIONS>'

/** Returns the file that Codex (0.120 and 0.169) shows in a message of its own. */
function readCodexFile(message: Message | undefined): ProjectFile[] {
  if (message?.role !== 'custom') return []
  const text = message.content.map((block) => textOf([block])).find((block) => block.startsWith(CODEX_START))
  const start = text?.indexOf(CODEX_TAG) ?? -1
  if (text === undefined || start < 0) return []
  const end = text.lastIndexOf(`</${CODEX_TAG.slice(1)}`)
  return [{ path: 'AGENTS.md', text: text.slice(start + CODEX_TAG.length, end < start ? undefined : end) }]
}

const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(?=\S)/

/** Returns the items of lists, each with the lines below it, and sentences that demand something. */
function rulesIn(text: string): string[] {
  const rules: string[] = []
  let item: string | undefined
  const end = (): void => {
    if (item !== undefined && !item.endsWith(':')) rules.push(shorten(oneLine(item), MAX_RULE_CHARACTERS))
    item = undefined
  }
  let isFenced = false
  for (const line of text.slice(0, MAX_FILE_CHARACTERS).split('\n')) {
    const isMark = isFence(line)
    if (isMark) isFenced = !isFenced
    const isNew = ITEM.test(line)
    if (item !== undefined && !isMark && !isFenced && /^\s+\S/.test(line)) item += joined(item, line, isNew)
    else end()
    if (isMark || isFenced || item !== undefined) continue
    if (isNew) item = line.replace(ITEM, '').trim()
    else if (!line.startsWith('#')) rules.push(...findSentences(line).filter(isDemand))
  }
  end()
  return rules
}

/** Returns what a line adds to an item above it: the rest of its sentence, or an item below it. */
const joined = (item: string, line: string, isNew: boolean): string =>
  isNew ? `${/[:;]$/.test(item) ? '' : ';'} ${line.replace(ITEM, '').trim()}` : ` ${line.trim()}`
