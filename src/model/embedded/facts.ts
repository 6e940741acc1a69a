import type { UncommittedFiles } from '../../extract/commit-files.ts'
import type { Outcome } from '../../extract/outcome.ts'
import type { SessionWork, WorkItem } from '../../extract/work-item.ts'
import type { CourseStep } from '../../extract/describe-course.ts'
import type { DocumentPart } from '../../extract/documents.ts'
import type { Focus } from './focus.ts'
import type { Passage } from './passages.ts'
import type { Stand } from './stand-log.ts'

/** The content of an extract of a conversation. Every text is from the input. */
export interface SessionFacts {
  uncommitted?: UncommittedFiles
  /** The first request of the whole session, and the newest; each word for word, up to 500 characters. */
  firstRequest?: string
  newestRequest?: string
  /** The newest request as a whole. */
  wholeRequest?: string
  /** An unanswered question at the end, the agent's or the user's. */
  openQuestion?: string
  /** The sentences by which the user says that something waits for somebody, oldest first. */
  waiting: string[]
  /** The user's demands, prohibitions and preferences, oldest first. */
  constraints: string[]
  /** The sentences of the user, oldest first. */
  said: string[]
  /** Oldest first; the last one may be unfinished. */
  turns: TurnFact[]
  /** Each command once, with its newest outcome, in the order of the outcomes. */
  commands: CommandFact[]
  /** How often files were changed. */
  edits: number
  /** The last error lines, oldest first. */
  errors: string[]
  /** What was done, in order. */
  course: CourseStep[]
  /** Oldest first. */
  decisions: string[]
  /** What the client gave the summarizer to know, apart from the conversation. */
  notes?: readonly string[]
  /** The beginnings of texts that a client has added, oldest first. */
  heard: string[]
  /** How the work stands. */
  stand: Stand
  /** Changed files, the one that was changed last at the end. */
  files: FileFact[]
  /** Other files that the agent read and did not change, the newest last. */
  readFiles: ReadFact[]
  /** Documents that the agent read, the newest last. */
  documents: DocumentFact[]
  /** The requests, tasks and steps with their states. */
  work: SessionWork
  /** The last tool call of an unfinished turn, on one line, with its outcome. */
  lastCall?: string
  /** What the user wants the summary to pay attention to. */
  focus?: Focus | undefined
}

export interface TurnFact {
  /** The request on one line, shortened. */
  request: string
  /** The agent's last text on one line, shortened; empty where it said nothing. */
  outcome: string
  changedFiles: string[]
  /** What else the agent wrote, oldest first. */
  passages: Passage[]
  /** Left out for a note. */
  standing?: WorkItem
}

export interface CommandFact {
  command: string
  outcome: Outcome
  /** The line of the output that reports the result, if there is one. */
  result?: string
  /** The result of its last run with another one. */
  earlierResult?: string
  /** Of a check, how often files were changed after its last run. */
  laterEdits?: number
}

export interface FileFact {
  path: string
  /** Whether the whole file was written, so that all of its declarations are known. */
  isWritten: boolean
  /** Signatures, in the order of the file as far as that is known. */
  declared: string[]
  /** The newest edits, oldest first. */
  edits: string[]
}

/** A file that the agent has read, and what it has. */
export interface ReadFact {
  path: string
  /** Signatures, or else lines. */
  lines: string[]
}

export interface DocumentFact {
  /** The command, the path or the tool that returned it. */
  source: string
  isNamed: boolean
  parts: DocumentPart[]
}
