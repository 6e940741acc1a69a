import { model, noConfig, url, withCommand, WRITES_SETTINGS } from '../options.ts'

/** The commands that change or check the settings of agents. */
export const INSTALL_COMMANDS = {
  install: {
    args: '[AGENT...]',
    help: 'put Précis into the settings of an agent: tools, hooks (docs/agents.md)',
    count: [0, Infinity],
    options: { ...WRITES_SETTINGS, url: { ...url, help: 'hooks use a running service (its token: PRECIS_TOKENS)' } },
  },
  uninstall: {
    args: 'AGENT...',
    help: 'take out of the settings of an agent what `install` has written',
    count: [1, Infinity],
    options: WRITES_SETTINGS,
  },
  doctor: {
    args: '[AGENT...]',
    help: 'check what is installed: programs, settings, hooks, summarizer, sessions',
    count: [0, Infinity],
    options: {
      online: { type: 'boolean', help: 'have the model or the service write one short summary' },
      project: WRITES_SETTINGS.project,
      model,
      with: withCommand,
      url,
      'no-config': noConfig,
    },
  },
} as const
