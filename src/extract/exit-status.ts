import { withoutEnvelope } from './error-lines.ts'
import { splitCommand, type SimpleCommand } from './shell.ts'

/** Programs that print a text which may be about failures. */
const QUERIES = new Set(
  `gh bd rg grep egrep fgrep zgrep ag ack find fd ls ll tree cat bat sed head tail less more nl jq yq awk cut sort uniq
  tr wc tee xargs column echo printf pwd which type file stat du df date env printenv ps journalctl dmesg stern zcat tac od xxd
  diff cmp strings pgrep lsof
  pidof ss netstat uname whoami hostname nproc curl wget test [ [[ cd pushd popd export set source . sleep true false for while if fi done read`.split(
    /\s+/,
  ),
)

/** Options between a program and its verb, each with its value. */
const OPTIONS = String.raw`(?: -\S+(?: (?!(?:logs?|get|describe|events|top|compose|exec)\b)[^\s-]\S*)?){0,9}`

/** Verbs of programs that only print something. */
const QUERY_VERBS = new RegExp(
  String.raw`^\S*\b(?:${[
    'git(?: -[cC] \\S+| --no-pager)* (?:log|show|diff|status|grep|blame|branch|ls-files|ls-remote|cat-file|rev-parse|config|remote|reflog|shortlog|describe|tag)',
    `(?:docker|podman|nerdctl|docker-compose)${OPTIONS}(?: (?:compose|service|container)${OPTIONS})? (?:logs|events)`,
    `(?:kubectl|oc)${OPTIONS} (?:logs|get|describe|events|top)`,
    '(?:heroku|fly|flyctl|vercel|netlify|railway|wrangler|supabase|pm2|aws|sam|gcloud(?: app)?) logs?',
    '(?:npm|pnpm|yarn) (?:view|ls|list|outdated)|(?:npm|pnpm|yarn|bun|make|just)(?: run)? logs?',
    'systemctl(?: --user)? (?:status|list-\\w+|show|cat)',
  ].join('|')})\b(?![:-])`,
)

/** A program that is asked for its version, or for help. */
const ASKS_ABOUT = /^\S+ (?:--version|--help|-V|-v|version)$/

/** What runs a command at another place, and options of these that have a value. */
const REMOTE = new RegExp(
  String.raw`^(?:ssh|(?:docker|podman|nerdctl|docker-compose|kubectl|oc)${OPTIONS}(?: compose)?${OPTIONS} exec)(?= )`,
)
const HAS_VALUE = /^(?:-[bcDeFiJlLmopRSuw]|--(?:user|env|workdir|namespace|container))$/

/** Returns the command that a command runs at another place. */
function remoteCommand({ text, words = [] }: Partial<SimpleCommand>): readonly SimpleCommand[] {
  if (text === undefined || !REMOTE.test(text)) return []
  const rest = words.slice(text.startsWith('ssh') ? 1 : words.indexOf('exec') + 1)
  let at = rest.indexOf('--')
  if (at < 0) while (rest[++at]?.startsWith('-') === true) if (HAS_VALUE.test(rest[at] ?? '')) at += 1
  return splitCommand(rest.slice(at + 1).join(' '))
}

const printsOnly = ({ text, program }: Pick<SimpleCommand, 'text' | 'program'>): boolean =>
  QUERIES.has(program) || QUERY_VERBS.test(text) || ASKS_ABOUT.test(text)

/** Whether a simple command only prints something, or prepares the next one. */
export function isQuery(command: Pick<SimpleCommand, 'text' | 'program'> & Partial<SimpleCommand>): boolean {
  if (printsOnly(command)) return true
  const there = remoteCommand(command)
  return there.length > 0 && there.every((part) => printsOnly(part) && !ASKS.has(part.program))
}

/** Whether the end of an output is that of a look at a log. */
export function endsWithLog(parts: readonly SimpleCommand[]): boolean {
  const start = parts.findLastIndex(({ operator }, at) => at < parts.length - 1 && operator !== '|') + 1
  const last = parts.slice(start)
  return last.every(isQuery) && last.some(({ words }) => LOG.test(words.join(' ')))
}

const LOG = /^(?!git )(?:.*[ ./_-])?(?:logs?|journalctl|dmesg|stern)(?![\w-])/

/** Whether a part of a check, which is the text of a simple command, is one. */
export const isQueryPart = (text: string): boolean =>
  isQuery({ text, program: text.split(' ', 1)[0] ?? '', words: text.split(' ') })

/** Programs that only print something, and whose status still answers a question about the work. */
const ASKS = new Set(['curl', 'wget', 'test', '[', '[[', 'diff', 'cmp'])

/** Whether a command only looks at something: that it has failed says nothing about the work. */
export function onlyLooks(parts: readonly SimpleCommand[]): boolean {
  return parts.length > 0 && parts.every((part) => isQuery(part) && !ASKS.has(part.program))
}

/** The exit status of the last command, or of the first program of its pipe. */
const STATUS = /\$(?:\?|\{PIPESTATUS\[0\]\}?)/

/** Whether a command prints the exit status of a program: it asks for it. */
export const printsStatus = (parts: readonly SimpleCommand[]): boolean =>
  parts.some(({ program, words }) => /^(?:echo|printf)$/.test(program) && words.some((word) => STATUS.test(word)))

/** Words that make it unclear whose exit status `$?` is: loops, conditions and a negation. */
const CONTROL = /^(?:for|while|until|if|then|elif|else|fi|do|done|case|esac|!)(?: |$)/

/** Whether a simple command begins with such a word. */
export const isControl = ({ text }: SimpleCommand): boolean => CONTROL.test(text)

/**
 * Returns the exit status that an `echo` at the end of a command has printed, in its own words; undefined unless it is that of all before
 * it that does more than look: one program, the first one of a pipe, or several joined by `&&`.
 */
export function printedStatus(commands: readonly SimpleCommand[], output: string): number | undefined {
  const before = commands.slice(0, -1)
  const own = before.slice(before.findLastIndex((part) => !isQuery(part)))
  const [start, end, isOfFirst = false] = wordsAroundStatus(commands.at(-1))
  const isOwn =
    !(isOfFirst && before.at(-own.length - 1)?.operator === '|') &&
    before.every((part, at) => at >= before.length - own.length || isQuery(part) || part.operator === '&&') &&
    own.every(({ operator }, at) => (at === own.length - 1 ? /^[;\n]$/.test(operator) : isOfFirst && operator === '|'))
  if (
    start === undefined ||
    end === undefined ||
    own.length === 0 ||
    !isOwn ||
    before.some((part) => isControl(part) || hidesOwn(part))
  )
    return undefined
  const line = withoutEnvelope(output).split('\n').at(-1)?.trim() ?? ''
  if (!line.startsWith(start) || !line.endsWith(end)) return undefined
  const status = line.slice(start.length, line.length - end.length).trim()
  return /^\d{1,3}$/.test(status) ? Number(status) : undefined
}

/** Returns the words of an `echo` before and after one exit status, and whether it is that of the first program of a pipe. */
function wordsAroundStatus(echo: SimpleCommand | undefined): [start?: string, end?: string, isOfFirst?: boolean] {
  if (echo?.program !== 'echo') return []
  const words = echo.words.slice(1).join(' ')
  const [start = '', end, ...others] = words.split(STATUS)
  return end === undefined || others.length > 0 ? [] : [start.trim(), end.trim(), words.includes('PIPESTATUS')]
}

/** A condition that tests what the command before it has left. */
export const isCondition = ({ text }: SimpleCommand): boolean => /^(?:el)?if (?:\[\[?|test) /.test(text)

/** Whether the code itself exits with an error if what a command has left does not pass a test. */
const isJudged = (commands: readonly SimpleCommand[], index: number): boolean => {
  const next = commands[index + 1]
  return (
    next !== undefined && isCondition(next) && commands.some(({ text }, at) => at > index && /^exit [1-9]/.test(text))
  )
}

/** A shell, and what runs one at another place. */
const RUNS_SHELL = /^(?:ssh|docker|podman|nerdctl|docker-compose|kubectl|oc|vagrant|wsl|su|(?:ba|z|da|k|fi)?sh)$/

/** Whether the status of a simple command is not that of its program: it is negated, or that of the last one of several in it. */
export const hidesOwn = (part: SimpleCommand): boolean =>
  (part.isNegated === true && !isQuery(part)) ||
  (RUNS_SHELL.test(part.program) && part.words.some((word) => /[|;]/.test(word)) && !isQuery(part))

/** Whether the exit status of a command may be another one than that of a program in it, such as of the first in a pipe. */
export function hidesStatus(commands: readonly SimpleCommand[]): boolean {
  const isStrict = commands.some(({ text }) => /^set -\w*e/.test(text))
  const hasPipefail = commands.some(({ text }) => /^set .*\bpipefail\b/.test(text))
  return commands.some((part, index, { length }) => {
    const { operator } = part
    if (hidesOwn(part)) return true
    if (isQuery(part) || part.program === 'exit' || operator === '' || operator === '&&') return false
    if (isJudged(commands, index)) return false
    if (operator === '|') return !hasPipefail
    return operator === '||' || operator === '&' || (index < length - 1 && !isStrict)
  })
}

/** A command that edits a file in place. */
export const EDITS = /\bsed\b.{0,40} -\w{0,3}i/

/** A command of programs that otherwise only look writes into a file. */
export const WRITES = new RegExp(`${EDITS.source}|(?<![-=\\d&])>(?!&)`)
