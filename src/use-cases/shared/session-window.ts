import type { CompactionSettings } from '../../plan/settings.ts'
import type { Session } from '../../session/entry.ts'
import { defined } from '../../text/defined.ts'

/**
 * Returns a request with the context window that counts: that of the request, else the one that the agent has written into the session,
 * else the request's default.
 */
export function withSessionWindow<R extends { fields: { settings?: CompactionSettings }; session: Session }>(
  read: R,
): R {
  const { settings = {} } = read.fields
  const { contextWindow = read.session.contextWindow ?? settings.defaultContextWindow } = settings
  return { ...read, fields: { ...read.fields, settings: { ...settings, ...defined({ contextWindow }) } } }
}
