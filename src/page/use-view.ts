import { useEffect, useRef, useState } from 'preact/hooks'

/** The tab “Compact”, with the editor of the summary open. */
export const EDITOR = 'correct'

/** What the page shows. */
export interface ShownView {
  /** The tab of the session that is shown, or `EDITOR`; undefined for the start of the page. */
  tab?: string
  /** The tab from which a text was looked up. */
  from?: string
}

/** A view in the history of the browser, and how far it is scrolled. */
type Visit = ShownView & { top?: number }

/** Returns the view, and a function that leads to another one. The way back is that of the browser: nothing is lost on it. */
export function useView() {
  const [view, setView] = useState<ShownView>({})
  const left = useRef<Element>(null)
  useEffect(() => {
    history.scrollRestoration = 'manual'
    const onBack = ({ state }: PopStateEvent): void => {
      const { top = 0, ...next } = (state ?? {}) as Visit
      setView(next)
      requestAnimationFrame(() => {
        scrollTo(0, top)
        if (left.current instanceof HTMLElement) left.current.focus({ preventScroll: true })
      })
    }
    addEventListener('popstate', onBack)
    return () => removeEventListener('popstate', onBack)
  }, [])
  const go = (next: ShownView): void => {
    left.current = document.activeElement
    history.replaceState({ ...view, top: scrollY }, '')
    history.pushState(next, '')
    setView(next)
  }
  return { view, go }
}
