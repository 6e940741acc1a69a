import { baseName, stringsIn } from '../files/paths.ts'
import { textOf, type Message, type ToolCallBlock } from '../session/message.ts'

/** Whether a call in the message at an index reads an issue, or a document that the user has named before. */
type PointedTest = (call: ToolCallBlock, index: number) => boolean

export function testPointed(messages: readonly Message[]): PointedTest {
  // Most sessions have no call for which they matter.
  let named: ReadonlyMap<string, number> | undefined
  const wasNamed = (name: string, index: number): boolean =>
    ((named ??= indexNames(messages)).get(name) ?? index) < index
  return (call, index) => {
    const text = stringsIn(call.arguments).join('\n').slice(0, MAX_ARGUMENT_CHARACTERS)
    if (SHOWS_ISSUE.test(text)) return true
    const readsIssues = NAMES_ISSUES.test(`${call.name.replaceAll('_', ' ')} ${text}`)
    return namesIn(text).some(
      (name) =>
        (DOCUMENT.test(name) || (readsIssues && ISSUE_ID.test(name))) &&
        (wasNamed(name, index) || wasNamed(baseName(name), index)),
    )
  }
}

/** Returns the index of the first message of the user that has each name. */
function indexNames(messages: readonly Message[]): Map<string, number> {
  const named = new Map<string, number>()
  for (const [index, message] of messages.entries())
    if (message.role === 'user')
      for (const name of namesIn(textOf(message.content)))
        for (const one of [name, baseName(name)]) if (!named.has(one)) named.set(one, index)
  return named
}

/** Words with the characters of paths, addresses and numbers of issues. */
const NAMES = /[\p{L}\p{N}_./:#@~-]{2,200}/gu

/** How much of one text is searched for names, and how much of the arguments of a call. */
const SEARCHED_CHARACTERS = 20_000
const MAX_ARGUMENT_CHARACTERS = 2000

const namesIn = (text: string): string[] =>
  Array.from(text.slice(0, SEARCHED_CHARACTERS).matchAll(NAMES), ([name]) =>
    name.replace(/^[.:@~#]+|(?<![.:])[.:]+$/g, ''),
  )

const DOCUMENT = /\.(?:md|mdx|txt|rst|adoc|org|pdf|html?)$|^https?:/i

/** The identifier of an issue, a ticket or a task: `14`, `ABC-123`, `bd-7f3`. */
const ISSUE_ID = /^(?=.*\d)[\w-]{1,40}$/
const NAMES_ISSUES = /\b(?:issues?|tickets?|tasks?|bugs?|pr|stor(?:y|ies)|bead?s?|bd)\b/i

/** Commands that show an issue: the work is about it, also where the user only named the tracker or the epic above it. */
const SHOWS_ISSUE = /\b(?:issues?|tickets?|beads?|bd|jira|linear)\s+(?:show|view|get)\b/i
