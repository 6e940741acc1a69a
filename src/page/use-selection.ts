import { useMemo, useState } from 'preact/hooks'
import type { Fact } from '../schemas/provenance.ts'
import { phraseOf } from './find-passage.ts'
import { sendLookup } from './look-up.ts'
import { entryOf } from './passage-words.ts'
import type { FactPlace } from './source.tsx'
import { kindOf } from './strip-layout.ts'
import { useRunning } from './use-running.ts'
import type { OpenedSession } from './use-session.ts'

/** The entry that is selected, the one under the pointer, and the place of the fact that was clicked. */
export function useSelection(session: OpenedSession, onProblem: (problem: unknown) => void) {
  const { entries } = session
  const [selected, setSelected] = useState(() =>
    Math.max(
      0,
      entries.findIndex(({ tokens }) => tokens > 0),
    ),
  )
  const [hovered, setHovered] = useState<number>()
  const places = useMemo(() => new Map(entries.map(({ id }, index) => [id, index])), [entries])
  const onEntry = (id: string): void => {
    const index = places.get(id)
    if (index !== undefined) setSelected(index)
  }
  return {
    ...{ selected, setSelected, setHovered, places, onEntry },
    shown: Math.min(hovered ?? selected, entries.length - 1),
    ...useFactPlace(session, { onEntry, onProblem }),
  }
}

/** How many places of a fact are listed; the service has the same limit. */
const MAX_PLACES = 20

interface Listeners {
  /** Selects the entry of the place. */
  onEntry: (id: string) => void
  onProblem: (problem: unknown) => void
}

/** The place of the fact that was clicked, and what leads to another one. */
function useFactPlace(session: OpenedSession, { onEntry, onProblem }: Listeners) {
  const [place, setPlace] = useState<FactPlace>()
  const { start, stop } = useRunning(onProblem)
  const clearPlace = (): void => {
    stop()
    setPlace(undefined)
  }
  const show = (fact: Fact, at: number): void => {
    setPlace({ fact, at })
    onEntry(fact.entryIds[at] ?? '')
  }
  const onStep = (step: 1 | -1): void => {
    if (place === undefined) return
    const { fact, at } = place
    show(fact, (at + step + fact.entryIds.length) % fact.entryIds.length)
  }
  const search = async (fact: Fact): Promise<void> => {
    const signal = start()
    setPlace({ fact, at: 0, isSearching: true })
    try {
      const entryIds = originalsFirst(await lookUpFact(fact, session, signal), session.entries)
      if (!signal.aborted) show({ ...fact, entryIds, count: entryIds.length }, 0)
    } catch (error) {
      if (signal.aborted) return
      clearPlace()
      onProblem(error)
    }
  }
  return {
    ...{ place, clearPlace, onStep },
    /** Shows the first entry of a fact, which is searched for if it is not known; when it is called again, the next one. */
    onFact: (fact: Fact): void => {
      if (place !== undefined && isShown(fact, place.fact)) onStep(1)
      else if (fact.entryIds.length === 0) void search(fact)
      else show({ ...fact, entryIds: originalsFirst(fact.entryIds, session.entries) }, 0)
    },
  }
}

/** Whether a fact is the one that is shown, with the same entries: an item of work has one that shows its state, too. */
const isShown = ({ text, entryIds }: Fact, shown: Fact): boolean =>
  text === shown.text && shown.entryIds.length > 0 && entryIds.every((id) => shown.entryIds.includes(id))

/** Returns the entries that a fact comes from: entries of the session first, summaries of earlier compactions last. */
function originalsFirst(ids: readonly string[], entries: OpenedSession['entries']): string[] {
  const earlier = new Set(entries.filter((entry) => kindOf(entry) === 'compaction').map(({ id }) => id))
  return [...ids.filter((id) => !earlier.has(id)), ...ids.filter((id) => earlier.has(id))]
}

/** Returns the entries whose passages have a fact word for word, in the order of the session. */
async function lookUpFact({ text }: Fact, session: OpenedSession, signal: AbortSignal): Promise<string[]> {
  const fields = { text: phraseOf(text), kind: undefined, scope: 'all' as const, offset: 0, signal }
  const { passages } = await sendLookup(session, fields)
  const found = new Set(passages.flatMap((passage) => [entryOf(passage, fields.text), ...(passage.copies ?? [])]))
  const ids = session.entries.map(({ id }) => id)
  return ids.filter((id) => found.has(id)).slice(0, MAX_PLACES)
}
