import { statSync } from 'node:fs'
import { SNAPSHOT_ACKNOWLEDGEMENT } from '../../agents/apis/gemini-parts.ts'
import { readPart } from '../../agents/shared/session-file.ts'
import { printContext, type AgentEvent } from './agent-event.ts'

/** What is read of a session at an event, at most. */
const MOST_BYTES = 16_777_216

/** The beginning of a line of Gemini CLI that replaces all messages (0.61.0): at a compaction, and at each resume. */
const NEW_LIST = '{"$set":{"messages":['

/** After a compaction, of which only the session file tells, prints how the agent can look up what it has replaced. */
export async function remind(event: AgentEvent): Promise<void> {
  const { session, notes, cli } = event
  const { path } = session
  const size = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.size
  if (path === undefined || size === undefined) return
  const note = notes.read()
  const { searchedBytes: from = size } = note
  if (note.searchedBytes !== size) notes.write({ ...note, searchedBytes: size })
  if (from >= size || !hasCompaction(path, from)) return
  const { writeRecallLine } = await import('../recall-line.ts')
  const line = writeRecallLine({ kind: 'file', path }, cli)
  if (line !== undefined)
    await printContext(event, `A summary has replaced older messages. To look up what they said: ${line}`)
}

const hasCompaction = (path: string, from: number): boolean =>
  readPart(path, () => from, MOST_BYTES)
    .split('\n')
    .some((line) => line.startsWith(NEW_LIST) && line.includes(SNAPSHOT_ACKNOWLEDGEMENT))
