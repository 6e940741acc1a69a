import { isAbout, saidOf } from '../../extract/blockers.ts'
import { findOverruling, overruledBy } from '../../extract/overruled.ts'
import type { PairedMessages } from '../../extract/runs.ts'
import { userSentences } from '../../extract/waiting.ts'
import { rootsOf } from '../../extract/work-claims.ts'
import type { SessionWork } from '../../extract/work-item.ts'
import type { WorkNews } from '../../extract/work-news.ts'
import { readWorkTurns } from '../../extract/work-turns.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { quotable } from './quotes.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import { isOverruled, readWaiting, writeOverruled } from './answered.ts'
import { changeHead } from './ranked-lines.ts'
import { isFileStatement } from './read-files.ts'
import { markEarlierWork, markSaid, markState, renewSince } from './stale-lines.ts'
import { markTakenBack } from './taken-back-lines.ts'
import { isStateOfChanges } from './uncommitted-files.ts'
import { isUpdated } from './write-context.ts'

interface Since extends PairedMessages, Pick<SessionWork, 'commits'> {
  news: WorkNews
}

/** Returns an earlier summary with marks on what does not hold as it stands there, since something has happened to what it names. */
export function markEarlier({ statements, ...parsed }: ParsedSummary, since: Since): ParsedSummary {
  const { news, messages } = since
  const { done, state, context, blocked, decisions, inProgress } = statements
  const said = (statement: string): string => (isUpdated(statement) ? statement : markSaid(statement, news))
  const sentences = blocked.length + decisions.length === 0 ? [] : userSentences(messages).slice(-MAX_SENTENCES)
  return {
    ...parsed,
    statements: {
      ...statements,
      done: markTakenBack(done, since),
      state: state
        .map((statement) =>
          isFileStatement(statement) || isStateOfChanges(statement) ? statement : markState(statement, news),
        )
        .filter((statement) => statement !== ''),
      context: context.map(said),
      blocked: markBlocked(blocked, sentences, since),
      decisions: markDecisions(decisions, sentences),
      inProgress: inProgress.map((statement) => markEarlierWork(statement, news)),
    },
  }
}

/** How many of the newest sentences of the user are compared with what is blocked, and what was decided. */
const MAX_SENTENCES = 2000

/** Returns what is blocked, with the last that the user has said of it since, or what was done about it. */
function markBlocked(blocked: readonly string[], sentences: readonly string[], { news, ...since }: Since): string[] {
  if (blocked.length === 0) return []
  const rooted = sentences.map((sentence) => ({ sentence, roots: rootsOf(sentence) }))
  const done = whatIsDone(since)
  return blocked.map((statement) => {
    const [head = ''] = statement.split('\n', 1)
    const waiting = readWaiting(statement)
    const said = saidOf(waiting ?? head, rooted)
    if (said !== undefined) return renewSince(statement, `the user said ${quote(said)}`)
    const solved = waiting === undefined ? done.findLast(({ text }) => isAbout(text, head)) : undefined
    return solved === undefined ? markSaid(statement, news) : renewSince(statement, solved.by)
  })
}

/** Returns what commits and answers of the agent say is done, with who says so. */
function whatIsDone({ messages, commits }: Omit<Since, 'news'>): { text: string; by: string }[] {
  const claims = readWorkTurns(messages, false).flatMap(({ answer }) => answer?.claims ?? [])
  return [
    ...claims.map(({ text }) => ({ text, by: `the agent said ${quote(text)}` })),
    ...commits.map(({ hash, subject }) => ({ text: subject, by: `commit ${hash} ${quote(subject)}` })),
  ]
}

/** Returns decisions with the words by which the user has overruled them. */
function markDecisions(decisions: readonly string[], sentences: readonly string[]): string[] {
  const overruling = findOverruling(sentences)
  return decisions.map((statement) => {
    const [head = ''] = statement.split('\n', 1)
    const by = isOverruled(head) ? undefined : overruledBy(head, overruling)
    return by === undefined ? statement : changeHead(statement, () => writeOverruled(head, quote(by)))
  })
}

const MAX_QUOTED_CHARACTERS = 160

/** Returns words in quotation marks, without such marks and parentheses of their own. */
const quote = (text: string): string =>
  `"${shorten(oneLine(quotable(text).replace(/[()]/g, ' ')), MAX_QUOTED_CHARACTERS)}"`
