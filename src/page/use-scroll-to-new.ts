import { useEffect, useRef } from 'preact/hooks'

/** Returns the reference of an element that is scrolled into view when there is a new result: it may be below the screen. */
export function useScrollToNew(result: object | undefined) {
  const element = useRef<HTMLDivElement>(null)
  const seen = useRef(result)
  useEffect(() => {
    if (result !== undefined && result !== seen.current) element.current?.scrollIntoView({ block: 'start' })
    seen.current = result
  }, [result])
  return element
}
