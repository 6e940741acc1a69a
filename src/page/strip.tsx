import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { PlannedEntry } from '../schemas/plan.ts'
import { drawStrip } from './draw-strip.ts'
import { describeEntry } from './entry-words.ts'
import { entryAt, layOut, type StripLayout } from './strip-layout.ts'

interface StripProps {
  entries: readonly PlannedEntry[]
  selected: number
  onSelect: (index: number) => void
  onHover: (index: number | undefined) => void
  /** The entries of the fact that was clicked. */
  marked: readonly string[] | undefined
}

/** The whole session as a strip: one segment for each entry, as wide as its tokens. */
export function Strip({ entries, selected, onSelect, onHover, marked }: StripProps) {
  const layout = useMemo(() => layOut(entries), [entries])
  const draw = (element: HTMLCanvasElement): void => {
    drawStrip(element, { entries, layout, marked })
  }
  const canvas = useCanvas(draw, [entries, layout, marked])
  return (
    <div
      class="strip"
      role="slider"
      tabIndex={0}
      aria-label="Session, entry by entry"
      aria-valuemin={1}
      aria-valuemax={entries.length}
      aria-valuenow={selected + 1}
      aria-valuetext={describeEntry(entries[selected], selected, entries.length)}
      onKeyDown={(event) => {
        const next = moveBy(event.key, selected, entries.length)
        if (next === undefined) return
        event.preventDefault()
        onSelect(next)
      }}
      onPointerMove={(event) => {
        onHover(entryAt(layout, shareOf(event)))
      }}
      onPointerLeave={() => {
        onHover(undefined)
      }}
      onPointerDown={(event) => {
        onSelect(entryAt(layout, shareOf(event)))
      }}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <Cursor layout={layout} index={selected} />
    </div>
  )
}

/** Returns where a pointer is, as a share of the width. */
function shareOf({ currentTarget, clientX }: PointerEvent): number {
  const { left, width } = (currentTarget as HTMLElement).getBoundingClientRect()
  return (clientX - left) / width
}

function Cursor({ layout: { edges }, index }: { layout: StripLayout; index: number }) {
  const from = 100 * (edges[index] ?? 0)
  const to = 100 * (edges[index + 1] ?? 0)
  return <div class="strip-cursor" style={{ left: `${from}%`, width: `${to - from}%` }} />
}

/** Returns where a key leads in a list; undefined for other keys. */
export function moveBy(key: string, index: number, length: number): number | undefined {
  const page = Math.max(1, Math.round(length / 10))
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowUp: -1,
    ArrowRight: 1,
    ArrowDown: 1,
    PageUp: -page,
    PageDown: page,
    Home: -length,
    End: length,
  }
  const step = steps[key]
  return step === undefined ? undefined : Math.min(length - 1, Math.max(0, index + step))
}

/** Draws a canvas again when its size, the colour scheme or its inputs change. */
function useCanvas(draw: (canvas: HTMLCanvasElement) => void, inputs: readonly unknown[]) {
  const reference = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const canvas = reference.current
    if (canvas === null) return
    const redraw = () => {
      draw(canvas)
    }
    redraw()
    const sizes = new ResizeObserver(redraw)
    sizes.observe(canvas)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', redraw)
    return () => {
      sizes.disconnect()
      scheme.removeEventListener('change', redraw)
    }
  }, inputs)
  return reference
}
