import { createHash } from 'node:crypto'
import { trimMessage } from '../../ingest/trim-message.ts'
import { isTurnBeginning } from '../../plan/choose-cut.ts'
import type { Region } from '../../plan/region.ts'
import type { Entry } from '../../session/entry.ts'
import { CLEARED_OUTPUT, readPruneNotice } from '../../session/message-text.ts'
import { textOf, type ContentBlock, type Message, type ToolResultMessage } from '../../session/message.ts'

/** A beginning of the considered part of a branch, which a summary may cover. */
export interface Beginning {
  /** The index of the first message after it. */
  at: number
  /** A hash of what it was made from, and of all messages in it. */
  key: string
}

/** A region whose beginnings have keys. */
export interface CoveredEntries {
  region: Region
  /** The settings and instructions on which a summary depends, beside the messages. */
  shape: unknown
  /** By which long texts are trimmed, so that a session that was read whole has the same hashes. */
  transcriptTokens: number | undefined
}

/**
 * Returns the beginnings up to a message, the shortest first. The hash of each has the ids, roles, texts and calls of its
 * messages, and whether it ends within a turn, of which there is a summary of its own then. Of the result of a tool, it has only
 * whose it is: agents clear old outputs.
 */
export function* beginningsOf(
  { region, shape, transcriptTokens }: CoveredEntries,
  lastAt: number,
): Generator<Beginning> {
  const { branch, start, previous } = region
  const before = previous && [previous.entry.id, previous.fullSummary]
  const hash = createHash('sha256').update(JSON.stringify(['beginning 2', shape, before]))
  let isEmpty = true
  for (let at = start; at <= lastAt; at++) {
    const { id, message } = branch[at] ?? {}
    if (message === undefined) continue
    // No kept part begins with a result.
    if (!isEmpty && message.role !== 'toolResult') {
      const isWhole = isTurnBeginning(branch[at])
      yield {
        at,
        key: hash
          .copy()
          .update(isWhole ? '\nturns' : '\nwithin a turn')
          .digest('base64url'),
      }
    }
    hash.update(`\n${describeMessage(id, trimmed(message, transcriptTokens))}`)
    isEmpty = false
  }
}

/** Returns a hash of the content of each result of a tool in a part of a branch. */
export const resultsOf = (covered: readonly Entry[], transcriptTokens: number | undefined): string[] =>
  toolResultsIn(covered).map((result) => hashOfResult(result, transcriptTokens))

/** Returns whether the results of such a part are the same, or have been cleared since. */
export function areSameResults(
  covered: readonly Entry[],
  hashes: readonly string[],
  transcriptTokens: number | undefined,
): boolean {
  const results = toolResultsIn(covered)
  return (
    results.length === hashes.length &&
    results.every((one, index) => isCleared(one) || hashOfResult(one, transcriptTokens) === hashes[index])
  )
}

const toolResultsIn = (entries: readonly Entry[]): ToolResultMessage[] =>
  entries.flatMap(({ message }) => (message?.role === 'toolResult' ? [message] : []))

function isCleared({ isPruned, content }: ToolResultMessage): boolean {
  const text = textOf(content)
  return isPruned || readPruneNotice(text) !== undefined || text.trim() === CLEARED_OUTPUT
}

function hashOfResult(result: ToolResultMessage, transcriptTokens: number | undefined): string {
  const { content, isError, exitCode, userAnswers } = trimmed(result, transcriptTokens) as ToolResultMessage
  const text = JSON.stringify([withoutImages(content), isError, exitCode, userAnswers])
  return createHash('sha256').update(text).digest('base64url').slice(0, HASH_CHARACTERS)
}

/** 96 bits. */
const HASH_CHARACTERS = 16

/** Returns a message as it was trimmed when it was read; one that was read whole has no tokens yet. */
const trimmed = (message: Message, transcriptTokens: number | undefined): Message =>
  message.tokens === undefined ? trimMessage(message, transcriptTokens) : message

function describeMessage(id: string | undefined, message: Message): string {
  const { role } = message
  switch (role) {
    case 'toolResult':
      return JSON.stringify([id, role, message.toolCallId, message.toolName])
    case 'bashExecution':
      return JSON.stringify([id, role, message.command, message.output, message.exitCode, message.cancelled])
    case 'branchSummary':
    case 'compactionSummary':
      return JSON.stringify([id, role, message.summary])
    case 'assistant':
      return JSON.stringify([id, role, withoutImages(message.content), message.errorMessage, message.stopReason])
    default:
      return JSON.stringify([id, role, withoutImages(message.content)])
  }
}

/** The data of images is there only where a session was read whole. */
const withoutImages = (content: readonly ContentBlock[]): readonly ContentBlock[] =>
  content.map((block) => (block.type === 'image' ? { type: block.type } : block))
