import type { ProjectFile } from '../../session/entry.ts'
import type { ContentBlock } from '../../session/message.ts'
import { blockText } from '../shared/messages.ts'

const START = '--- Context from: '
const END = '--- End of Context from: '
const LINE_END = ' ---'

/**
 * Returns the files of the project, such as GEMINI.md, that Gemini CLI (0.61.0) shows in the first record of the user, each between two
 * lines with its path.
 */
export function readContextFiles(blocks: readonly ContentBlock[]): ProjectFile[] {
  const text = blocks.map(blockText).find((one) => one.startsWith('<session_context>')) ?? ''
  const [, ...files] = text.split(`\n${START}`)
  return files.flatMap((file) => {
    const [first = ''] = file.split('\n', 1)
    const end = file.indexOf(`\n${END}`)
    if (!first.endsWith(LINE_END) || end < first.length) return []
    return { path: first.slice(0, -LINE_END.length), text: file.slice(first.length, end) }
  })
}
