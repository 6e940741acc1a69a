import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Problem } from '../errors.ts'
import { readingOf, readRequest, type SessionSource } from '../ingest/read-request.ts'
import { redactMessages } from '../redact/redaction.ts'
import { CONTEXT_FORMS } from '../schemas/context.ts'
import type { Entry } from '../session/entry.ts'
import { selectBranch } from '../session/link-session.ts'

/** A session file, read by the service's own reader. */
export interface SessionFile {
  name: string
  /** The active branch, with whole messages. */
  branch: readonly Entry[]
  isLines: boolean
  source: SessionSource
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
 * Reads a session file: JSON Lines, or JSON with `entries` or `messages`.
 * @param redact whether secrets are replaced in the messages
 * @throws Error that names the file and its fault
 */
export function readSessionFile(path: string, redact: boolean): SessionFile {
  const body = readBytes(path)
  const isLines = hasLines(body)
  try {
    const { session, source } = readRequest({ body, isLines, query: {} }, WHOLE_SESSION, { transcriptTokens: 0 })
    const branch = selectBranch(session)
    return { name: basename(path), branch: redact ? redactBranch(branch) : branch, isLines, source }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const faults = error.faults.slice(0, 5).map(({ pointer, detail }) => `\n${pointer} ${detail}`)
    throw new Error(`The session ${path} cannot be read: ${error.message}${faults.join('')}`, { cause: error })
  }
}

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

/** Returns whether a body is JSON Lines. A body in JSON has a list in its first object, or goes on after the first line. */
function hasLines(body: Buffer): boolean {
  const [line = ''] = body.toString('utf8').trimStart().split('\n', 1)
  try {
    const first = JSON.parse(line) as Record<string, unknown> | null
    return first !== null && !Array.isArray(first['entries']) && !Array.isArray(first['messages'])
  } catch {
    return !/^\{\s*$|^\{\s*"(?:entries|messages)"/.test(line)
  }
}

function redactBranch(branch: readonly Entry[]): Entry[] {
  return branch.map((entry) => {
    const [message] = entry.message === undefined ? [] : redactMessages([entry.message]).messages
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
  const line = LINE_OPTION.exec(cut)?.[1]
  if (line !== undefined && !isLines)
    throw new Error(`--cut ${cut} needs a session in JSON Lines. Give the id of an entry instead.`)
  const index = branch.findIndex(({ id, index: at }) => (line === undefined ? id === cut : at === Number(line) - 1))
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

/** A body for the service. */
export interface SessionBody {
  contentType: string
  body: string | Buffer
  /** The settings, as a query string with its question mark; an empty text if they are in the body. */
  query: string
}

/**
 * Returns the request body with the session up to the first message after the cut, so that with `keepRecentTokens: 1`
 * exactly the entries before the cut are summarized.
 * @param cut undefined for the whole session
 */
export function bodyOf(
  { source, isLines, branch }: SessionFile,
  cut: SessionCut | undefined,
  settings: Readonly<Record<string, number>>,
): SessionBody {
  const last = cut === undefined ? undefined : branch[cut.messageIndex]
  const end = last?.range.end ?? source.body.length
  if (isLines) {
    const texts = Object.entries(settings).map(([name, value]): [string, string] => [name, String(value)])
    const query = new URLSearchParams(texts)
    // A part of the bytes, not of the lines that were read: a broken line is part of the session too.
    return { contentType: 'application/x-ndjson', body: source.body.subarray(0, end), query: `?${query.toString()}` }
  }
  const ranges = source.ranges.filter(({ start }) => start < end)
  const elements = ranges.map((range) => source.body.toString('utf8', range.start, range.end))
  const body = `{"${source.name}":[${elements.join(',')}],"settings":${JSON.stringify(settings)}}`
  return { contentType: 'application/json', body, query: '' }
}
