import { oneLine, shorten } from '../text/shorten.ts'
import { findCommits, isCommit, makesCommits } from './commands.ts'
import { isQuery } from './exit-status.ts'
import type { SimpleCommand } from './shell.ts'

/** The message that a command gives to `git commit`. */
export interface CommitMessage {
  subject: string
  /** The items and paragraphs below the subject, each on one line. */
  body: string[]
}

/** How much of a command is read, and of a message kept. */
const MAX_COMMAND_CHARACTERS = 8000
const MAX_BODY_LINES = 24
const MAX_LINE_CHARACTERS = 400

/** The beginning of a message: `-m "`, `-am '`, `--message="`. */
const OPTION = /(?<=\s)(?:-[a-z]{0,4}m|--message)[ =]?(["'])/g

/** A message that a here-document has: `"$(cat <<'EOF'`. */
const HERE_DOCUMENT = /^\$\(cat <<-?\s?['"]?(\w{1,20})['"]?\n/

/** Lines that tools add to a message. */
const TRAILER = /^(?:[A-Z][\w-]{1,40}-[Bb]y: |🤖|Generated (?:with|by) |Claude-Session: |Change-Id: )/u

/**
 * Returns the message of a command that commits; undefined if it has none that is written out.
 * @param commands its simple commands
 */
export function readCommitMessage(command: string, commands: readonly SimpleCommand[]): CommitMessage | undefined {
  if (!command.includes('commit') || !makesCommits(commands)) return undefined
  const read = command.slice(0, MAX_COMMAND_CHARACTERS)
  const texts: string[] = []
  let end = 0
  for (const { 0: option, 1: quote = '"', index } of read.slice(read.indexOf('commit')).matchAll(OPTION)) {
    const start = read.indexOf('commit') + index + option.length
    if (start < end) continue
    const text = readQuoted(read, start, quote)
    end = start + text.length
    texts.push(quote === '"' ? text.replace(/\\(["$`\\])/g, '$1') : text)
  }
  return parseMessage(texts.join('\n\n'))
}

/** Returns the text up to the closing quote, or that of a here-document in it. */
function readQuoted(command: string, start: number, quote: string): string {
  const rest = command.slice(start)
  const [opening, word = ''] = HERE_DOCUMENT.exec(rest.slice(0, 60)) ?? []
  if (opening !== undefined) {
    const end = rest.indexOf(`\n${word}`)
    return rest.slice(opening.length, end < 0 ? undefined : end)
  }
  let end = rest.indexOf(quote)
  while (quote === '"' && end > 0 && rest[end - 1] === '\\') end = rest.indexOf(quote, end + 1)
  return rest.slice(0, end < 0 ? undefined : end)
}

const ITEM = /^(\s{0,16})(?:[-*+•])\s+/

function parseMessage(message: string): CommitMessage | undefined {
  const [subject = '', ...lines] = message.trim().split('\n')
  if (subject.trim() === '') return undefined
  const items: string[] = []
  let isOpen = false
  for (const line of lines) {
    const [mark, indent = ''] = ITEM.exec(line) ?? []
    const text = line.slice(mark?.length ?? 0).trim()
    const last = items.at(-1)
    if (text === '' || TRAILER.test(text)) isOpen = false
    // Lines below an item, or that continue it, belong to it.
    else if (isOpen && last !== undefined && (mark === undefined || indent !== ''))
      items[items.length - 1] = `${last}${mark === undefined || last.endsWith(':') ? '' : ';'} ${text}`
    else {
      items.push(text)
      isOpen = true
    }
  }
  const body = items.slice(0, MAX_BODY_LINES).map((item) => shorten(oneLine(item), MAX_LINE_CHARACTERS))
  return { subject: shorten(oneLine(subject), MAX_LINE_CHARACTERS), body }
}

/** A line of `git log --oneline`: `3f2a1bc (HEAD -> main) message`. */
const LOG_LINE = /^(?:\* )?([0-9a-f]{7,40}) (?:\([^()\n]{1,200}\) )?(\S.{0,299})$/gm

/**
 * Returns the commits that a command has made, as `hash message`, oldest first: `git commit` reports them; of quiet ones, a log in the same
 * command has the lines with their messages.
 */
export function findMadeCommits(command: string, commands: readonly SimpleCommand[], output: string): string[] {
  if (!command.includes('git') || !makesCommits(commands)) return []
  const reported = findCommits(output)
  const message = reported.length > 0 ? undefined : readCommitMessage(command, commands)
  if (message === undefined) return reported
  const subjects = [message.subject, ...subjectsOf(commands).slice(1)]
  const made = new Map<string, string>()
  for (const [, hash = '', subject = ''] of output.matchAll(LOG_LINE))
    if (subjects.includes(oneLine(subject)) && !made.has(subject)) made.set(subject, `${hash} ${oneLine(subject)}`)
  return [...made.values()].reverse()
}

/** Returns the first lines of the messages that commits are given as an option. */
const subjectsOf = (commands: readonly SimpleCommand[]): string[] =>
  commands.filter(isCommit).map(({ words }) => {
    const text = words[words.findIndex((word) => /^(?:-[a-z]{0,4}m|--message)$/.test(word)) + 1] ?? ''
    return oneLine(text.split('\n', 1)[0] ?? '')
  })

/** Whether nothing but looks follows the last commit of a command: a line about that commit says how the command ended. */
export const endsWithCommit = (commands: readonly SimpleCommand[]): boolean =>
  commands.slice(commands.findLastIndex(isCommit) + 1).every(isQuery)
