import { useMemo, useState } from 'preact/hooks'
import type { Fact } from '../schemas/provenance.ts'
import { findEntries, originalsFirst } from './find-entries.ts'
import type { FactPlace } from './source.tsx'
import type { OpenedSession } from './use-session.ts'

/** How many places of a fact are listed; the service has the same limit. */
const MAX_PLACES = 20

/** The entry that is selected, the one under the pointer, and the place of the fact that was clicked. */
export function useSelection(entries: OpenedSession['entries'], blob: Blob) {
  const [selected, setSelected] = useState(() =>
    Math.max(
      0,
      entries.findIndex(({ tokens }) => tokens > 0),
    ),
  )
  const [hovered, setHovered] = useState<number>()
  const [place, setPlace] = useState<FactPlace>()
  const indexes = useMemo(() => new Map(entries.map(({ id }, index) => [id, index])), [entries])
  const show = (fact: Fact, at: number, searched?: FactPlace['searched']): void => {
    setPlace({ fact, at, searched })
    const index = indexes.get(fact.entryIds[at] ?? '')
    if (index !== undefined) setSelected(index)
  }
  const onStep = (step: 1 | -1): void => {
    if (place === undefined) return
    const { fact, at, searched } = place
    show(fact, (at + step + fact.entryIds.length) % fact.entryIds.length, searched)
  }
  const onSearch = async (): Promise<void> => {
    if (place === undefined) return
    setPlace({ ...place, searched: 'running' })
    show(await withAllPlaces(place.fact, entries, blob), 0, 'done')
  }
  return {
    selected,
    setSelected,
    setHovered,
    ...{ place, onStep, onSearch, shown: Math.min(hovered ?? selected, entries.length - 1) },
    clearPlace: (): void => {
      setPlace(undefined)
    },
    /** Shows the first entry of a fact; when it is called again, the next one. */
    onFact: (fact: Fact): void => {
      if (place?.fact.text === fact.text) onStep(1)
      else show({ ...fact, entryIds: originalsFirst(fact.entryIds, entries) }, 0)
    },
  }
}

/** Returns a fact with all entries that have it: the service lists only those that it has read. */
async function withAllPlaces(fact: Fact, entries: OpenedSession['entries'], blob: Blob): Promise<Fact> {
  const found = (await findEntries([fact], { entries, blob, limit: MAX_PLACES })).get(fact.text) ?? []
  const entryIds = originalsFirst([...new Set([...found, ...fact.entryIds])], entries)
  return { ...fact, entryIds, count: entryIds.length }
}
