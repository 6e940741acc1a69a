import shellQuote from 'shell-quote'

/** What a shell command did to files, where that is certain. */
export interface CommandFiles {
  read: string[]
  modified: string[]
  deleted: string[]
  renamed: { from: string; to: string }[]
  /** Further files and folders that exist afterwards; `.` if all deleted files may be there again. */
  created: string[]
}

/**
 * Finds the files that shell code reads, writes, deletes and renames, where that is certain and if it has succeeded.
 */
export function findCommandFiles(code: string): CommandFiles {
  const found: CommandFiles = { read: [], modified: [], deleted: [], renamed: [], created: [] }
  for (const command of splitCommands(code)) {
    found.modified.push(...command.outputFiles.filter((path) => !DEVICE.test(path)))
    READERS[command.words[0] ?? '']?.(argumentsOf(command), found)
  }
  return found
}

/** Output to `/dev/null` or to a terminal changes no file. */
const DEVICE = /^\/dev\//

type Reader = (given: { files: string[]; options: string[] }, found: CommandFiles) => void

const rename: Reader = ({ files, options }, { renamed }) => {
  const [from, to] = files
  if (
    files.length === 2 &&
    options.every((option) => /^-[fv]+$/.test(option)) &&
    from !== undefined &&
    to !== undefined
  )
    renamed.push({ from, to })
}

const remove: Reader = ({ files }, { deleted }) => {
  deleted.push(...files)
}

const READERS: Record<string, Reader | undefined> = {
  cat: ({ files }, { read }) => {
    read.push(...files)
  },
  // The first word that is not an option is the script.
  sed: ({ files, options }, { read }) => {
    if (options.length === 1 && options[0] === '-n') read.push(...files.slice(1))
  },
  tee: ({ files }, { modified }) => {
    modified.push(...files.filter((path) => !DEVICE.test(path)))
  },
  cp: ({ files }, { created }) => {
    created.push(...files.slice(-1))
  },
  touch: ({ files }, { created }) => {
    created.push(...files)
  },
  mkdir: ({ files }, { created }) => {
    created.push(...files)
  },
  mv: rename,
  rm: remove,
  git: ({ files: [verb, ...files], options }, found) => {
    if (verb === 'mv') rename({ files, options }, found)
    if (verb === 'rm' && !options.includes('--cached')) remove({ files, options }, found)
    if (verb === 'checkout' || verb === 'restore') found.created.push(...files)
    if (verb === 'stash' || (verb === 'reset' && options.includes('--hard'))) found.created.push('.')
  },
}

/** The arguments of a command: files and options. */
function argumentsOf({ words }: CertainCommand): { files: string[]; options: string[] } {
  const rest = words.slice(1)
  return { files: rest.filter((word) => !word.startsWith('-')), options: rest.filter((word) => word.startsWith('-')) }
}

/** One simple command of a shell line: its words, and the files that its output is redirected to. */
interface CertainCommand {
  words: string[]
  outputFiles: string[]
}

type Token = ReturnType<typeof shellQuote.parse>[number]

/** How much shell code is read. Longer code is a whole program, whose effects are not certain. */
const MAX_CODE_CHARACTERS = 4000

const SEPARATORS = new Set(['&&', '||', ';', '|', '&'])
const REDIRECTIONS = new Set(['>', '>>'])

const isOperator = (token: Token, operators: ReadonlySet<string>): boolean =>
  typeof token === 'object' && 'op' in token && operators.has(token.op)

/**
 * Splits shell code into its simple commands as far as that is certain. The list ends before the first thing that a
 * shell would expand or nest (variables, patterns, substitutions, subshells, changes of the directory), and after a
 * command with a here-document.
 */
function splitCommands(code: string): CertainCommand[] {
  const commands: CertainCommand[] = []
  for (const line of code.slice(0, MAX_CODE_CHARACTERS).split('\n')) {
    const isCertain = splitLine(line, commands)
    if (!isCertain) break
  }
  return commands
}

/** @returns whether the lines after it can be read too */
function splitLine(line: string, commands: CertainCommand[]): boolean {
  // The next lines are the text of the here-document: the command before it counts, and nothing after it.
  const document = line.indexOf('<<')
  const tokens = parseLine(document < 0 ? line : line.slice(0, document))
  let words: Token[] = []
  for (const token of [...tokens, { op: ';' as const }]) {
    if (!isOperator(token, SEPARATORS)) {
      words.push(token)
      continue
    }
    const command = readCertainCommand(words)
    if (command === undefined || command.words[0] === 'cd') return false
    if (command.words.length > 0) commands.push(command)
    words = []
  }
  return document < 0
}

/** Splits a line into tokens. A variable becomes `(`, which ends the reading, and so does a quote that stays open. */
function parseLine(line: string): Token[] {
  const quotes = line.replace(/\\./g, '').match(/'[^']*'|"[^"]*"|['"]/g) ?? []
  if (quotes.some((quote) => quote.length === 1) || line.includes('`')) return [{ op: '(' }]
  return shellQuote.parse<{ op: '(' }>(line, () => ({ op: '(' }))
}

/** @returns undefined where the command is not certain */
function readCertainCommand(tokens: readonly Token[]): CertainCommand | undefined {
  const command: CertainCommand = { words: [], outputFiles: [] }
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token
    const next = tokens[index + 1]
    if (typeof token === 'string') {
      // shell-quote returns `2>` and `2>&1` as the word 2 and an operator.
      const isDescriptor =
        /^\d$/.test(token) && next !== undefined && isOperator(next, new Set([...REDIRECTIONS, '>&']))
      if (!isDescriptor) command.words.push(token)
    } else if (isOperator(token, REDIRECTIONS) && typeof next === 'string') {
      command.outputFiles.push(next)
      index += 1
    } else if (isOperator(token, new Set(['>&'])) && typeof next === 'string') index += 1
    else if (!('comment' in token)) return undefined
  }
  return command
}
