import { PROBE_KINDS, type ProbeKind } from './probes.ts'
import { tableColumns, writePoints } from './report-text.ts'
import type { EvalResult, ProbeResult, SystemResult } from './result.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Returns text that HTML shows as it is, also in an attribute. */
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** Returns the report of an evaluation: one HTML file without scripts, for light and dark screens. */
export function writeHtml(result: EvalResult): string {
  const { session, cut, judge, maxPoints } = result
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evaluation of summaries: ${escape(session)}</title>
<style>${STYLE}</style>
<main>
<h1>Evaluation of summaries</h1>
<p>Session <code>${escape(session)}</code>, cut before the entry <code>${escape(cut)}</code>. ${result.probes.length} probes,
graded by ${escape(judge)}; at most ${maxPoints} points.</p>
${drawChart(result)}
${writeSystems(result)}
<p>Tokens, calls, seconds and price are for one summary. Differences of a few points can be chance: see
<code>docs/evaluation.md</code>, "Limits".</p>
<h2>Probes</h2>
${result.probes.map(writeProbe).join('\n')}
</main>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --back: #fff; --line: #d0d7de; --faint: #59636e;
  --recall: #4269d0; --artifact: #c98500; --continuation: #c8473f; --decision: #2f8f86; --trap: #7a6f9b; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --back: #0d1117; --line: #3d444d; --faint: #9198a1;
  --recall: #7d9cf0; --artifact: #efb118; --continuation: #ff8a80; --decision: #6cc5b0; --trap: #b5a9d8; } }
body { margin: 0; color: var(--text); background: var(--back); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 70rem; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
.scroll { overflow-x: auto; } .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
svg { width: 100%; height: auto; } svg text { fill: var(--text); font: 14px system-ui, sans-serif; }
details { border-bottom: 1px solid var(--line); padding: .4rem 0; } summary { cursor: pointer; }
.faint { color: var(--faint); } .wrong { color: var(--continuation); font-weight: bold; }
`

const WIDTH = 960
const NAME_WIDTH = 260
const POINTS_WIDTH = 120
const ROW = 34
const LEGEND = 30

/** Draws one bar for each system; its parts are the points of each kind. */
function drawChart({ systems, maxPoints }: EvalResult): string {
  const scale = (WIDTH - NAME_WIDTH - POINTS_WIDTH) / Math.max(1, maxPoints)
  const height = LEGEND + systems.length * ROW
  const summary = systems.map((system) => `${system.name}: ${system.points} of ${maxPoints}`).join('; ')
  const legend = PROBE_KINDS.map((kind, index) => {
    const x = NAME_WIDTH + index * 120
    return `${drawBox({ x, y: 4, width: 12, kind })}<text x="${x + 18}" y="15">${kind}</text>`
  })
  const rows = systems.map((system, index) => drawRow(system, { y: LEGEND + index * ROW, scale }))
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(`Points by system. ${summary}`)}">
${[...legend, ...rows].join('\n')}
</svg>`
}

function drawRow(system: SystemResult, { y, scale }: { y: number; scale: number }): string {
  let x = NAME_WIDTH
  const parts = PROBE_KINDS.map((kind) => {
    // Kinds with less than no points have no width.
    const width = Math.max(0, system.byKind[kind]) * scale
    const box = drawBox({ x, y: y + 4, width, kind, title: `${kind}: ${system.byKind[kind]}` })
    x += width
    return box
  })
  const name = system.name.length > 34 ? `${system.name.slice(0, 33)}…` : system.name
  const label = `<text x="${NAME_WIDTH - 10}" y="${y + 21}" text-anchor="end">${escape(name)}</text>`
  return `${label}${parts.join('')}<text x="${(x + 8).toFixed(1)}" y="${y + 21}">${writePoints(system)}</text>`
}

interface Box {
  x: number
  y: number
  width: number
  kind: ProbeKind
  title?: string
}

function drawBox({ x, y, width, kind, title }: Box): string {
  const height = title === undefined ? 12 : ROW - 8
  const position = `x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${height}"`
  return `<rect ${position} fill="var(--${kind})">${title === undefined ? '' : `<title>${title}</title>`}</rect>`
}

function writeSystems(result: EvalResult): string {
  const columns = tableColumns(result)
  const classOf = (index: number): string => (index === 0 ? '' : ' class="number"')
  const head = columns.map(({ title }, index) => `<th${classOf(index)}>${escape(title)}</th>`).join('')
  const rows = result.systems.map(
    (system) =>
      `<tr>${columns.map(({ cell }, index) => `<td${classOf(index)}>${escape(cell(system))}</td>`).join('')}</tr>`,
  )
  return `<div class="scroll"><table><tr>${head}</tr>\n${rows.join('\n')}</table></div>`
}

function writeProbe({ id, kind, question, key, entries, quote, answers, reason }: ProbeResult): string {
  const rows = answers.map(
    ({ system, letter, grade, isGuess, text }) =>
      `<tr><td>${escape(system)} <span class="faint">${letter}</span></td>` +
      `<td class="number${grade < 0 ? ' wrong' : ''}">${grade}</td>` +
      `<td>${isGuess ? '<span class="faint">(guess)</span> ' : ''}${escape(text)}</td></tr>`,
  )
  const proof = [entries.join(', '), quote].filter(Boolean).map(escape).join(': ')
  return `<details><summary>${escape(id)} <span class="faint">${kind}, ${answers.map(({ grade }) => grade).join(' ')}</span>
${escape(question)}</summary>
<p>Key: ${escape(key)}</p><p class="faint">Proof: ${proof === '' ? 'none' : proof}</p>
<table>${rows.join('\n')}</table><p class="faint">The judge: ${escape(reason)}</p></details>`
}
