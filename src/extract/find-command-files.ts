import { splitCommands, type SimpleCommand } from './split-commands.ts'

/** What a shell command certainly did to files. */
export interface CommandFiles {
  read: string[]
  modified: string[]
  deleted: string[]
  renamed: { from: string; to: string }[]
}

const NOWHERE = /^\/dev\//

/** Finds the files that shell code reads, writes, deletes and renames, where that is certain. It must have succeeded. */
export function findCommandFiles(code: string): CommandFiles {
  const found: CommandFiles = { read: [], modified: [], deleted: [], renamed: [] }
  for (const command of splitCommands(code)) {
    found.modified.push(...command.outputFiles.filter((path) => !NOWHERE.test(path)))
    READERS[command.words[0] ?? '']?.(argumentsOf(command), found)
  }
  return found
}

/** What stands after the command's name, options apart. */
function argumentsOf({ words }: SimpleCommand): { files: string[]; options: string[] } {
  const rest = words.slice(1)
  return { files: rest.filter((word) => !word.startsWith('-')), options: rest.filter((word) => word.startsWith('-')) }
}

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
  // The first word that is no option is the script.
  sed: ({ files, options }, { read }) => {
    if (options.length === 1 && options[0] === '-n') read.push(...files.slice(1))
  },
  tee: ({ files }, { modified }) => {
    modified.push(...files.filter((path) => !NOWHERE.test(path)))
  },
  mv: rename,
  rm: remove,
  git: ({ files: [verb, ...files], options }, found) => {
    if (verb === 'mv') rename({ files, options }, found)
    if (verb === 'rm' && !options.includes('--cached')) remove({ files, options }, found)
  },
}
