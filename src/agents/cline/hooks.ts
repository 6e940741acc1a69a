import { join } from 'node:path'
import { fieldsOf } from '../../session/entry.ts'
import type { AgentHooks } from '../agent-hooks.ts'
import { CLINE_HOME } from './home.ts'

/** The hooks of Cline 3.0.65: executables that are named by their events. Their input names no file, and none came at a compaction. */
export const CLINE_HOOKS: AgentHooks = {
  format: 'cline',
  events: { PostToolUse: ['prepare'], TaskComplete: ['prepare'] },
  isKeeping: true,
  sessionOf: ({ sessionContext }, { env, home }) => {
    const id = fieldsOf(sessionContext)['rootSessionId']
    if (typeof id !== 'string' || !/^[\w-]{1,200}$/.test(id)) return undefined
    return { id, path: join(CLINE_HOME.root({ env, home, folder: home }), id, `${id}.messages.json`) }
  },
}
