import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { SessionEntry } from './strip-layout.ts'
import { describeEntry } from './entry-words.ts'
import { entryAt, layOut, type StripEdges, findRuns, isCompacted, type EntryKind } from './strip-layout.ts'

interface StripProps {
  entries: readonly SessionEntry[]
  selected: number
  onSelect: (index: number) => void
  onHover: (index: number | undefined) => void
  /** The entries of the fact that was clicked. */
  marked: readonly string[] | undefined
}

/** The whole session as a strip: one segment for each entry, as wide as its tokens. */
export function Strip({ entries, selected, onSelect, onHover, marked }: StripProps) {
  const edges = useMemo(() => layOut(entries), [entries])
  const draw = (element: HTMLCanvasElement): void => drawStrip(element, { entries, edges, marked })
  const canvas = useCanvas(draw, [entries, edges, marked])
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
      onPointerMove={(event) => onHover(entryAt(edges, shareOf(event)))}
      onPointerLeave={() => onHover(undefined)}
      onPointerDown={(event) => onSelect(entryAt(edges, shareOf(event)))}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <Cursor edges={edges} index={selected} />
    </div>
  )
}

function shareOf({ currentTarget, clientX }: PointerEvent): number {
  const { left, width } = (currentTarget as HTMLElement).getBoundingClientRect()
  return (clientX - left) / width
}

function Cursor({ edges, index }: { edges: StripEdges; index: number }) {
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
    const redraw = () => draw(canvas)
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

interface StripPicture {
  entries: readonly SessionEntry[]
  edges: StripEdges
  /** The entries of the fact that was clicked. */
  marked: readonly string[] | undefined
}

/** The share of the height that an entry of a kind has: requests stand out, tool outputs are low. */
const HEIGHTS: Readonly<Record<EntryKind, number>> = { turn: 1, answer: 0.8, output: 0.5, compaction: 1, other: 0.35 }

/** The rows below the bars, in CSS pixels: for errors, and for facts of the summary. */
const ROW_PIXELS = 7

/** Draws a session: bars by region and kind, and marks for compactions, errors and facts of the summary. */
function drawStrip(canvas: HTMLCanvasElement, { entries, edges, marked }: StripPicture): void {
  const context = canvas.getContext('2d')
  const { clientWidth: width, clientHeight: height } = canvas
  if (context === null || width === 0) return
  const scale = devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  context.scale(scale, scale)
  const styles = getComputedStyle(canvas)
  const colour = (name: string): string => styles.getPropertyValue(`--${name}`)
  const x = (index: number): number => (edges[index] ?? 0) * width
  const rows = marked === undefined ? 1 : 2
  const facts = new Set(marked)
  const bars = height - rows * (ROW_PIXELS + 2)
  for (const { from, to, region, kind } of findRuns(entries)) {
    context.fillStyle = colour(`region-${region}`)
    const tall = bars * HEIGHTS[kind]
    // A gap between wide neighbours: each entry can be seen.
    const wide = x(to) - x(from)
    context.fillRect(x(from), bars - tall, wide > 3 ? wide - 1 : Math.max(wide, 0.5), tall)
  }
  const mark = (index: number, row: number, name: string): void => {
    context.fillStyle = colour(name)
    context.fillRect(x(index), bars + 2 + row * (ROW_PIXELS + 2), Math.max(2, x(index + 1) - x(index) - 1), ROW_PIXELS)
  }
  for (const [index, entry] of entries.entries()) {
    if (entry.isError === true) mark(index, 0, 'error')
    if (facts.has(entry.id)) mark(index, 1, 'fact')
    if (!isCompacted(entry)) continue
    const at = x(entry.encryptedCompaction === 'next' ? index + 1 : index)
    context.fillStyle = colour('compaction')
    context.fillRect(at - 1.5, 0, 3, height)
    if (entry.region !== 'summary') context.fillRect(at - 5, 0, 10, 6)
  }
}
