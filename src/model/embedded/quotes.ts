/** The words of the user, of the agent and of commits that stand in the state at the end of a line. */

/** The state at the end of a line, and the words in it: they are compared with no other words of a line. */
const STATE = / \(([^()]{1,900})\)$/
const PART = /; (?=(?:the user then|the agent(?: then)?|committed(?: since)?): )/
const QUOTING = /^((?:the user then|the agent(?: then)?|committed(?: since)?): (?:[0-9a-f]{7,40} )?)(.{1,400})$/

/** What else is said of words within quotation marks, behind them. */
const QUOTED = /"([^"]{1,900})"/g

/** Returns words as they can stand within quotation marks. */
export const quotable = (words: string): string => words.replaceAll('"', "'")

/** Returns a line without the words that its state quotes. */
export const withoutStateQuotes = (line: string): string =>
  changeState(line, (part) => (QUOTING.test(part) ? '' : part))

/** Returns a line as a function changes it, which does not see the words that its state quotes. */
export function besideQuotes(line: string, change: (line: string) => string | undefined): string | undefined {
  const bare = withoutStateQuotes(line)
  const changed = change(bare)
  const state = STATE.exec(line)?.[0]
  if (changed === undefined || state === undefined || bare === line) return changed
  const own = STATE.exec(bare)?.[0] ?? ''
  return (changed.endsWith(own) ? changed.slice(0, changed.length - own.length) : changed) + state
}

/** Returns the words that a line quotes in its state, and those that stand within quotation marks. */
export function quotesIn(line: string): string[] {
  const found: string[] = []
  changeQuotes(line, (words) => {
    found.push(words)
    return words
  })
  return [...found, ...Array.from(line.matchAll(QUOTED), ([, words = '']) => words)]
}

/** Returns a line with the words that its state quotes as a function changes them. */
export const changeQuotes = (line: string, change: (words: string) => string): string =>
  changeState(line, (part) => {
    const [, label = '', quoted = part] = QUOTING.exec(part) ?? []
    if (label === '') return part
    const words = /^'(.*)'$/.exec(quoted)?.[1]
    return label + (words === undefined ? change(quoted) : `'${change(words)}'`)
  })

function changeState(line: string, change: (part: string) => string): string {
  const [whole = '', state = ''] = STATE.exec(line) ?? []
  if (whole === '') return line
  const parts = state
    .split(PART)
    .map(change)
    .filter((part) => part !== '')
  return line.slice(0, -whole.length) + (parts.length === 0 ? '' : ` (${parts.join('; ')})`)
}

/** The line above a list before an item of it, as `wish-lines.ts` writes it. */
const LEAD = /^"([^"]{1,160})": (?=\S)/

/** Returns the words of a wish without the line above its list. */
export const withoutLead = (words: string): string => words.replace(LEAD, '')

/** Returns the line above the list of a wish that was written; undefined if it has none. */
export const readLead = (words: string): string | undefined => LEAD.exec(words)?.[1]

/** A wish whose words are quoted, with its note. */
const QUOTED_WISH = /^"([^"]{1,400})" \((the user's words; [^()]{1,400})\)$/

/** Returns the words and the note of a wish that is quoted; undefined for other lines. */
export function readQuotedWish(line: string): { text: string; note: string } | undefined {
  const [, text, note] = QUOTED_WISH.exec(line) ?? []
  return text === undefined || note === undefined ? undefined : { text, note }
}
