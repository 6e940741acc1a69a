/** Scrolls to the entry: it is beside the summary, or below it. */
export function showSource(): void {
  requestAnimationFrame(() =>
    document.querySelector('[role=tabpanel]:not([hidden]) .source')?.scrollIntoView({ block: 'nearest' }),
  )
}
