import { isNested } from '../model/commands/command.ts'
import { readPackage } from '../own-package.ts'
import { withoutControls } from '../text/controls.ts'
import { nearName } from '../text/near-name.ts'
import type { Cli } from './cli.ts'
import { COMMANDS, commandOf, isCommand, type CommandName } from './commands.ts'
import { withConfig } from './config/apply-config.ts'
import { describeError, type CommandInput } from './describe-error.ts'
import { describeLate } from './describe-late.ts'
import { CliError } from './exit.ts'
import { writeCommandHelp, writeCompletion, writeHelp } from './help.ts'
import { withOwnCommand } from './own-command.ts'
import { numberOf, readArguments, optionTextOf, optionTextsOf, type Values } from './read-arguments.ts'
import { openTerminal } from './terminal.ts'

type Run = (values: Values, positionals: readonly string[], cli: Cli) => Promise<void>

/** The work of each command, loaded when it is needed: `precis --help` loads none of it. */
const WORK: Readonly<Record<CommandName, Run>> = {
  serve,
  compact: async (...all) => (await import('./compact.ts')).compact(...all),
  compare: async (...all) => (await import('./compare.ts')).compare(...all),
  plan: async (...all) => (await import('./plan.ts')).plan(...all),
  prune: async (...all) => (await import('./prune.ts')).pruneInFile(...all),
  recall: async (...all) => (await import('./recall.ts')).recallInSession(...all),
  list: async (...all) => (await import('./list.ts')).list(...all),
  watch: async (...all) => (await import('./watch/watch.ts')).watch(...all),
  restore,
  mcp: async (...all) => (await import('./mcp.ts')).mcp(...all),
  hook: async (...all) => (await import('./hook/hook.ts')).hook(...all),
  config: async (...all) => (await import('./config/show-config.ts')).config(...all),
  install: async (...all) => (await import('./install/install.ts')).install(...all),
  uninstall: async (...all) => (await import('./install/install.ts')).uninstall(...all),
  doctor: async (...all) => (await import('./install/doctor.ts')).doctor(...all),
  completion: async (_values, [shell = ''], { terminal }) => {
    const text = writeCompletion(shell)
    if (text === undefined)
      throw new CliError('usage', `There are completions for bash, zsh and fish, not for "${shell}".`)
    await terminal.print(text)
  },
}

/** The process of a command: its streams, environment and place. */
interface CommandIo extends Omit<Cli, 'terminal' | 'given'> {
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
}

/** Runs the command that the arguments name. Returns its exit code. */
export async function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    return neverBreaking(args, await runCommand(args, io))
  } catch (error) {
    return neverBreaking(args, fail(error, io, { isHook: args[0] === 'hook' }))
  }
}

/** An agent takes other exit codes of a hook for its decision: 2 would stop what it is about to do. */
const neverBreaking = ([name]: readonly string[], code: number): number => (name === 'hook' ? 0 : code)

function fail(error: unknown, { stderr, command }: CommandIo, given?: CommandInput): number {
  const { code, message } = describeError(error, given)
  const text = withoutControls(withOwnCommand(message, command))
  // Agents show one line of what a hook says.
  stderr.write(`precis: ${given?.isHook === true ? text.replaceAll('\n', ' ') : text}\n`)
  return code
}

async function runCommand([name = '--help', ...args]: readonly string[], io: CommandIo): Promise<number> {
  const { env: ownEnv } = io
  const terminal = openTerminal(io, ownEnv)
  const isHelp = name === '--help' || name === '-h' || name === 'help'
  if (isHelp || name === '--version' || name === '-v') {
    await terminal.print(isHelp ? writeHelp() : `${readPackage().version}\n`)
    return 0
  }
  if (isNested(ownEnv) && ENDS_AT_ONCE.includes(name)) return 0
  if (!isCommand(name)) throw unknownCommand(name)
  const { values: given, positionals } = readArguments(name, args)
  if (given['help'] === true) {
    await terminal.print(writeCommandHelp(name))
    return 0
  }
  const { values, env } = withConfig(given, Object.keys(commandOf(name).options), io)
  try {
    const own = { ...io, env, given, terminal: openTerminal(io, env, values['quiet'] === true) }
    await WORK[name](values, positionals, own)
    return 0
  } catch (error) {
    const hasCommand = optionTextsOf(values, 'with').length > 0
    const late = await describeLate(error, values)
    return fail(late === undefined ? error : new CliError('service', late, { cause: error }), io, {
      session: positionals[0],
      url: optionTextOf(values, 'url'),
      hasCommand,
      isHook: name === 'hook',
    })
  }
}

/** Commands that agents start by themselves. In an agent that writes a summary for us, such a command would call itself. */
const ENDS_AT_ONCE = ['hook', 'mcp']

/** Routes of the service that are no commands, for which users of its API look here. */
const ONLY_ROUTES = ['context', 'handoff', 'branch-summary']

function unknownCommand(name: string): CliError {
  if (ONLY_ROUTES.includes(name))
    return new CliError(
      'usage',
      `There is no command "${name}": it is a route of the service. Run \`precis serve\`, and in another shell: ` +
        `curl -H 'content-type: application/x-ndjson' --data-binary @FILE http://127.0.0.1:8080/${name} (docs/api.md).`,
    )
  const names = Object.keys(COMMANDS)
  // `compaction` is nearer to `completion` by its letters.
  const meant = names.find((one) => name.startsWith(one)) ?? nearName(name, names)
  const advice = meant === undefined ? `Choose one of ${names.join(', ')}.` : `Did you mean \`precis ${meant}\`?`
  return new CliError('usage', `There is no command "${name}". ${advice} Try: precis --help`)
}

/** `precis serve`: starts the service in this process. */
async function serve(values: Values): Promise<void> {
  const [host, port] = [optionTextOf(values, 'host'), numberOf(values, 'port', { most: 65_535 })]
  if (host !== undefined) process.env['HOST'] = host
  if (port !== undefined) process.env['PORT'] = String(port)
  const { startService } = await import('../start-service.ts')
  await startService({ HOST: 'HOST (or --host)', PORT: 'PORT (or --port)' })
}

/** `precis restore`: undoes the last compaction that was written into a session. */
async function restore(values: Values, [argument = '']: readonly string[], cli: Cli): Promise<void> {
  const { findNamedSession } = await import('./find-session.ts')
  const source = findNamedSession(argument, cli)
  if (source.kind === 'stdin')
    throw new CliError('usage', 'Only a session file can be restored. Give its path or its id.')
  if (source.kind !== 'file')
    throw new CliError(
      'usage',
      'Only session files can be restored. opencode still has the older messages: undo it there.',
    )
  const { restoreFile } = await import('./write-back.ts')
  const { backup, copy } = await restoreFile(source.path, values['force'] === true)
  cli.terminal.say(`Restored ${source.path} from ${backup}`)
  if (copy !== undefined) cli.terminal.say(`The session as it was before is in ${copy}`)
}
