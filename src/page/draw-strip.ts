import type { PlannedEntry } from '../schemas/plan.ts'
import { findRuns, kindOf, type EntryKind, type StripLayout } from './strip-layout.ts'

interface StripPicture {
  entries: readonly PlannedEntry[]
  layout: StripLayout
  /** The entries of the fact that was clicked. */
  marked: readonly string[] | undefined
}

/** The share of the height that an entry of a kind has: requests stand out, tool outputs are low. */
const HEIGHTS: Readonly<Record<EntryKind, number>> = { turn: 1, answer: 0.8, output: 0.5, compaction: 1, other: 0.35 }

/** The rows below the bars, in CSS pixels: for errors, and for facts of the summary. */
const ROW_PIXELS = 7

/** Draws a session: bars by region and kind, and marks for compactions, errors and facts of the summary. */
export function drawStrip(canvas: HTMLCanvasElement, { entries, layout, marked }: StripPicture): void {
  const context = canvas.getContext('2d')
  const { clientWidth: width, clientHeight: height } = canvas
  if (context === null || width === 0) return
  const scale = devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  context.scale(scale, scale)
  const styles = getComputedStyle(canvas)
  const colour = (name: string): string => styles.getPropertyValue(`--${name}`)
  const x = (index: number): number => (layout.edges[index] ?? 0) * width
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
    if (kindOf(entry) !== 'compaction') continue
    context.fillStyle = colour('compaction')
    context.fillRect(x(index) - 1.5, 0, 3, height)
    context.fillRect(x(index) - 5, 0, 10, 6)
  }
}
