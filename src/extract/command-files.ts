import { joinPaths } from '../files/paths.ts'
import type { SimpleCommand } from './shell.ts'

/** The files that a shell command has certainly read or changed. */
export interface CommandFiles {
  read: string[]
  modified: string[]
  deleted: string[]
  renamed: { from: string; to: string }[]
  /** Further files and folders that exist afterwards; `.` if all deleted files may be there again. */
  created: string[]
}

/**
 * Finds the files that the simple commands of a command read, write, delete and rename, where that is certain and if it has succeeded. It is
 * certain up to the first thing that a shell would replace or nest. After a change of the folder, only what is deleted counts, and what
 * exists again.
 */
export function findCommandFiles(commands: readonly SimpleCommand[]): CommandFiles {
  const found = noFiles()
  let folder = ''
  let isSure = true
  for (const command of commands) {
    if (!command.isCertain || command.program === 'popd') break
    if (ENTERING.test(command.program)) {
      const [, to, ...others] = command.words
      // Another sign means that it was not entered, or only for a part.
      if (to === undefined || others.length > 0 || to.startsWith('-') || !GOES_ON.test(command.operator)) break
      folder = joinPaths(folder, to)
      continue
    }
    isSure &&= GOES_ON.test(command.operator)
    if (folder === '') readFiles(command, found)
    else addThere(folder, command, { found, isSure })
  }
  return found
}

const noFiles = (): CommandFiles => ({ read: [], modified: [], deleted: [], renamed: [], created: [] })

/** Adds the files that a command reads, writes, deletes and renames in its own folder. */
function readFiles({ words, program, redirections }: SimpleCommand, found: CommandFiles): void {
  for (const { operator, target } of redirections)
    if (OUTPUT.test(operator) && !DEVICE.test(target)) found.modified.push(target)
  const given: Parameters<Reader>[0] = { files: [], options: [] }
  for (const word of words.slice(1)) (word.startsWith('-') ? given.options : given.files).push(word)
  READERS[program]?.(given, found)
}

/** Adds the files that a command in another folder deletes, if it is sure to have run, and those that exist afterwards. */
function addThere(
  folder: string,
  command: SimpleCommand,
  { found, isSure }: { found: CommandFiles; isSure: boolean },
): void {
  const own = noFiles()
  readFiles(command, own)
  const { deleted, modified, created, renamed } = own
  if (isSure) found.deleted.push(...deleted.map((path) => joinPaths(folder, path)))
  const there = [...modified, ...created, ...renamed.map(({ to }) => to)]
  found.created.push(...there.map((path) => (path === '.' ? path : joinPaths(folder, path))))
}

/** Programs that change the folder of those after them. */
const ENTERING = /^(?:cd|pushd)$/

/** The signs after which a command is sure to run, where all has succeeded, or those at the end. */
const GOES_ON = /^(?:&&|;|\n)?$/

/** Returns the files into which commands write by redirections, as far as the commands name them, up to a change of the folder: a group may write too. */
function redirectedBy(commands: readonly SimpleCommand[]): string[] {
  const end = commands.findIndex(({ program }) => ENTERING.test(program))
  return commands
    .slice(0, end < 0 ? undefined : end)
    .flatMap(({ redirections }) => redirections)
    .filter(({ operator, target }) => OUTPUT.test(operator) && !DEVICE.test(target) && !/[$*?{}&]/.test(target))
    .map(({ target }) => target)
}

/** Operators that write the output of a command into a file. */
const OUTPUT = /^(?:&?>>?|>\|)$/

/** Options of `sed` that change a file in place, and those that do not change which words are files. */
const IN_PLACE = /^(?:-[nEr]*i|--in-place)/
const SED_OPTION = /^(?:-[nEre]|-[nEr]*i\S{0,10}|--in-place(?:=\S{1,10})?)$/

/** A path with such an end is no folder. */
export const FILE = /\.\w{1,10}$/

/** Files beside the work, and those of agents. */
const SCRATCH = /^(?:\/tmp\/|\/var\/|\/dev\/|~)|(?:^|\/)\.(?:claude|codex|pi|omp|git)\/|\.(?:log|tmp|out)$/

export const isScratch = (path: string): boolean => SCRATCH.test(path)

/**
 * Returns the files of the work that a command has written, if it has succeeded: by redirections, in place, as copies, or by new names.
 * @param commands its simple commands
 */
export function writtenBy({ modified, renamed }: CommandFiles, commands: readonly SimpleCommand[]): string[] {
  const moved = renamed.map(({ to }) => to).filter((to) => FILE.test(to))
  return [...modified, ...redirectedBy(commands), ...moved].filter((path) => !isScratch(path))
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
  sed: ({ files, options }, { read, modified }) => {
    if (options.length === 1 && options[0] === '-n') read.push(...files.slice(1))
    const scripts = Math.max(1, options.filter((option) => option === '-e').length)
    if (options.some((option) => IN_PLACE.test(option)) && options.every((option) => SED_OPTION.test(option)))
      modified.push(...files.filter((file) => file !== '').slice(scripts))
  },
  tee: ({ files }, { modified }) => {
    modified.push(...files.filter((path) => !DEVICE.test(path)))
  },
  cp: ({ files, options }, { created, modified }) => {
    const [, to] = files
    const isFile =
      files.length === 2 && to !== undefined && FILE.test(to) && options.every((one) => /^-[pfv]+$/.test(one))
    ;(isFile ? modified : created).push(...files.slice(-1))
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
