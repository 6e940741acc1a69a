import { comparable, hasStart } from '../text/name-boundary.ts'
import { REPLACED } from './strip-layout.ts'
import type { Compaction } from './use-compactions.ts'

/** A fact that is not in the summary. */
export interface Lost {
  text: string
  entryId?: string | undefined
}

/** Facts of one kind that code looks for, and those of them that are lost. */
export interface LossGroup {
  /** The id of the element in the page. */
  id: string
  name: string
  total: number
  lost: readonly Lost[]
}

/** Returns what code found in the replaced entries, and what of it the summary does not have. */
export function findLosses({ reply: { summary, details }, entries }: Compaction): LossGroup[] {
  const text = comparable(summary)
  const subjects = commitSubjects(text)
  const isLost = (one: Lost): boolean =>
    !subjects.some((subject) => comparable(one.text).includes(subject)) && !hasStart(text, one.text)
  const requests = entries.filter(
    (entry) => REPLACED.includes(entry.region) && entry.role === 'user' && entry.startsTurn === true,
  )
  const groups: readonly (readonly [name: string, all: readonly Lost[]])[] = [
    [
      'Requests',
      requests.flatMap((entry) => (entry.text === undefined ? [] : { text: entry.text, entryId: entry.id })),
    ],
    ['Decisions', details.keyDecisions ?? []],
    ['Commands', details.commands?.map(({ command }) => ({ text: command })) ?? []],
    ['Errors', details.errors?.map((error) => ({ text: error })) ?? []],
  ]
  return groups.map(([name, all]) => {
    const once = [...new Map(all.map((one) => [one.text, one])).values()]
    return { id: `lost-${name.toLowerCase()}`, name, total: once.length, lost: once.filter(isLost) }
  })
}

/** Returns the subjects of the commits that a summary has in its short form (`extract/command-results.ts`): a command may do more. */
const commitSubjects = (text: string): string[] =>
  [...text.matchAll(/`git commit … ([^`]+)`/g)].flatMap(([, subject = '']) => subject.split('…')[0]?.trim() || [])
