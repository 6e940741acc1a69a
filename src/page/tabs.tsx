import type { ComponentChildren } from 'preact'

export interface TabsProps {
  panels: Readonly<Record<string, { name: string; view: () => ComponentChildren }>>
  current: string
  onChange: (tab: string) => void
}

/** Panels of which one is shown. */
export function Tabs({ panels, current, onChange }: TabsProps) {
  return (
    <>
      <TabList panels={panels} current={current} onChange={onChange} />
      {Object.entries(panels).map(([id, { view }]) => (
        <div key={id} role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`} hidden={id !== current}>
          {id === current ? view() : null}
        </div>
      ))}
    </>
  )
}

/** The names of the panels (WAI-ARIA Authoring Practices, "Tabs with automatic activation"). */
function TabList({ panels, current, onChange }: TabsProps) {
  const ids = Object.keys(panels)
  const move = (step: number): void => {
    const next = ids[(ids.indexOf(current) + step + ids.length) % ids.length] ?? current
    onChange(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <div
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
          onClick={() => {
            onChange(id)
          }}
        >
          {panels[id]?.name}
        </button>
      ))}
    </div>
  )
}
