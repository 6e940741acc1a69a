import { outputOf, type ToolRun } from '../extract/runs.ts'
import type { RecalledPassage } from '../recall/passage.ts'
import type { SearchedEntries } from '../use-cases/recall/searched.ts'
import { ASKED_BACK, QUOTED_NOTE } from './quote.ts'
import { TOOLS } from './tools.ts'

/** Returns the passages of a session without our own calls: each look-up would find those before it. */
export function withoutOwnCalls({ entries, runs, passages }: SearchedEntries): RecalledPassage[] {
  const own = new Set<number>()
  for (const [place, { message }] of entries.entries()) {
    const run = message?.role === 'toolResult' ? runs.get(message) : undefined
    if (run !== undefined && isOwn(run)) own.add(place)
  }
  return passages.filter(({ tool, places }) => {
    if (tool === undefined) return true
    // A call without a result is the one that is being answered.
    return !(places.some((place) => own.has(place)) || isOwnName(tool) || (places.length === 1 && isName(tool)))
  })
}

/** Whether the result of a call is an answer of ours: it may be that of a tool through which an agent calls others. */
const isOwn = (run: ToolRun): boolean => [QUOTED_NOTE, ASKED_BACK].some((words) => outputOf(run).includes(words))

/** Whether a tool has one of our names, with that of the server before it: other servers may have a tool `recall` too. */
const isOwnName = (tool: string): boolean => tool.includes('precis') && isName(tool)

const isName = (tool: string): boolean => Object.keys(TOOLS).some((name) => tool.endsWith(name))
