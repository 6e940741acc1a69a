import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Problem, type Fault } from '../src/errors.ts'
import { readingOf, readRequest } from '../src/ingest/read-request.ts'
import { startRedaction } from '../src/redact/redaction.ts'
import { CONTEXT_FORMS } from '../src/schemas/context.ts'
import type { FormatId } from '../src/schemas/format.ts'
import type { Entry } from '../src/session/entry.ts'
import { selectBranch } from '../src/session/link-session.ts'

/** A session file, read by the service's own reader. */
export interface SessionFile {
  name: string
  /** The active branch, with whole messages. */
  branch: readonly Entry[]
  isLines: boolean
  /** The whole session, as it is in the file. */
  text: string
  /** Undefined for the service's own forms. */
  format: FormatId | undefined
}

/** Where a session is cut. All positions are indexes into the branch. */
export interface SessionCut {
  /** The id of the first entry that is not summarized. */
  id: string
  /** The first entry that is not summarized. */
  index: number
  /** The first message from there on. */
  messageIndex: number
}

const WHOLE_SESSION = readingOf(CONTEXT_FORMS, true)

/**
 * Reads a session file of any format that the service reads.
 * @param redact whether secrets are replaced in the messages
 * @param format the format of the session; default: it is detected
 * @throws Error that names the file and its fault
 */
export const readSessionFile = (path: string, redact: boolean, format?: string): SessionFile =>
  readSessionBytes(path, readBytes(path), { redact, format })

/** Reads the bytes of a session file, as `readSessionFile` does. @throws Error that names the file and its fault */
export function readSessionBytes(
  path: string,
  body: Buffer,
  { redact, format }: { redact: boolean; format?: string | undefined },
): SessionFile {
  const query = format === undefined ? {} : { format }
  try {
    // As of a client that does not know what it sends: the content decides whether the body is JSON Lines.
    const read = readRequest({ body, isLines: false, query }, WHOLE_SESSION, {
      transcriptTokens: 0,
      maxSummaryTokens: 0,
    })
    const branch = selectBranch(read.session, read.fields.leafId)
    return {
      name: basename(path),
      branch: redact ? redactBranch(branch) : branch,
      isLines: read.source.isLines,
      text: read.source.body.toString(),
      format: read.format,
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const hint = error.type === 'unknown-format' ? ' (--format ID)' : ''
    throw new Error(`The session ${path} cannot be read: ${error.message}${hint}${writeFaults(error.faults)}`, {
      cause: error,
    })
  }
}

/** Returns the faults of a request or a session, each on a line of its own. */
export const writeFaults = (faults: readonly Fault[]): string =>
  faults
    .slice(0, 5)
    .map(({ pointer, detail }) => `\n  ${pointer} ${detail}`)
    .join('')

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(`The session ${path} cannot be opened (${String(code)}). Check the path after --session.`, {
      cause,
    })
  }
}

function redactBranch(branch: readonly Entry[]): Entry[] {
  return branch.map((entry) => {
    const messages = entry.message === undefined ? [] : [entry.message]
    const [message] = startRedaction(true, { messages }).messages(messages)
    return message === undefined ? entry : { ...entry, message }
  })
}

const LINE_OPTION = /^line:(\d{1,9})$/

/**
 * Finds the place of a cut.
 * @param cut the id of an entry, or `line:N` with the number of a line of the file
 * @throws Error if there is no such entry, or no message after it
 */
export function findCut({ branch, isLines }: SessionFile, cut: string): SessionCut {
  // Entries without an id in the session have one in the form of `line:N`.
  const withId = branch.findIndex(({ id }) => id === cut)
  const line = withId === -1 ? LINE_OPTION.exec(cut)?.[1] : undefined
  if (line !== undefined && !isLines)
    throw new Error(`--cut ${cut} needs a session in JSON Lines. Give the id of an entry instead.`)
  const index = line === undefined ? withId : branch.findIndex(({ index: at }) => at === Number(line) - 1)
  const entry = branch[index]
  if (entry === undefined)
    throw new Error(
      `--cut ${cut} is not an entry of the session's active branch. ` +
        `Give the id of one of its entries, ${branch[0]?.id ?? '-'} to ${branch.at(-1)?.id ?? '-'}, or line:N.`,
    )
  const messageIndex = branch.findIndex(({ message }, at) => at >= index && message !== undefined)
  if (messageIndex === -1)
    throw new Error(`--cut ${cut}: there is no message from this entry on. Give an entry before the last message.`)
  return { id: entry.id, index, messageIndex }
}

/**
 * Returns the request with the session up to the first message after the cut, so that with `keepRecentTokens: 1` exactly
 * the entries before the cut are summarized. The service reads the whole document, and takes the branch up to a leaf: a
 * part of a document would not be right in each format.
 * @param cut undefined for the whole session
 */
export function requestOf(
  { branch, text, format }: SessionFile,
  cut: SessionCut | undefined,
  settings: Readonly<Record<string, number>>,
): string {
  const leafId = cut === undefined ? undefined : branch[cut.messageIndex]?.id
  return JSON.stringify({ session: text, format, leafId, settings })
}
