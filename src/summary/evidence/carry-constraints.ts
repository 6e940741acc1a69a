import { findConstraints } from '../../extract/find-constraints.ts'
import { oneLine } from '../../extract/shorten.ts'
import { estimateTextTokens } from '../../plan/estimate-tokens.ts'
import { textOf, type Message } from '../../session/message.ts'
import { mapInSteps, type Steps } from '../../steps.ts'
import { insertInSection } from '../insert-in-section.ts'
import { holdsStatement } from './holds-statement.ts'

const HEADING = '## Constraints & Preferences'

/** Words of a lasting demand; what merely asks for something to be done now is a task. */
const LASTING =
  /\b(?:must|never|always|don't|do not|only|prefer|avoid|without|instead of|not allowed|forbidden|make sure|keep|stay (?:on|with)|no (?:new|more)|niemals|nie|immer|nur|jamais|toujours|nunca|siempre)\b|никогда|всегда|只能|必须|務必|一律|没有例外|别(?!的|人|处)|一直|保持|而不是|请勿|不要|不能|不得|总是|始终|只用|避免|禁止|优先|必ず|しないで|絶対|常に|避け|하지\s*마|반드시|항상|절대/i

const MAX_CHARACTERS = 300

interface Given {
  /** Without tags and evidence. */
  previousSummary?: string | undefined
  /** What stands beside the summary. */
  saidElsewhere?: string | undefined
  /** The messages that were summarized. */
  messages: readonly Message[]
  /** How much may be added. */
  maxTokens: number
}

/**
 * Carries the user's lasting demands over, which a model may forget: those of the previous summary's constraints, and
 * those that the user said in the span, in the user's words. What the new summary still says, in whatever words, is left
 * alone; of the rest the newest are added, as far as there is room. A message a step.
 */
export function* carryConstraints(summary: string, given: Given): Steps<{ summary: string; restored: number }> {
  const demands = yield* mapInSteps(given.messages, demandsOf)
  const wanted = [...constraintsIn(given.previousSummary ?? ''), ...demands.flat()]
  // Elsewhere, such as in a quoted request, a demand lasts until the next compaction.
  const said = [...constraintsIn(summary), ...constraintsIn(given.saidElsewhere ?? '')].join('\n')
  const missing = [...new Set(wanted)].filter((statement) => !holdsStatement(said, statement))
  const chosen: string[] = []
  let left = given.maxTokens
  for (const statement of missing.reverse()) {
    const tokens = estimateTextTokens(`- ${statement}\n`)
    if (tokens > left || holdsStatement(chosen.join('\n'), statement)) continue
    chosen.unshift(statement)
    left -= tokens
  }
  if (chosen.length === 0) return { summary, restored: 0 }
  const lines = chosen.map((statement) => `- ${statement}`)
  return { summary: insertInSection(summary, HEADING, { lines, after: '## Goal' }), restored: chosen.length }
}

/** The list items under the heading, wherever it stands: a split turn's summary may have one of its own. */
function constraintsIn(summary: string): string[] {
  const [, ...sections] = summary.split(new RegExp(`^${HEADING}$`, 'm'))
  return sections.flatMap((section) => {
    const [body = ''] = section.split(/^(?:#{1,2} |---$|<)/m, 1)
    return Array.from(body.matchAll(/^[-*] (?!\(none\))(.+)$/gm), ([, item = '']) => item.trim())
  })
}

const demandsOf = (message: Message): string[] =>
  message.role === 'user'
    ? findConstraints(textOf(message.content))
        .filter((sentence) => LASTING.test(sentence) && sentence.length <= MAX_CHARACTERS)
        .map((sentence) => oneLine(sentence).replace(/^#+ /, ''))
    : []
