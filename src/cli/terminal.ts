import { fstatSync } from 'node:fs'
import type { Environment } from '../environment.ts'
import { escapeControls, withoutControls } from '../text/controls.ts'

/** Where a command writes: data to stdout, everything else to stderr. */
export interface Terminal {
  /** Writes data as it is. It resolves once the data has been handed to the system. */
  print: (data: string | Uint8Array) => Promise<void>
  /** Writes a value as JSON, with control characters escaped. */
  printJson: (value: unknown) => Promise<void>
  /** Writes a JSON document, or lines of JSON: into a file as they are, elsewhere with control characters escaped. */
  printDocument: (document: Uint8Array) => Promise<void>
  /** Writes a line of progress. */
  say: (line: string) => void
  /** Replaces the last line of progress on a terminal; writes nothing elsewhere. */
  show: (line: string) => void
  /** Returns the size of the screen that stdout is; undefined if it is none, or one that shows only lines. */
  screen: () => { columns: number; rows: number } | undefined
  /** Adds a colour, if stdout is a terminal. */
  paint: (colour: Colour, text: string) => string
}

const COLOURS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const
type Colour = keyof typeof COLOURS

interface Streams {
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
}

/** Returns the terminal of a command. Colours need a terminal, and no `NO_COLOR` (https://no-color.org). */
export function openTerminal({ stdout, stderr }: Streams, env: Environment, isQuiet = false): Terminal {
  const isPlain = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb'
  const isScreen = stdout.isTTY && env['TERM'] !== 'dumb'
  const hasColours = stdout.isTTY && !isPlain
  const canReplace = stderr.isTTY && !isPlain && !isQuiet
  let shown = false
  const clear = (): void => {
    if (shown) stderr.write('\r\u001b[2K')
    shown = false
  }
  const print: Terminal['print'] = (data) => {
    clear()
    return new Promise((resolve, reject) => {
      stdout.write(data, (error) => {
        if (error) reject(error)
        else resolve()
      })
    })
  }
  return {
    print,
    printJson: (value) => print(`${escapeControls(JSON.stringify(value, undefined, 2))}\n`),
    printDocument: (document) =>
      // Behind a pipe, there may be a terminal.
      print(isFile(stdout) ? document : escapeControls(new TextDecoder('utf-8', { ignoreBOM: true }).decode(document))),
    say: (line) => {
      clear()
      if (!isQuiet) stderr.write(`${withoutControls(line)}\n`)
    },
    show: (line) => {
      clear()
      if (!canReplace) return
      stderr.write(withoutControls(line).slice(0, stderr.columns - 1))
      shown = true
    },
    screen: () => (isScreen ? { columns: stdout.columns, rows: stdout.rows } : undefined),
    paint: (colour, text) => (hasColours ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text),
  }
}

function isFile(stream: NodeJS.WriteStream & { fd?: number }): boolean {
  try {
    return stream.fd !== undefined && fstatSync(stream.fd).isFile()
  } catch {
    return false
  }
}
