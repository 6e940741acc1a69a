/** Scrolls to the entry: it is beside the summary. */
export function showSource(): void {
  requestAnimationFrame(() => document.getElementById('source')?.scrollIntoView({ block: 'nearest' }))
}
