import { inFolder } from '../files/paths.ts'
import { oneLine } from '../text/shorten.ts'
import { FILE } from './command-files.ts'
import { isCondition, isQuery, isQueryPart } from './exit-status.ts'
import { splitCommand, type SimpleCommand } from './shell.ts'

/** The command of a check, without the words that change neither what it checks nor its outcome. */
export interface Check {
  /** Its simple commands. */
  parts: readonly string[]
  /** The folder in which it runs: that which it changes to first, in the one of the session; empty where neither is known. */
  folder: string
  /** The folder of the session, where that is known. */
  cwd?: string
  /** The parts that its success proves: those joined by `&&` up to its end. */
  proven: readonly string[]
  /** Of a command that has failed, further parts that have passed. */
  passed?: readonly string[]
}

/** Returns what a command checks that is no run's: a run keeps its check (`checkedBy`). */
export const readCheck = (command: string): Check => checkOf(command, splitCommand(command))

/**
 * Returns what a command checks: commands that differ only in redirections, in pipes to programs that show a part of the
 * output, in environment variables and in time limits check the same.
 * @param command the command, or the name of a tool and its path
 */
export function checkOf(command: string, commands: readonly SimpleCommand[]): Check {
  const message = commands.findIndex(isCommitWithDocument)
  const read = message < 0 ? commands : commands.slice(0, message + 1)
  const own = withoutBeside(read)
  if (own.length === 0) return singleCheck(command)
  const first = own.find(({ text }) => isCheckingPart(text)) ?? own[0]
  const before = read.slice(0, read.indexOf(first as SimpleCommand)).filter(({ program }) => ENTERING.has(program))
  const copy = copyOf(command, own)
  const namesIn = (commands: readonly SimpleCommand[]): string[] => [
    ...new Set(withoutStaging(commands.flatMap((one) => sourceOf(one, read) ?? namesOf(one)))),
  ]
  return {
    parts: copy === undefined ? namesIn(own) : [copy],
    folder: before.reduce((folder, { words: [, to = '~'] }) => inFolder(folder, to), ''),
    proven: copy === undefined ? namesIn(lastList(own, read)) : [copy],
  }
}

/** Returns a check of one part. */
export const singleCheck = (name: string): Check => ({ parts: [oneLine(name)], folder: '', proven: [oneLine(name)] })

/**
 * Returns the commands that have all succeeded if the last one has; none if only one of several has to.
 * @param all the commands with those that only prepare, report or filter: a sign may be behind one of these
 */
function lastList(own: readonly SimpleCommand[], all: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const end = all.indexOf(own.at(-1) as SimpleCommand)
  const before = all.slice(0, end).findLastIndex(({ operator }) => operator !== '&&' && operator !== '|')
  const sign = all[before]?.operator
  return sign === '||' || sign === '&' || (sign !== undefined && /[()`]/.test(sign))
    ? []
    : own.filter((one) => all.indexOf(one) > before)
}

/** Whether the message of a commit is a document. Quotes in it would end the word, and what follows is no command. */
const isCommitWithDocument = ({ text, words }: SimpleCommand): boolean =>
  text.startsWith('git ') && words.some((word) => word.startsWith('$(cat <<'))

/** The name of a shell's function: names of programs have no underscore. */
const FUNCTION = /^[a-z][a-z\d]*(?:_[a-z\d]+)+$/i

/**
 * Returns the script that defines the function which a command calls: such code is written to look at the script. The next try
 * calls its functions in another way.
 */
function sourceOf({ program }: SimpleCommand, commands: readonly SimpleCommand[]): string | undefined {
  if (!FUNCTION.test(program)) return undefined
  const [, script] = commands.find((one) => one.program === 'source' || one.program === '.')?.words ?? []
  return script === undefined ? undefined : `source ${script}`
}

const ENTERING = new Set(['cd', 'pushd'])

/** Commands that prepare the next one, and those that report about one. */
const PREPARING = new Set(['cd', 'pushd', 'popd', 'export', 'set', 'source', '.', 'ulimit', 'mkdir', ''])
const REPORTING = new Set(['echo', 'printf', 'true', ':', 'exit', 'wait', 'sleep', 'fi', 'popd'])

/** Programs that show a part of what is piped to them. */
const FILTERS = new Set(
  'head tail grep egrep rg sed awk cut sort uniq tr wc tee cat less more nl column fold'.split(' '),
)
const ENDS = new Set(['head', 'tail'])

/** Returns commands without those that only prepare or report, or show a part of the output of one before them. */
function withoutBeside(commands: readonly SimpleCommand[]): SimpleCommand[] {
  /** What prints that which the pipeline shows: its first command, or the one whose output that reads from a file. */
  let source: SimpleCommand | undefined
  let isBeginning = true
  return commands.filter((command, at) => {
    const { program } = command
    const isPiped = commands[at - 1]?.operator === '|'
    const writer = isPiped ? undefined : writerOf(commands, at)
    if (!isPiped) source = writer ?? command
    const isBeside = isPiped
      ? // What a search is piped to is a part of the search.
        ENDS.has(program) || (FILTERS.has(program) && source !== undefined && !isQuery(source))
      : writer !== undefined ||
        REPORTING.has(program) ||
        isCondition(command) ||
        (isBeginning && PREPARING.has(program))
    isBeginning &&= PREPARING.has(program)
    return !isBeside
  })
}

/** Returns the last command before one that only shows a part of a file which has written its output there. */
export function writerOf(commands: readonly SimpleCommand[], at: number): SimpleCommand | undefined {
  const { program, words = [] } = commands[at] ?? {}
  if (program === undefined || !FILTERS.has(program)) return undefined
  return commands.slice(0, at).findLast((one) => outputFilesOf(one).some((file) => words.includes(file)))
}

/** Returns the files that have nothing but the output of a command. */
export const outputFilesOf = ({ redirections }: SimpleCommand): string[] =>
  redirections.flatMap(({ operator, target }) => (/^(?:&?>|>\|)$/.test(operator) ? [target] : []))

const COPIES = new Set(['cp', 'mv', 'ln'])

/** Returns the name of a command that only copies to one file: where the copy comes from does not matter, once it is there. */
function copyOf(command: string, own: readonly SimpleCommand[]): string | undefined {
  const program = own[0]?.program ?? ''
  const isOne = own.slice(0, -1).every(({ operator }) => /[()`]/.test(operator))
  const target = command.trimEnd().split(/\s/).at(-1) ?? ''
  return COPIES.has(program) && isOne && FILE.test(target) ? `${program} ${target}` : undefined
}

/** Interpreters of code that is given with the command. Such code rarely runs twice: the interpreter names the check. */
const INTERPRETER = /^(?:python[\d.]*|node|deno|bun|ruby|perl|php|bash|sh|zsh|psql|sqlite3|mysql|tsx)$/
const CODE_OPTION = /^(?:-c|-e|-r|-p|--eval|--print|-)$/

const isPlain = (word: string): boolean => !word.startsWith('-')
const PUSH = 'git push'

/** The name of a commit, and the beginning of that of a path which is staged. */
export const COMMIT_CHECK = 'git commit'
export const STAGING = 'git add '

/** Whether a part of a check joins other commits, and stops at a conflict. */
export const INTEGRATES = /^git (?:rebase|merge|cherry-pick|revert|pull|am)(?= |$)/

/** Whether a part of a check commits, or stages what is committed. */
export const isOfCommit = (part: string): boolean => part === COMMIT_CHECK || part.startsWith(STAGING)

/** Work that is staged for a commit in the same command is a part of that commit: the next try may have staged it already. */
const withoutStaging = (names: readonly string[]): readonly string[] =>
  names.includes(COMMIT_CHECK) ? names.filter((name) => !name.startsWith(STAGING)) : names

/**
 * Returns the names of a simple command: one, or one for each path that git stages, since the paths may be staged one by one. A push
 * to a named branch is a push too, since the next try names the branch.
 */
function namesOf(command: SimpleCommand): string[] {
  if (isDryRun(command)) return [oneLine(command.words.join(' '))]
  const name = nameOf(command)
  if (name.startsWith(`${PUSH} `)) return [PUSH, name]
  if (!name.startsWith(STAGING)) return [name]
  const paths = command.words.slice(command.words.indexOf('add') + 1).filter(isPlain)
  return paths.length === 0 ? [name] : paths.map((path) => STAGING + path)
}

/** Whether git is only to say what it would do. For a commit, `-n` means something else. */
const isDryRun = ({ program, words }: SimpleCommand): boolean =>
  program === 'git' &&
  words.some((word) => word === '--dry-run' || (/^-[a-z]{0,3}n/.test(word) && !words.includes('commit')))

function nameOf({ program, words }: SimpleCommand): string {
  const isCode = words.length === 1 || words.some((word) => CODE_OPTION.test(word))
  if (INTERPRETER.test(program) && isCode) return `${program} -`
  if (program === 'git') {
    const verb = words.findIndex((word, at) => at > 0 && !word.startsWith('-') && !/^-[cC]$/.test(words[at - 1] ?? ''))
    // A message says nothing about whether there can be a commit.
    if (words[verb] === 'commit') return COMMIT_CHECK
    if (words[verb] === 'push') return `git ${words.slice(verb).filter(isPlain).join(' ')}`
    if (words[verb] === 'add') return oneLine(`git ${words.slice(verb).join(' ')}`)
  }
  return oneLine(words.join(' '))
}

/** An option that names the folder, among the first words: what follows `--` is for another program. */
export const FOLDER_OPTION =
  /^(git(?= -C )|(?:npm|pnpm|yarn|bun|g?make|cargo|go|uv|poetry)(?: (?!-- )\S+){0,9}?) (?:-C|--prefix|--dir|--cwd|--directory|--manifest-path)[ =](\S+)/

/** Programs and scripts that check the work, and the short name of npm for its tests. */
const CHECK =
  /^p?npm t(?:st)?(?= |$)|(?<![A-Za-z])(?:tests?|spec|lint|typecheck|type-check|check|build|compile|verify|vet|clippy|pytest|jest|vitest|mocha|tsc|eslint|mypy|ruff|flake8|rspec|phpunit|gradle|gradlew|mvn|ctest|dialyzer|credo|unittest)(?![A-Za-z])/

const MAX_CHECK_CHARACTERS = 200

/** Programs that move files, whatever their names. */
const MOVES_FILES = /^(?:rm|rmdir|cp|mv|ln|mkdir|touch|chmod|chown|code|open|git) /

/** A command up to its first path, which may be the script that it runs: what follows is what it works on. */
const HEAD = /^(?:[^\s./]+ ){0,9}\S{0,200}/

/** Whether a part of a command checks the work. */
export const isCheckingPart = (text: string): boolean =>
  CHECK.test(HEAD.exec(text.replace(FOLDER_OPTION, '$1'))?.[0] ?? '') && !isQueryPart(text) && !MOVES_FILES.test(text)

/** Returns the parts of a command that check the work. */
export const checksOf = ({ parts }: Check): string[] =>
  parts.filter(isCheckingPart).map((text) => text.slice(0, MAX_CHECK_CHARACTERS))

/** Programs that put code into form: they check all files too. */
const FORMATS = /\b(?:fmt|format|prettier|black|gofmt)\b/

/** Whether a later change of a file may change what a command says. */
export function isCheck(command: string): boolean {
  const check = readCheck(command)
  return checksOf(check).length > 0 || check.parts.some((part) => FORMATS.test(part))
}
