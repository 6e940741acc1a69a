import { withoutNotYet } from '../../extract/bans.ts'
import { ASKED } from '../../extract/turn-end.ts'
import { isSmallTalk } from '../../extract/user-text.ts'
import { quoteSectionLines } from '../../text/sections.ts'
import { shorten } from '../../text/shorten.ts'
import { GOAL_LABELS } from '../../text/summary-headings.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import type { SessionFacts } from './facts.ts'
import { RANK, type RankedLine } from './ranked-lines.ts'

const MAX_GOAL_CHARACTERS = 1500

interface Beside {
  previous: ParsedSummary | undefined
  /** The demands that the summary states. */
  stated: readonly string[]
}

/**
 * Writes the first request of the session and the newest one, and what an earlier summary has as the goal. In the first one, three dots
 * stand for the demands that are stated elsewhere, and for what was not to be done before the agent had answered.
 */
export function writeGoal(
  { firstRequest, newestRequest, stand, turns }: SessionFacts,
  { previous, stated }: Beside,
): RankedLine[] {
  // Words to go on say nothing of the work: where no summary has a goal, the first request does.
  const hasGoal = previous !== undefined && previous.goal.length > 0
  const first = previous?.firstRequest ?? previous?.newestRequest ?? (hasGoal ? undefined : firstRequest)
  const asked = newestRequest ?? previous?.newestRequest ?? first
  const isGoingOn = asked === undefined || isSmallTalk(asked) || stand.goAhead !== undefined
  const newest = isGoingOn ? (writeAnswered(stand) ?? asked ?? stand.goAhead) : asked
  const { state, note } = turns.find(({ request }) => request !== '')?.standing ?? {}
  const isEnded = previous === undefined && (note === ASKED || state === 'said' || state === 'answered')
  const earlier = shorten((previous?.goal ?? []).join('\n'), MAX_GOAL_CHARACTERS)
  const requests: [label: string, text: string][] = [
    [
      GOAL_LABELS.first,
      first === newest ? '' : withoutStated(isEnded ? withoutNotYet(first ?? '') : (first ?? ''), stated),
    ],
    [GOAL_LABELS.newest, newest ?? ''],
    // A goal in the words of somebody else may be one of long ago.
    [GOAL_LABELS.earlier, earlier],
  ]
  // A pasted plan may have our headings: the next compaction would read them as sections.
  return requests
    .filter(([, text]) => text !== '')
    .map(([label, text]) => ({ text: `${label}\n${quoteSectionLines(text)}\n`, rank: RANK.request }))
}

/**
 * A shorter demand may be a part of another sentence, and says little twice: some clients give back only the beginning of their last
 * summary (OpenHands 1: 497 characters).
 */
const MIN_STATED_CHARACTERS = 40

const withoutStated = (request: string, stated: readonly string[]): string =>
  stated
    .filter((demand) => demand.length >= MIN_STATED_CHARACTERS)
    .reduce((text, demand) => text.replace(demand, () => '…'), request)
    .replace(/…(?:\s{1,9}…){1,20}/g, '…')

/** Returns what the user answered last, since the newest request: it takes its place where that only says to go on. */
const writeAnswered = ({ answer }: SessionFacts['stand']): string | undefined =>
  answer && `${answer.answer}${answer.question === '' ? '' : `\n(The agent had asked: "${answer.question}")`}`
