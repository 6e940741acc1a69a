import type { FileLists } from '../session/entry.ts'
import { readHeading } from '../text/sections.ts'

/** The labels of the lists in the section `## Files` of Cline (3.0.65, `ensureFilesSection`). */
const LIST_LABEL = /^(Read|Modified|Edited):(.*)$/

/** The text of an empty list. */
const NO_FILE = /^\(?none\)?$/i

/** Whether lines are Cline's lists of files: labels and paths, and nothing else. */
export const isFileList = (lines: readonly string[]): boolean => {
  const [first = '', ...others] = lines.filter((line) => line.trim() !== '')
  return LIST_LABEL.test(first) && others.every((line) => LIST_LABEL.test(line) || isPath(line))
}

/** A path, and no words about it. */
const isPath = (line: string): boolean => line.startsWith('- ') && !/: | [-–—(]/.test(line.slice(2))

/** Returns the files in the sections of a summary in which Cline lists them. */
export function readFileSections(summary: string): FileLists {
  const files: FileLists = { readFiles: [], modifiedFiles: [] }
  if (!FILES_HEADING.test(summary)) return files
  let section: string[] | undefined
  for (const line of [...summary.split('\n'), '## End']) {
    const heading = readHeading(line)
    if (heading === undefined) section?.push(line)
    else {
      if (section !== undefined && isFileList(section)) addFiles(files, section)
      section = heading.name === 'files' ? [] : undefined
    }
  }
  return files
}

const FILES_HEADING = /^#{1,6} Files/im

function addFiles({ readFiles, modifiedFiles }: FileLists, lines: readonly string[]): void {
  let list = readFiles
  for (const line of lines) {
    const [, label, rest = ''] = LIST_LABEL.exec(line) ?? []
    if (label !== undefined) list = label === 'Read' ? readFiles : modifiedFiles
    for (const path of label === undefined ? [line.slice(2)] : rest.split(','))
      if (path.trim() !== '' && !NO_FILE.test(path.trim())) list.push(path.trim())
  }
}
