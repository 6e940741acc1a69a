import type { HookedSession } from '../agent-hooks.ts'
import type { Fields } from './values.ts'

/** Returns the session of an event whose input has Claude Code's fields. */
export function sessionAtPath({ session_id: id, transcript_path: path }: Fields): HookedSession | undefined {
  return typeof path === 'string' && path !== '' ? { id: typeof id === 'string' ? id : path, path } : undefined
}
