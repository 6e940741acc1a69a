import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { COMMON_VARIABLES } from '../model/commands/command.ts'
import { PROGRAM_NAMES, programNamed } from '../model/commands/programs.ts'
import { ownFile } from '../own-package.ts'
import { COMMANDS, commandOf, type CommandName } from './commands.ts'
import type { Option } from './options.ts'

const NAMES = Object.keys(COMMANDS) as CommandName[]

const HEAD = `Précis compacts the sessions of coding agents.

usage: precis COMMAND [OPTIONS]
`

const TAIL = `
  precis COMMAND --help      the options of a command
  precis --version           the version

Without --model, --with and --url, as options or in the configuration file (precis config), nothing leaves
this machine. Data goes to stdout, progress to stderr.
Exit codes: 0 done, 1 error, 2 wrong arguments, 3 nothing to do (too little to compact, or
nothing found), 4 no such session, 5 the session is in use, 6 the service or the model failed.
`

/** Returns the help of all commands. */
export function writeHelp(): string {
  const rows = NAMES.map((name) => {
    const { args, help } = commandOf(name)
    return `  precis ${`${name} ${args}`.padEnd(26)} ${help}`
  })
  return `${HEAD}\n${rows.join('\n')}\n${TAIL}${whereMoreIs()}`
}

/** Returns where the description of the command line is: in the package, or in a clone. A container image has none. */
function whereMoreIs(): string {
  try {
    return `More: ${realpathSync(fileURLToPath(ownFile('docs/cli.md')))}\n`
  } catch {
    return ''
  }
}

/** Returns the help of one command. */
export function writeCommandHelp(name: CommandName): string {
  const { args, help, options } = commandOf(name)
  const named = Object.entries(options).map(([option, { short, value, help: text }]) => ({
    names: `${short === undefined ? '    ' : `-${short}, `}--${option}${value === undefined ? '' : ` ${value}`}`,
    text,
  }))
  const width = Math.max(24, ...named.map(({ names }) => names.length))
  const rows = named.map(({ names, text }) => `  ${names.padEnd(width)} ${text}`)
  const usage = ['precis', name, args, ...(rows.length > 0 ? ['[OPTIONS]'] : [])].filter(Boolean).join(' ')
  const about = 'with' in options ? ['', ...ABOUT_WITH] : []
  return [`usage: ${usage}`, '', help, ...(rows.length > 0 ? ['', ...rows] : []), ...about, ''].join('\n')
}

/** The environment that a command of `--with` gets. */
const ABOUT_WITH = [
  'With --with, the prompt goes to the standard input of a command, and its output is the summary. No shell',
  'runs: write sh -c for one. Your own command runs in this folder, and gets your whole environment. A known',
  'program runs in an empty folder without tools, and gets of your environment only:',
  ...wrapped(`  all: ${COMMON_VARIABLES.join(' ')}`),
  ...PROGRAM_NAMES.flatMap((name) => wrapped(`  ${name}: ${programNamed(name).env.join(' ')}`)),
]

/** Returns lines of a terminal's width. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length >= 98) lines.push(line === undefined ? word : `    ${word}`)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}

/** Returns the completions of a shell; undefined for an unknown shell. */
export function writeCompletion(shell: string): string | undefined {
  switch (shell) {
    case 'bash':
      return writeBash()
    case 'zsh':
      return `#compdef precis\nautoload -Uz bashcompinit && bashcompinit\n${writeBash()}`
    case 'fish':
      return writeFish()
    default:
      return undefined
  }
}

const flagsOf = (name: CommandName): string[] => Object.keys(commandOf(name).options).map((option) => `--${option}`)

function writeBash(): string {
  const cases = NAMES.map((name) => `    ${name}) words="${[...flagsOf(name), '--help'].join(' ')}" ;;`)
  return `_precis() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "${NAMES.join(' ')} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[COMP_CWORD - 1]}" in
${writeValues()}
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *)
      case "\${COMP_WORDS[1]}" in
        completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$current")) ;;
        serve | list) ;;
        *) COMPREPLY=($(compgen -f -- "$current")) ;;
      esac
      ;;
  esac
}
complete -o filenames -F _precis precis
`
}

/** Returns the cases for the value of an option, by the word before it. No option has the name of a file as its value. */
function writeValues(): string {
  const options = NAMES.flatMap((name) => Object.entries<Option>(commandOf(name).options))
  const byName = new Map(options.filter(([, { value }]) => value !== undefined))
  const cases = [...byName].map(([name, { short, choices }]) => {
    const offer = choices === undefined ? '' : `COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$current")); `
    return `    --${name}${short === undefined ? '' : ` | -${short}`}) ${offer}return ;;`
  })
  return cases.join('\n')
}

function writeFish(): string {
  const commands = NAMES.map(
    (name) => `complete -c precis -n __fish_use_subcommand -a ${name} -d ${quote(commandOf(name).help)}`,
  )
  const options = NAMES.flatMap((name) =>
    Object.entries(commandOf(name).options).map(
      ([option, { value, choices = [], help }]) =>
        `complete -c precis -n '__fish_seen_subcommand_from ${name}' -l ${option}${value === undefined ? '' : ' -x'}` +
        `${choices.length === 0 ? '' : ` -a ${quote(choices.join(' '))}`} -d ${quote(help)}`,
    ),
  )
  return `${[...commands, ...options].join('\n')}\n`
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
