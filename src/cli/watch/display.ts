import { escapeControls, withoutControls } from '../../text/controls.ts'
import type { Terminal } from '../terminal.ts'
import { writeRows, type View } from './view.ts'

interface DisplayOptions {
  terminal: Terminal
  home: string
  isJson: boolean
  hasBell: boolean
  now: () => number
}

/** The line that is shown if no session is running. */
const NONE = 'No session has changed lately (--active sets how long ago).'

/** Shows what has changed: a terminal is redrawn, elsewhere a line is written for each row that differs. */
export class Display {
  readonly #options: DisplayOptions
  /** The text on the screen, or the last line that was written for each session. */
  #screen = ''
  #written = new Map<string, string>()
  #isBegun = false
  /** The sessions of which the user has been told. */
  #told = new Set<string>()

  constructor(options: DisplayOptions) {
    this.#options = options
  }

  async showOnce({ rows, notes }: View): Promise<void> {
    const { terminal, isJson } = this.#options
    if (isJson) await terminal.printJson(rows.map(({ name: _name, ...row }) => row))
    else await terminal.print(linesOf(this.#table(rows)))
    if (rows.length === 0) terminal.say(NONE)
    for (const note of notes) terminal.say(note)
  }

  async show(view: View): Promise<void> {
    const { terminal, isJson } = this.#options
    const screen = isJson ? undefined : terminal.screen()
    if (screen === undefined) await this.#write(view)
    else await this.#redraw(view, screen)
    await this.#ring(view)
  }

  async #redraw({ rows, notes }: View, { columns, rows: height }: { columns: number; rows: number }): Promise<void> {
    const { terminal } = this.#options
    const [head = '', ...lines] = this.#table(rows)
    const below = (rows.length === 0 ? [NONE, ...notes] : notes).map((note) => withoutControls(note))
    // Notes are lines of any length: they have the commands to copy.
    const taken = below.reduce((sum, note) => sum + Math.ceil(note.length / columns), 0)
    const room = Math.max(1, height - taken - 3)
    const left = lines.length - room
    const shown = left > 0 ? [...lines.slice(0, room - 1), `and ${left + 1} more`] : lines
    const near = new Set(rows.flatMap(({ isNearThreshold }, index) => (isNearThreshold ? [index] : [])))
    const cut = (line: string): string => line.slice(0, columns - 1)
    const text = linesOf([
      terminal.paint('bold', cut(head)),
      ...shown.map((line, index) => (near.has(index) ? terminal.paint('yellow', cut(line)) : cut(line))),
      ...below,
    ])
    if (text === this.#screen) return
    const height0 = heightOf(this.#screen, columns)
    this.#screen = text
    await terminal.print(`${height0 === 0 ? '' : `\u001b[${height0}A\r\u001b[J`}${text}`)
  }

  async #write({ rows, notes }: View): Promise<void> {
    const { terminal, isJson } = this.#options
    const [head = '', ...lines] = this.#table(rows)
    const written = new Map<string, string>()
    const changed: string[] = []
    for (const [index, { name, modified: _modified, ...row }] of rows.entries()) {
      const key = row.path ?? `${row.agent} ${row.id}`
      const text = JSON.stringify(row)
      written.set(key, text)
      if (this.#written.get(key) === text) continue
      const json = { ...rows[index], name: undefined, isRunning: true }
      changed.push(isJson ? escapeControls(JSON.stringify(json)) : withoutControls(lines[index] ?? name))
    }
    if (isJson)
      for (const [key, text] of this.#written)
        if (!written.has(key) && text !== '')
          changed.push(escapeControls(JSON.stringify({ ...(JSON.parse(text) as object), isRunning: false })))
    for (const note of notes) {
      written.set(note, '')
      if (!isJson && !this.#written.has(note)) changed.push(withoutControls(note))
    }
    if (!this.#isBegun && !isJson) changed.unshift(rows.length === 0 ? NONE : head)
    this.#isBegun = true
    this.#written = written
    if (changed.length > 0) await terminal.print(linesOf(changed))
  }

  /** Rings once for each session whose agent will soon compact it. */
  async #ring({ rows }: View): Promise<void> {
    const { terminal, hasBell } = this.#options
    const near = new Set(rows.flatMap(({ id, isNearThreshold }) => (isNearThreshold ? [id] : [])))
    const isNew = [...near].some((id) => !this.#told.has(id))
    this.#told = near
    if (hasBell && isNew && terminal.screen() !== undefined) await terminal.print('\u0007')
  }

  #table(rows: View['rows']): string[] {
    const { home, now } = this.#options
    return writeRows(rows, { home, nowMs: now() })
  }
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** Returns how many lines of a screen a text takes: longer ones are wrapped. */
function heightOf(text: string, columns: number): number {
  const lines = text.split('\n').slice(0, -1)
  // Colours take no room.
  return lines.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil(line.replace(/\u001b\[\d+m/g, '').length / columns)),
    0,
  )
}
