import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

export interface TabsProps {
  panels: Readonly<Record<string, { name: string; view: () => ComponentChildren }>>
  current: string
  onChange: (tab: string) => void
}

/** Panels of which one is shown. */
export function Tabs({ panels, current, onChange }: TabsProps) {
  const top = useScrollToTop(current)
  // A view that was left stays as it is, for the way back: what is the same vnode is not drawn again.
  const views = useRef<Record<string, ComponentChildren>>({})
  views.current[current] = panels[current]?.view()
  return (
    <>
      <div ref={top} class="panels-top" />
      <TabList panels={panels} current={current} onChange={onChange} />
      {Object.keys(panels).map((id) => (
        <div key={id} role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`} hidden={id !== current}>
          {views.current[id]}
        </div>
      ))}
    </>
  )
}

/**
 * Returns the reference of the place where the panels begin. It is scrolled back into view when another panel is chosen by the tabs
 * that stay on the screen: the new one would be shown from its middle.
 */
function useScrollToTop(current: string) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [top, tabs] = [element.current, element.current?.nextElementSibling]
    if (top && tabs && top.getBoundingClientRect().top < tabs.getBoundingClientRect().top) top.scrollIntoView()
  }, [current])
  return element
}

/** Returns the reference of a list that is scrolled to its current tab, if they do not fit side by side. */
function useTabInView(current: string) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const list = element.current
    const tab = document.getElementById(`tab-${current}`)
    if (list !== null && tab !== null) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2
  }, [current])
  return element
}

/** The names of the panels (WAI-ARIA Authoring Practices, "Tabs with automatic activation"). */
function TabList({ panels, current, onChange }: TabsProps) {
  const ids = Object.keys(panels)
  const list = useTabInView(current)
  const move = (step: number): void => {
    const next = ids[(ids.indexOf(current) + step + ids.length) % ids.length] ?? current
    onChange(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <div
      ref={list}
      class="tabs"
      role="tablist"
      aria-label="Views of the session"
      onKeyDown={({ key }) => {
        if (key === 'ArrowRight') move(1)
        if (key === 'ArrowLeft') move(-1)
      }}
    >
      {ids.map((id) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`tab-${id}`}
          aria-controls={`panel-${id}`}
          aria-selected={id === current}
          tabIndex={id === current ? 0 : -1}
          onClick={() => onChange(id)}
        >
          {panels[id]?.name}
        </button>
      ))}
    </div>
  )
}
