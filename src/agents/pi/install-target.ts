import { join } from 'node:path'
import type { Machine } from '../home.ts'
import type { HookedAgentName } from '../hooks.ts'
import { hookWords, serverSetting, type AgentSetting, type InstallTarget, type Setup } from '../install-target.ts'
import { runHookText } from '../shared/run-hook-text.ts'
import { filled } from '../shared/values.ts'

/** Settings as of 1.5.2. The plugin reads the settings of compactions from pi 0.87.1 and oh-my-pi 18.2.3. */
export const PI_TARGET: InstallTarget = {
  id: 'pi',
  name: 'pi',
  atCompaction: () => 'At a compaction, pi gets the summary by Précis in place of the one by its own model.',
  command: 'pi',
  known: ['1.5.2'],
  hasProjects: true,
  folder: (machine) => folderOfPi(machine, '.pi'),
  settings: (setup) => {
    const folder = setup.project === undefined ? folderOfPi(setup, '.pi') : join(setup.project, '.pi')
    // `direct`: the tools are in the list of each request, and not behind the tool `codemode`.
    return [serverSetting(setup, join(folder, SERVERS), { exposure: 'direct' }), extensionIn(folder, setup, 'pi')]
  },
  advice: ({ project }) => (project === undefined ? [] : ['pi reads the settings of a project only if it is trusted.']),
}

/** Settings as of 18.2.3. */
export const OH_MY_PI_TARGET: InstallTarget = {
  id: 'oh-my-pi',
  name: 'oh-my-pi',
  atCompaction: ({ project }) =>
    project === undefined
      ? 'At a compaction, oh-my-pi gets the summary by Précis in place of the one by its own model.'
      : undefined,
  command: 'omp',
  known: ['18.2.3'],
  hasProjects: true,
  folder: (machine) => folderOfPi(machine, '.omp'),
  settings: (setup) => {
    const { project, url } = setup
    if (project !== undefined) return [serverSetting(setup, join(project, '.omp', SERVERS))]
    const folder = folderOfPi(setup, '.omp')
    const file = join(folder, 'config.yml')
    return [
      serverSetting(setup, join(folder, SERVERS)),
      {
        ...{ kind: 'key', file, path: ['tools', 'xdev'], value: false },
        purpose: 'all tools are in the list of each request, and not behind files of `xd://`',
      },
      url === undefined
        ? extensionIn(folder, setup, 'oh-my-pi')
        : {
            ...{ kind: 'key', file, path: ['compaction', 'remoteEndpoint'], value: `${url}/compaction` },
            purpose: 'the service writes the summaries',
          },
    ]
  },
}

export function folderOfPi({ env, home }: Pick<Machine, 'env' | 'home'>, name: string): string {
  return filled(env['PI_CODING_AGENT_DIR']) ?? join(home, name, 'agent')
}

/** The file with the tool servers, in a folder of settings. */
const SERVERS = 'mcp.json'

const extensionIn = (folder: string, setup: Setup, agent: HookedAgentName): AgentSetting => ({
  ...{ kind: 'file', file: join(folder, 'extensions', 'precis.js'), text: extensionText(setup, agent) },
  purpose: 'compactions by Précis; early preparation',
})

const extensionText = (setup: Setup, agent: HookedAgentName): string => `${runHookText(hookWords(setup, agent), agent)}
const inputOf = (context, { keepRecentTokens, reserveTokens }, customInstructions = undefined) => ({
  transcript_path: context.sessionManager.getSessionFile(),
  settings: { keepRecentTokens, reserveTokens, contextWindow: context.getContextUsage()?.contextWindow },
  customInstructions,
})

/** The agent's own settings of compactions: a compaction uses only what was prepared with the same ones. Empty if it does not tell them. */
async function settingsOf(context) {
  try {
    const { SettingsManager } = await import("@earendil-works/pi-coding-agent")
    const settings = SettingsManager.create(context.cwd, undefined, { projectTrusted: context.isProjectTrusted() })
    return settings.getCompactionSettings?.(context.model) ?? settings.getGroup('compaction')
  } catch {
    return {}
  }
}

export default function precis(pi) {
  pi.on('session_before_compact', async ({ preparation, customInstructions, signal }, context) => {
    const input = inputOf(context, preparation.settings, customInstructions)
    const compaction = await runHook('session_before_compact', input, signal)
    return compaction.summary === undefined ? undefined : { compaction }
  })
  pi.on('turn_end', async (_event, context) => {
    void runHook('turn_end', inputOf(context, await settingsOf(context)))
  })
}
`
