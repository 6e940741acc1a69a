import { issueOf } from '../../extract/same-words.ts'
import { UNRESOLVED } from '../../extract/statements.ts'
import { closeMarks, FenceReader, openFence } from '../../text/close-marks.ts'
import { defined } from '../../text/defined.ts'
import { excerptOf } from '../../extract/cut-request.ts'
import { GOAL_LABELS } from '../../text/summary-headings.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import { STEP_LABELS } from './step-labels.ts'
import { isPlan } from './plan-lines.ts'
import { forEachPart } from './extractive-summary.ts'
import { splitParts } from './summary-parts.ts'

/**
 * Parses an earlier summary, ours or a model's. Text under unknown headings, or without a heading, belongs to the
 * critical context, so that nothing is lost.
 */
export function parseSummary(summary: string): ParsedSummary {
  const texts = splitParts(summary)
  const goal = parseGoal(texts.goal ?? '')
  const statements = forEachPart((part) => splitStatements(texts[part] ?? ''))
  for (const part of ['done', 'context'] as const) {
    statements.pending.push(...statements[part].filter((statement) => UNRESOLVED.test(statement)))
    statements[part] = statements[part].filter((statement) => !UNRESOLVED.test(statement))
  }
  if (goal.newestRequest === undefined)
    for (const part of STEPS) statements[part] = statements[part].flatMap(splitItems)
  return { ...goal, statements }
}

/** The parts whose items are steps. */
const STEPS = ['inProgress', 'pending', 'nextSteps'] as const

/**
 * Returns an item with items below it as several: each of them is done, or left to do, by itself. Those of an issue have its id, since
 * they are over with it.
 */
function splitItems(statement: string): string[] {
  if (isPlan(statement) || Object.values(STEP_LABELS).some((label) => statement.startsWith(label))) return [statement]
  const lines = statement.split('\n')
  const items = lines.filter((line) => SUB_ITEM.test(line))
  const isList = items.length > 1 && lines.slice(1).every((line) => SUB_ITEM.test(line))
  const [head = ''] = lines
  const issue = issueOf(head.replace(/^[-*+] /, ''))
  const part = issue === undefined ? '' : ` (${issue})`
  return isList ? [head, ...items.map((line) => line.trim() + part)] : [statement]
}

const SUB_ITEM = /^\s+(?:[-*+]|\d{1,3}[.)])\s/

/**
 * Splits a text into statements. Each begins with a list mark at the beginning of a line, or after a blank line. A fence is a part of
 * one statement, unless an earlier cut has left it open.
 */
function splitStatements(text: string): string[] {
  const statements: string[][] = []
  const hidesLines = openFence(text) === undefined
  const fences = new FenceReader()
  let isNew = true
  for (const line of text.split('\n')) {
    const isCode = fences.read(line) && hidesLines
    if (isCode) statements.at(-1)?.push(line)
    else if (line.trim() === '') isNew = true
    else if (isNew || /^(?:[-*+]|\d+\.|#{1,6})\s/.test(line)) {
      statements.push([line])
      isNew = false
    } else statements.at(-1)?.push(line)
  }
  return statements.map((lines) => closeMarks(lines.join('\n').trim()))
}

function parseGoal(goal: string): Omit<ParsedSummary, 'statements'> {
  const { first, newest, earlier } = GOAL_LABELS
  const pattern = new RegExp(`(?:^|\\n)(${Object.values(GOAL_LABELS).join('|')})\\n`)
  const [unlabelled = '', ...labelled] = goal.split(pattern)
  const byLabel = new Map<string, string>()
  for (let index = 0; index < labelled.length; index += 2)
    byLabel.set(labelled[index] ?? '', labelled[index + 1]?.trim() ?? '')
  const firstRequest = byLabel.get(first)
  const written = byLabel.get(newest)
  const wholeRequest = unquote(written)
  const newestRequest = wholeRequest === written ? wholeRequest : wholeRequest && excerptOf(wholeRequest)
  return {
    ...defined({ firstRequest, newestRequest, wholeRequest }),
    goal: [unlabelled.trim(), byLabel.get(earlier) ?? ''].filter((text) => text !== ''),
  }
}

/** Returns a request that code has quoted as a whole, without the marks of the quote; any other text as it is. */
function unquote(request: string | undefined): string | undefined {
  return request?.startsWith('>') === true ? request.replace(/^> ?/gm, '') : request
}
