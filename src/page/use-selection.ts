import { useMemo, useState } from 'preact/hooks'
import { useFactPlace } from './use-fact-place.ts'
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
