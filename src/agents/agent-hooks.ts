import type { FormatId } from '../schemas/format.ts'
import type { Machine } from './home.ts'
import type { Fields } from './shared/values.ts'

/**
 * What `precis hook` does at an event of an agent:
 * - `summarize`: before a compaction, writes a summary and keeps it for `show`;
 * - `show`: after a compaction, prints the first part of it as context for the model;
 * - `show-rest`: prints the next part, if the first one was shown;
 * - `replace`: prints the compaction itself, which the agent uses instead of its own;
 * - `add`: prints a summary that the agent adds to the prompt of its own;
 * - `prepare`: has a model write the summary in the background, before it is needed;
 * - `remind`: after a compaction, prints how the model can look things up.
 */
export type HookAction = 'summarize' | 'show' | 'show-rest' | 'replace' | 'add' | 'prepare' | 'remind'

/** The session of an event: a file, or an id that the agent's own command exports. */
export interface HookedSession {
  id: string
  /** Absent for agents with a database. */
  path?: string
}

/** What an agent's hooks can do. */
export interface AgentHooks {
  format: FormatId
  /** The events that do something, as the agent spells them. */
  events: Readonly<Record<string, readonly HookAction[]>>
  /** Which part of a summary one hook can show, and how many hooks show one; absent: none can. */
  context?: { maxCharacters: number; parts: number }
  /** What the agent's own summary is to be, if Précis has written one: the hook before the compaction prints it. */
  instructions?: string
  /** Whether a compaction keeps the newest messages, as `precis compact` does; others keep none. */
  isKeeping?: true
  sessionOf: (input: Fields, machine: Pick<Machine, 'env' | 'home'>) => HookedSession | undefined
}

/** Returns the session of an event whose input has Claude Code's fields. */
export function sessionAtPath({ session_id: id, transcript_path: path }: Fields): HookedSession | undefined {
  return typeof path === 'string' && path !== '' ? { id: typeof id === 'string' ? id : path, path } : undefined
}
