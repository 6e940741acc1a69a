import type { RequestReport } from '../schemas/ignored.ts'
import { describeEncrypted } from '../text/comparison-words.ts'
import { withoutControls } from '../text/controls.ts'
import { counted } from '../text/numbers.ts'
import type { Terminal } from './terminal.ts'

/** More numbers of lines are not printed. */
const MOST_LINES = 10

/** Returns a function that says which folder or file cannot be read: its sessions are not among those that are found. */
export const sayLeftOut =
  (terminal: Terminal) =>
  (place: string): void =>
    terminal.say(`Left out, because it could not be read: ${withoutControls(place)}`)

/** Says that the agent has compacted a session in a way that nobody else can read, if it has. */
export function sayEncrypted(reply: Parameters<typeof describeEncrypted>[0], terminal: Terminal): void {
  const text = describeEncrypted(reply)
  if (text !== '') terminal.say(text)
}

/** Says which lines of a session file could not be read, if there are any: they are not in the summary. */
export function sayUnread(report: RequestReport | undefined, terminal: Terminal): void {
  const lines = report?.ignored?.lines ?? []
  if (lines.length === 0) return
  const some = lines.slice(0, MOST_LINES).join(', ')
  terminal.say(`${counted(lines.length, 'line')} could not be read: ${some}${lines.length > MOST_LINES ? ', ...' : ''}`)
}

/** Returns what says, once, why code has written a summary and not the model that was asked for: each part of it may say so. */
export function sayDegraded({ say }: Pick<Terminal, 'say'>): (why: string) => void {
  let isSaid = false
  return (why) => {
    if (!isSaid) say(`The model failed, so the embedded summarizer has written the summary: ${withoutControls(why)}`)
    isSaid = true
  }
}
