import { useEffect, useState } from 'preact/hooks'

/** Wider than a phone; style.css has the same width. */
const WIDE = '(min-width: 40rem)'

/** Returns whether the window is wider than a phone's, also after it has changed. */
export function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches)
  useEffect(() => {
    const query = matchMedia(WIDE)
    const update = (): void => setWide(query.matches)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [])
  return isWide
}
