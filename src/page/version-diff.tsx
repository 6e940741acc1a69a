import { useEffect, useState } from 'preact/hooks'
import type { DiffView, DiffViewProps } from './diff-view.tsx'

/** The changes between two versions of a summary. What compares them is loaded when it is needed first. */
export function VersionDiff(props: DiffViewProps) {
  const [View, setView] = useState<typeof DiffView>()
  useEffect(() => {
    void import('./diff-view.tsx').then(({ DiffView: loaded }) => {
      setView(() => loaded)
    })
  }, [])
  return View === undefined ? null : <View {...props} />
}
