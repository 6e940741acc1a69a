/** A simple command of a shell's command line. */
export interface SimpleCommand {
  /** From the name of its program on, with the quoted text in it replaced. */
  text: string
  /** The name of the program, without its path. */
  program: string
  /** What follows it: `&&`, `|` and the like; empty for the last one. */
  operator: string
}

/** A shell that runs code given as an argument, as Codex runs all of its commands. */
const SHELL = /^\s*(?:\/[\w/.-]+\/)?(?:ba|z|da|k)?sh\s+-[a-z]*c\s+/

/** An escaped character, or quoted text. An escaped quote opens nothing, so that it is not searched for its end. */
const QUOTED = /\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"/g

/** Words before the name of a program: assignments, and programs that run another one. */
const BEFORE_PROGRAM = /^(?:\w+=.*|sudo|env|time|command|exec|nohup|then|do|else|!)$/

/** How much of a command is read. Longer code is a program. */
const MAX_COMMAND_CHARACTERS = 8000

/** Returns the code that a shell runs, with the word `quoted` in the place of quoted text. */
export function readCode(command: string): string {
  const code = command.slice(0, MAX_COMMAND_CHARACTERS).replace(/\\\r?\n/g, ' ')
  const inner = SHELL.test(code) ? code.replace(SHELL, '').replace(/^['"]/, '') : code
  return inner.replace(QUOTED, 'quoted')
}

/** Redirections, whose `&` is no operator. */
const REDIRECTION = /\d?>&\d?|&>>?/g
const OPERATOR = /(&&|\|\||[|;&\n])/

/** Returns the simple commands of a command, as far as its first document (`<<EOF`). */
export function splitCommand(command: string): SimpleCommand[] {
  const [code = ''] = readCode(command).split('<<', 1)
  const parts = code.replace(REDIRECTION, ' ').split(OPERATOR)
  const commands: SimpleCommand[] = []
  for (let index = 0; index < parts.length; index += 2) {
    const words = wordsFromProgram(parts[index] ?? '')
    const program = (words[0] ?? '').replace(/^[({]+/, '').replace(/^.*\//, '')
    if (words.length > 0) commands.push({ text: words.join(' '), program, operator: parts[index + 1] ?? '' })
  }
  return commands
}

/** Returns the words of a simple command, from the name of its program on; none without a program. */
export function wordsFromProgram(command: string): string[] {
  const words = command.trim().split(/\s+/)
  const start = words.findIndex((word) => word !== '' && !BEFORE_PROGRAM.test(word))
  return start < 0 ? [] : words.slice(start)
}

/** Programs that print a text which may be about failures. */
const QUERIES = new Set(
  `gh bd rg grep egrep fgrep zgrep ag ack find fd ls ll tree cat bat sed head tail less more nl jq yq awk cut sort uniq
  tr wc tee xargs column echo printf pwd which type file stat du df date env printenv ps journalctl diff cmp strings curl
  wget test [ [[ cd pushd popd export set source . sleep true false for while if fi done read`.split(/\s+/),
)

/** Verbs of programs that only print something. */
const QUERY_VERBS =
  /^\S*\b(?:git(?: -[cC] \S+| --no-pager)* (?:log|show|diff|status|grep|blame|branch|ls-files|ls-remote|cat-file|rev-parse|config|remote|reflog|shortlog|describe|tag)|(?:docker|podman|kubectl)(?: compose)? logs|(?:npm|pnpm|yarn) (?:view|ls|list|outdated))\b/

/** Whether a simple command only prints something, or prepares the next one. */
export const isQuery = ({ text, program }: SimpleCommand): boolean => QUERIES.has(program) || QUERY_VERBS.test(text)

/** Whether the exit status of a command may be another one than that of a program in it, such as of the first in a pipe. */
export function hidesStatus(command: string): boolean {
  const isStrict = /\bset -\w*e/.test(command)
  const hasPipefail = /\bpipefail\b/.test(command)
  return splitCommand(command).some((part, index, { length }) => {
    const { operator } = part
    if (isQuery(part) || operator === '' || operator === '&&') return false
    if (operator === '|') return !hasPipefail
    return operator === '||' || operator === '&' || (index < length - 1 && !isStrict)
  })
}
