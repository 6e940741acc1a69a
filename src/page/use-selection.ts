import { useMemo, useState } from 'preact/hooks'
import type { Fact } from '../schemas/provenance.ts'
import type { FactPlace } from './source.tsx'
import type { OpenSession } from './use-session.ts'

/** The entry that is selected, the one under the pointer, and the place of the fact that was clicked. */
export function useSelection(entries: OpenSession['entries']) {
  const [selected, setSelected] = useState(() =>
    Math.max(
      0,
      entries.findIndex(({ tokens }) => tokens > 0),
    ),
  )
  const [hovered, setHovered] = useState<number>()
  const [place, setPlace] = useState<FactPlace>()
  const indexes = useMemo(() => new Map(entries.map(({ id }, index) => [id, index])), [entries])
  const show = (fact: Fact, at: number): void => {
    setPlace({ fact, at })
    const index = indexes.get(fact.entryIds[at] ?? '')
    if (index !== undefined) setSelected(index)
  }
  const onStep = (step: 1 | -1): void => {
    if (place === undefined) return
    const { fact, at } = place
    show(fact, (at + step + fact.entryIds.length) % fact.entryIds.length)
  }
  return {
    selected,
    setSelected,
    setHovered,
    shown: Math.min(hovered ?? selected, entries.length - 1),
    place,
    onStep,
    clearPlace: (): void => {
      setPlace(undefined)
    },
    /** Shows the first entry of a fact; when it is called again, the next one. */
    onFact: (fact: Fact): void => {
      if (place?.fact.text === fact.text) onStep(1)
      else show(fact, 0)
    },
  }
}
