import type { Message } from '../session/message.ts'
import { isGoOn } from './go-on.ts'
import { areAllIn, stemsOf } from './same-words.ts'
import { findNextSteps } from './statements.ts'
import { spokenText } from './user-text.ts'
import { CLAUSE, isDistinctive, PREPOSITION, rootsOf } from './work-claims.ts'
import { openItem, type WorkItem } from './work-item.ts'
import type { WorkTurn } from './work-turns.ts'

/** Steps that an earlier summary or an agent names. */

export interface EarlierStep {
  text: string
  /** All that the summary says of it, if that is more. */
  whole?: string
  /** Whether it is a request that goes on, and not a plan. */
  isRequest?: boolean
  /** Whether it was not confirmed then already. */
  isOlder: boolean
  /** Whether the summary says that it is done. */
  isDone?: boolean
  /** Whether it is a part of the newest request of the summary. */
  isPart?: boolean
}

const MAX_STEPS = 60

/** Returns the steps of an earlier summary, and those of the newest text of the agent that lists some. */
export function readSteps(messages: readonly Message[], earlier: readonly EarlierStep[]): WorkItem[] {
  const items = earlier.slice(-MAX_STEPS).map(earlierItem)
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    const steps = message?.role === 'assistant' ? findNextSteps(spokenText(message)) : []
    if (steps.length > 0) return [...items, ...steps.slice(-MAX_STEPS).map((step) => openItem('step', step, at))]
  }
  return items
}

const earlierItem = ({ text, isOlder, isDone, isRequest, isPart }: EarlierStep): WorkItem => ({
  ...openItem('step', text, -1),
  isOlder,
  ...(isDone === true ? { state: 'said' } : {}),
  ...(isRequest === true ? { isRequest } : {}),
  ...(isPart === true ? { isPart } : {}),
})

/** A step or a task, and the words that say what it is about. */
interface Named {
  item: WorkItem
  roots: ReadonlySet<string>
}

/** A list that has fewer of the steps is about other work. */
const MIN_RESTATED = 2

/**
 * Sets the states of steps of an earlier summary by the tasks that say the same in other words: an agent that goes on after a compaction
 * writes its plan anew. In doubt, a step stays as it was.
 * @param turns a list that is made after the first one is about another request, and so is one with the words of its request
 */
export function restateSteps(
  steps: readonly WorkItem[],
  tasks: readonly WorkItem[],
  [first, next]: readonly WorkTurn[],
): void {
  const { request = '' } = first ?? {}
  const asked = isGoOn(request) ? undefined : rootsOf(request)
  const isNew = ({ roots }: Named): boolean =>
    asked !== undefined && asked.size > 0 && (roots.size < 2 || areAllIn(roots, asked))
  const earlier = steps
    .filter(({ at, isRequest, isPart }) => at < 0 && isRequest !== true && isPart !== true)
    .map(named)
  const lists = new Map<string, Named[]>()
  for (const task of earlier.length === 0 ? [] : tasks)
    if (task.at >= 0 && task.at < (next?.at ?? Infinity))
      lists.set(task.source ?? '', [...(lists.get(task.source ?? '') ?? []), named(task)])
  for (const list of lists.values()) {
    const found = list
      .map((task) => ({ task, same: isNew(task) ? [] : sameAs(task, earlier) }))
      .filter(({ same }) => same.length > 0)
    if (found.length < MIN_RESTATED || found.length * 2 < list.length) continue
    for (const step of earlier) {
      const own = found.flatMap(({ task, same }) => (same.includes(step) ? [task] : []))
      if (own.length > 0 && step.item.state === 'open' && hasNoMore(step.item.text, own)) follow(step.item, own)
    }
  }
}

const named = (item: WorkItem): Named => ({ item, roots: rootsOf(item.text) })

/** Returns the steps that have all words of a task, or only such: several only if each says more of the same than the one before. */
function sameAs({ roots }: Named, steps: readonly Named[]): Named[] {
  if (roots.size === 0) return []
  const same = steps.filter(
    (step) => areAllIn(roots, step.roots) || (step.roots.size > 1 && areAllIn(step.roots, roots)),
  )
  const bySize = same.toSorted((a, b) => a.roots.size - b.roots.size)
  return bySize.slice(1).every((step, at) => areAllIn(bySize[at]?.roots ?? roots, step.roots)) ? same : []
}

/** Words by which a step asks for more than a task, for another one, or waits for something. */
const MORE =
  /(?<![\p{L}])(?:versions?|editions?|then|or|plus|also|incl\p{L}*|both|all|every|later|prod\p{L}*|staging|live|tests?|docs|after|once|when|until|unless|if|dann|oder|auch|alle|nach|wenn|sobald|puis|aussi|tous|toutes|après|quand|si|también|todos|todas|después|cuando|hasta)(?![\p{L}])|&/iu

/** Whether each clause of a step is about tasks, names something in code, or says when or how. */
function hasNoMore(step: string, tasks: readonly Named[]): boolean {
  const words = new Set(tasks.flatMap(({ roots }) => [...roots]))
  const isOf = (text: string): boolean => [...rootsOf(text)].some((root) => words.has(root))
  const others = step.split(/\s+/).filter((word) => !isOf(word))
  return (
    !MORE.test(others.join(' ')) &&
    step
      .split(CLAUSE)
      .every(
        (clause) =>
          isOf(clause) ||
          /^\s*(?:\d|(?:not|without|nicht|ohne|pas|sans|no|sin)\s)/i.test(clause) ||
          ` ${clause.trim()}`.search(PREPOSITION) === 0 ||
          [...stemsOf(clause)].every(isDistinctive),
      )
  )
}

/** Sets the state of a step by its tasks: it is done when all of them are. */
function follow(step: WorkItem, tasks: readonly Named[]): void {
  const states = new Set(tasks.map(({ item }) => item.state))
  const state = (['open', 'replaced', 'said', 'done'] as const).find((one) => states.has(one))
  if (state === undefined || states.has('unknown') || (state === 'replaced' && states.size > 1)) return
  const provenAt = Math.max(...tasks.map(({ item }) => item.provenAt ?? -1))
  Object.assign(step, { state, isInList: true, ...(state !== 'open' && { provenAt }) })
}
