import type { Machine } from '../agents/home.ts'
import type { Terminal } from './terminal.ts'

/** What each command gets beside its arguments. */
export interface Cli extends Machine {
  terminal: Terminal
  /** How the user has called the command line. */
  command: string
}
