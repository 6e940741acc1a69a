import type { Machine } from '../agents/home.ts'
import type { Values } from './read-arguments.ts'
import type { Terminal } from './terminal.ts'

/** The surroundings of a command: its terminal, environment and machine. */
export interface Cli extends Machine {
  terminal: Terminal
  /** The options on the command line, without those of the configuration file. */
  given: Values
  /** Bytes of a session that an argument names as `-`. */
  stdin: AsyncIterable<Buffer>
  /** How the user has called the command line. */
  command: string
  /** The words that start the command line again: a program and its arguments. */
  self: readonly string[]
}
