import type { FileLists } from '../session/entry.ts'

/** Ends a summary with the file lists, a path a line; a list that is empty gets no tag (docs/contract.md, "Reply 200"). */
export function appendFileTags(summary: string, { readFiles, modifiedFiles }: FileLists): string {
  return [summary, tag('read-files', readFiles), tag('modified-files', modifiedFiles)].filter(Boolean).join('\n\n')
}

const tag = (name: string, paths: readonly string[]): string =>
  paths.length === 0 ? '' : `<${name}>\n${paths.join('\n')}\n</${name}>`
