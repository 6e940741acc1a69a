import type { RealClient, Trial } from '../resume/trial.ts'
import type { Turn } from './scenario.ts'

/** What the recorder needs of a real client. */
export interface StateClient extends RealClient {
  /** The command for one turn; the first one starts a session. */
  command: (trial: Trial, turn: Turn, isFirst: boolean) => string[]
  /** What the client reads from stdin at first, and what interrupts it; without it, the client gets a SIGINT. */
  stdin?: { prompt: (prompt: string) => string; interrupt: string }
  /** The session as the client has stored it. */
  readSession: (trial: Trial) => Promise<string>
  /** The ending of the session's file. */
  ending: string
}
