import { baseName } from '../files/paths.ts'
import { readGit } from './commands.ts'
import { withoutNotes } from './outcome.ts'
import { outcomeOf, outputOf, simpleCommandsOf, type ToolRun } from './runs.ts'
import type { SimpleCommand } from './shell.ts'

/** What a command shows of a file with boxes. */
export interface ShownFile {
  path: string
  text: string
  /** Whether no box that is open is missing. */
  hasAllOpen: boolean
}

/** How a command may have changed a file: the program, and whether the file is an older one now. */
export interface UnknownChange {
  program: string
  isOlder: boolean
}

/** How much of an output is searched for boxes. */
export const MAX_SHOWN_CHARACTERS = 200_000

export const MARKDOWN = /\.(?:md|mdx|markdown|txt)$/i

const SEARCH = /^(?:[ef]?grep|rg)$/

/** Programs that print lines of files as they are, and those that pass them on. */
const PRINTS = /^(?:cat|head|tail|nl|less|more|bat|[ef]?grep|rg)$/
const PASSES = /^(?:cat|head|tail|nl|less|more|sort|wc|[ef]?grep|rg)$/

/** Returns what a command shows of Markdown files as they are after it. What it may change later than it prints them is not shown. */
export function shownFiles(run: ToolRun): ShownFile[] {
  const commands = simpleCommandsOf(run)
  const start = commands.findLastIndex((part) => writes(part, run.command ?? '')) + 1
  const prints = commands.map((part) =>
    isPrinting(part) ? part.words.slice(1).filter((word) => MARKDOWN.test(word)) : [],
  )
  const isAltered = commands.some((part, at) => commands[at - 1]?.operator === '|' && !PASSES.test(part.program))
  if (isAltered || prints.slice(0, start).flat().length > 0) return []
  const named = [...new Set(prints.flat())]
  const [only] = named.length === 1 ? named : []
  const output = outputOf(run).slice(0, MAX_SHOWN_CHARACTERS)
  const hasAllOpen = only !== undefined && listsAllOpen(run, output)
  if (!hasAllOpen && (outcomeOf(run).kind === 'failed' || !output.includes('['))) return []
  if (!commands.some(({ program }) => SEARCH.test(program)))
    return only === undefined ? [] : [{ path: only, text: output, hasAllOpen }]
  const texts = new Map<string, string>(only === undefined ? [] : [[only, '']])
  for (const line of output.split('\n')) {
    const [prefix = '', path = only] = FOUND_IN.exec(line) ?? []
    if (path !== undefined) texts.set(path, `${texts.get(path) ?? ''}\n${line.slice(prefix.length)}`)
  }
  return [...texts].map(([path, text]) => ({ path, text, hasAllOpen: hasAllOpen && path === only }))
}

/** The path before a line that a search has found, or one beside it. */
const FOUND_IN = /^([^\s:]{1,300}\.(?:md|mdx|markdown|txt))[:-](?=\d|\s{0,40}(?:[-*+] )?\[)/i

const isPrinting = ({ program, words }: SimpleCommand): boolean =>
  PRINTS.test(program) || (program === 'sed' && words[1] === '-n' && /^[\d,$ ;p]+$/.test(words[2] ?? ''))

/** Whether a command has searched one file for open boxes and nothing else, with all its lines in the output. */
function listsAllOpen(run: ToolRun, output: string): boolean {
  const commands = simpleCommandsOf(run)
  const { program = '', words = [], redirections = [] } = commands.at(-1) ?? {}
  const isSilent = commands.slice(0, -1).every((part) => part.program === 'cd' || isInPlace(part))
  const options = words.slice(1).filter((word) => SEARCH_OPTION.test(word))
  const [pattern = '', ...files] = words.slice(1).filter((word) => !SEARCH_OPTION.test(word))
  const isFixed = program === 'fgrep' || options.some((option) => /^-\w*F/.test(option))
  if (!SEARCH.test(program) || !isSilent || files.length !== 1 || redirections.length > 0) return false
  if (!(isFixed ? '[ ]' === pattern : OPEN_BOX.test(pattern))) return false
  const { kind, exitCode = 0 } = outcomeOf(run)
  const isCount = options.some((one) => one.includes('c'))
  if (withoutNotes(output.slice(0, MAX_LISTED_CHARACTERS)) === (isCount ? '0' : '')) return exitCode < 2
  return kind === 'succeeded' && output.length < MAX_LISTED_CHARACTERS && /\[ \]/.test(output)
}

/** Options after which a search still shows each line that it finds, or their number. */
const SEARCH_OPTION = /^(?:-[nEFHhc]{0,5}e?|--)$/

/** An expression that finds each open box: wherever it stands, and whatever follows. */
const OPEN_BOX = /^(?:\^?(?:\\s\*|\[\[:space:\]\]\*|\.\*))?\\\[ \\?\]$/

/** Tools may cut a longer output. */
const MAX_LISTED_CHARACTERS = 8000

const isInPlace = ({ program, words }: SimpleCommand): boolean =>
  program === 'sed' && words.some((word) => /^(?:-[nEr]{0,3}i|--in-place)/.test(word))

/** Returns how a command may have changed a file; undefined if it has not. Lines that are appended change no box. */
export function unknownChange(run: ToolRun, path: string): UnknownChange | undefined {
  const { command = '' } = run
  const name = baseName(path)
  if (!command.includes(name)) return undefined
  const commands = simpleCommandsOf(run)
  if (commands.length === 1 && outcomeOf(run).kind === 'failed') return undefined
  const git = commands.find((part) => TAKES_BACK.test(readGit(part)?.verb ?? ''))
  const part = commands.find((one) => writes(one, command) && (isProgram(one) || names(one, name)))
  return part === undefined ? git && { program: 'git', isOlder: true } : { program: part.program, isOlder: false }
}

const TAKES_BACK = /^(?:checkout|restore|stash|reset|revert|apply|rebase|merge|pull)$/

const names = ({ words, redirections }: SimpleCommand, name: string): boolean =>
  [...words, ...redirections.map(({ target }) => target)].some((word) => baseName(word) === name)

/** Programs that run code, which may change a file that it names. */
const isProgram = ({ program }: SimpleCommand): boolean => /^(?:python[\d.]*|perl|node|ruby|php|g?awk)$/.test(program)

/** Code in the command itself, and how such code writes. */
const INLINE = /^-(?:\w*[ceE]|)$/
const WRITING = /write|\s-\w{0,4}i\b|['"][wa]\+?['"]/

/** Whether a simple command may change a file that it names. @param command the whole command, with its here-documents */
function writes(part: SimpleCommand, command: string): boolean {
  const { program, words, redirections } = part
  if (redirections.some(({ operator, target }) => /^(?:&?>|>\|)$/.test(operator) && MARKDOWN.test(target))) return true
  if (isProgram(part)) {
    const isInline = words.length === 1 || words.some((word) => INLINE.test(word)) || /awk$/.test(program)
    return !isInline || WRITING.test(command)
  }
  return isInPlace(part) || /^(?:mv|cp|tee|truncate|patch)$/.test(program)
}
