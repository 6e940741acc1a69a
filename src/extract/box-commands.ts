import { baseName, inFolder } from '../files/paths.ts'
import { readBoxes } from './boxes.ts'
import { readFolder, readGit } from './commands.ts'
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
  const start = commands.findLastIndex((part) => writes(part, run.command ?? '') || takesBack(part)) + 1
  const prints = commands.map((part) =>
    isPrinting(part) ? part.words.slice(1).filter((word) => MARKDOWN.test(word)) : [],
  )
  const isAltered = commands.some((part, at) => commands[at - 1]?.operator === '|' && !PASSES.test(part.program))
  const folder = folderOf(commands)
  const isOther = commands.some(
    (part) => !isPrinting(part) && !PASSES.test(part.program) && !isInPlace(part) && !SILENT.test(part.program),
  )
  const own = run.call && readFolder(run.call)
  if (
    isAltered ||
    isOther ||
    (own !== undefined && run.folder === undefined) ||
    folder === undefined ||
    prints.slice(0, start).flat().length > 0
  )
    return []
  const named = [...new Set(prints.flat())]
  const [only] = named.length === 1 ? named : []
  const output = outputOf(run).slice(0, MAX_SHOWN_CHARACTERS)
  const hasAllOpen = only !== undefined && listsAllOpen(run, output)
  if (!hasAllOpen && (outcomeOf(run).kind === 'failed' || !output.includes('['))) return []
  const texts = new Map<string, string>(only === undefined ? [] : [[only, '']])
  for (const line of output.split('\n')) {
    const [prefix = '', path = only] = (commands.some(isSearch) && FOUND_IN.exec(line)) || []
    if (path !== undefined) texts.set(path, `${texts.get(path) ?? ''}\n${line.slice(prefix.length)}`)
  }
  return [...texts].map(([path, text]) => ({
    path: inFolder(own === undefined ? folder : inFolder(run.folder ?? '', folder), path),
    text,
    hasAllOpen: hasAllOpen && path === only,
  }))
}

/** Whether a command does nothing but change the folder: the shell may stay there. */
export const movesShell = (run: ToolRun): boolean =>
  simpleCommandsOf(run).length > 0 && simpleCommandsOf(run).every(({ program }) => /^(?:cd|pushd)$/.test(program))

/** Returns the folder to which a command changes, empty for none; undefined where it may be any. */
function folderOf(commands: readonly SimpleCommand[]): string | undefined {
  const [first, ...others] = commands
  if (others.some(({ program }) => /^(?:cd|pushd|popd|ssh|docker|find|xargs)$/.test(program))) return undefined
  if (first?.program !== 'cd') return ''
  const [, folder = '', ...more] = first.words
  return more.length > 0 || first.redirections.length > 0 || first.operator !== '&&' || /^[-~]|\.\.|\$/.test(folder)
    ? undefined
    : folder
}

/** Programs that print nothing of a file. */
const SILENT = /^(?:cd|true|:|echo)$/

/** The path before a line that a search has found, or one beside it. */
const FOUND_IN = /^([^\s:]{1,300}\.(?:md|mdx|markdown|txt))[:-](?=\d|\s{0,40}(?:[-*+] )?\[)/i

const isSearch = ({ program }: SimpleCommand): boolean => SEARCH.test(program)

const isPrinting = ({ program, words }: SimpleCommand): boolean =>
  program === 'sed'
    ? words[1] === '-n' && /^[\d,$ ;p]+$/.test(words[2] ?? '')
    : PRINTS.test(program) && !(program === 'rg' && words.some((word) => /^(?:-r|--replace)/.test(word)))

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
  if (kind !== 'succeeded' || exitCode > 1 || output.length > MAX_LISTED_CHARACTERS) return false
  const said = withoutNotes(output)
  if (said === (options.some((one) => one.includes('c')) ? '0' : '')) return true
  // A tool may have left out lines, and says so.
  return readBoxes(said).length === said.split('\n').length
}

/** Options after which a search still shows each line that it finds, or their number. */
const SEARCH_OPTION = /^(?:-[nEFHhc]{0,5}e?|--)$/

/** An expression that finds each open box: wherever it stands, and whatever follows. */
const OPEN_BOX = /^(?:\^?(?:\\s\*|\[\[:space:\]\]\*|\.\*))?\\\[ \\?\]$/

/** Tools may cut a longer output. */
const MAX_LISTED_CHARACTERS = 8000

const isInPlace = ({ program, words }: SimpleCommand): boolean =>
  program === 'sed' && words.some((word) => /^(?:-[nEr]{0,3}i|--in-place)/.test(word))

/** How a command may have changed the boxes of a file. */
interface UnknownChange {
  /** The program that may have ticked open boxes; left out where none does. */
  by?: string
}

/** Returns how a command may have changed the boxes of a file; undefined if it does not name it as one that it changes. */
export function unknownChange(run: ToolRun, path: string): UnknownChange | undefined {
  const { command = '' } = run
  const name = baseName(path)
  if (!command.includes(name) || !WRITES.test(command)) return undefined
  const commands = simpleCommandsOf(run)
  const hasFailed = commands.length === 1 && outcomeOf(run).kind === 'failed'
  const part = commands.find((one) => writes(one, command) && (isProgram(one) || names(one, name)))
  return hasFailed || part === undefined || !TICKS.test(command) ? {} : { by: part.program }
}

/** Commands that may change a file which they name. */
const WRITES =
  /\b(?:sed\s+-\S{0,8}i|perl|python\d?|node|ruby|awk|mv|rm|cp|tee|truncate|patch|git\s+(?:checkout|restore|stash|reset|revert|apply|rebase|merge|pull))\b|>/

/** A ticked box in a command, or a sign that stands for another one there. */
const TICKS = /\[[xX]\\?\]|([/|#,'"])[xX]\1/

/** Whether a command of git may have set files back, or changed the branch. */
export const takesBack = (part: SimpleCommand): boolean => TAKES_BACK.test(readGit(part)?.verb ?? '')

const TAKES_BACK = /^(?:checkout|switch|restore|stash|reset|revert|apply|rebase|merge|pull|cherry-pick)$/

const names = ({ words, redirections }: SimpleCommand, name: string): boolean =>
  [...words, ...redirections.map(({ target }) => target)].some((word) => baseName(word) === name)

/** Programs that run code, which may change a file that it names. */
const isProgram = ({ program }: SimpleCommand): boolean => /^(?:python[\d.]*|perl|node|ruby|php|g?awk)$/.test(program)

/** Whether a simple command may change a file. @param command the whole command, with its here-documents */
const writes = (part: SimpleCommand, command: string): boolean =>
  isInPlace(part) ||
  (isProgram(part) && WRITING.test(command)) ||
  /^(?:mv|cp|tee|truncate|patch)$/.test(part.program) ||
  part.redirections.some(({ operator, target }) => /^(?:&?>|>\|)$/.test(operator) && MARKDOWN.test(target))

/** How code writes. */
const WRITING = /write|copy|replace\(|rename|\s-\w{0,4}i\b|['"][wa]\+?['"]|r\+/
