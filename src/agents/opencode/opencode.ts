import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf } from '../../session/entry.ts'
import type { Agent } from '../agent.ts'
import type { Machine } from '../home.ts'
import {
  hookWords,
  SERVER_NAME,
  TOOLS_PURPOSE,
  toolServerOf,
  type InstallTarget,
  type Setup,
} from '../install-target.ts'
import { runHookText } from '../shared/run-hook-text.ts'
import { filled } from '../shared/values.ts'
import { opencodeAppender } from './append.ts'
import { continueWithExport, isOpencodeId, opencodeCommand } from './exported.ts'
import { opencodeReader } from './read.ts'
import { opencodeWriter } from './write.ts'

/** Settings as of 1.18.33. */
const OPENCODE_TARGET: InstallTarget = {
  id: 'opencode',
  name: 'opencode',
  command: 'opencode',
  known: ['1.18.33'],
  atCompaction: () =>
    'At a compaction, the own model of opencode still writes the summary, and its prompt has the one by Précis.',
  hasProjects: true,
  folder: folderOfOpencode,
  settings: (setup) => {
    const { command, args } = toolServerOf(setup)
    const folder = setup.project ?? folderOfOpencode(setup)
    return [
      {
        ...{ kind: 'member', file: settingsIn(folder), path: ['mcp', SERVER_NAME], purpose: TOOLS_PURPOSE },
        value: { type: 'local', command: [command, ...args], enabled: true, timeout: CALL_MS },
      },
      {
        ...{
          kind: 'file',
          file: join(setup.project === undefined ? folder : join(folder, '.opencode'), 'plugin', 'precis.js'),
        },
        ...{
          text: pluginText(setup),
          purpose: 'a summary by Précis in the prompt of each compaction; early preparation',
        },
      },
    ]
  },
  advice: () => ['opencode needs the npm registry at its next start: it installs what plugins import.'],
}

/** How long it waits for an answer of a tool. A look-up runs two of its own commands, each of which may take a minute on a busy machine. */
const CALL_MS = 120_000

function folderOfOpencode({ env, home }: Machine): string {
  return join(filled(env['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'opencode')
}

/** It reads both files; one with comments has the second name. */
function settingsIn(folder: string): string {
  const [plain, commented] = [join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')]
  return !existsSync(plain) && existsSync(commented) ? commented : plain
}

const pluginText = (setup: Setup): string => `${runHookText(hookWords(setup, 'opencode'), 'opencode')}
/** The tokens of the newest answer, and the window of the model, of each session. */
const sizes = new Map()
const note = (id, size) => sizes.set(id, { ...sizes.get(id), ...size })

/** Agents of opencode that write no answer to the user: their model may be a smaller one. */
const HELPERS = ['title', 'summary', 'compaction']

export const Precis = async () => ({
  'chat.params': async ({ sessionID, agent, model }) => {
    const contextWindow = model?.limit?.context
    if (contextWindow > 0 && !HELPERS.includes(agent?.name ?? agent)) note(sessionID, { settings: { contextWindow } })
  },
  event: async ({ event: { type, properties } }) => {
    const { role, summary, sessionID, tokens: counts } = (type === 'message.updated' && properties.info) || {}
    if (role === 'assistant' && summary !== true && counts) {
      const { input, output, reasoning, cache } = counts
      const tokens = input + output + reasoning + cache.read + cache.write
      if (tokens > 0) note(sessionID, { tokens })
    }
    if (type !== 'session.idle') return
    void runHook('session.idle', { sessionID: properties.sessionID, ...sizes.get(properties.sessionID) })
  },
  'experimental.session.compacting': async ({ sessionID }, output) => {
    const input = { sessionID, ...sizes.get(sessionID) }
    const { context = [] } = await runHook('experimental.session.compacting', input)
    output.context.push(...context)
  },
})
`

export const OPENCODE = {
  id: 'opencode',
  reader: opencodeReader,
  appender: opencodeAppender,
  writer: opencodeWriter,
  tags: ['conversation', 'prior-summary', 'file', 'dcp-system-reminder', 'conversation-checkpoint', 'recent-context'],
  // opencode 2.0.23
  summaryMessages: [
    { start: '<conversation-checkpoint>', after: '<summary>', before: '</summary>', keptIn: 'recent-context' },
  ],
  idIn({ info }) {
    const { id, sessionID } = fieldsOf(info)
    return sessionID ?? id
  },
  folderIn({ info }) {
    const { directory, path } = fieldsOf(info)
    return directory ?? fieldsOf(path)['cwd']
  },
  continueWith: continueWithExport,
  database: {
    id: 'opencode',
    name: 'opencode',
    isId: isOpencodeId,
    isWholeId: (text) => /^ses_\w{26}$/.test(text),
    command: opencodeCommand,
    mcpClient: { name: /^opencode\b/ },
  },
  installTargets: [OPENCODE_TARGET],
} satisfies Agent
