import { PROBE_KINDS } from './probes.ts'
import type { EvalResult, SystemResult } from './result.ts'

/** One column of the table of systems. */
interface Column {
  title: string
  cell: (system: SystemResult) => string
}

const count = (value: number | null): string => (value === null ? '-' : value.toLocaleString('en'))

/** Returns the points of a system; with several summaries also the lowest and the highest. */
export function writePoints({ points, pointsOfEach }: SystemResult): string {
  if (pointsOfEach.length < 2) return String(points)
  return `${points} (${Math.min(...pointsOfEach)} to ${Math.max(...pointsOfEach)})`
}

/** Returns the columns of the table of systems. */
export function tableColumns({ maxPoints, maxByKind, systems }: EvalResult): Column[] {
  const kinds = PROBE_KINDS.map((kind): Column => ({
    title: `${kind} (${maxByKind[kind]})`,
    cell: ({ byKind }) => String(byKind[kind]),
  }))
  const hasLookUps = systems.some(({ lookUps }) => lookUps !== null)
  const hasPrice = systems.some(({ price }) => price !== null)
  return [
    { title: 'system', cell: ({ name }) => name },
    { title: `points (${maxPoints})`, cell: writePoints },
    ...kinds,
    { title: 'errors', cell: ({ confidentErrors }) => String(confidentErrors) },
    { title: 'summary', cell: ({ summaryTokens }) => count(summaryTokens) },
    ...(hasLookUps
      ? [
          { title: 'look-ups', cell: ({ lookUps }: SystemResult) => count(lookUps) },
          { title: 'their tokens', cell: ({ lookUpTokens }: SystemResult) => count(lookUpTokens) },
        ]
      : []),
    { title: 'tokens in', cell: ({ inputTokens }) => count(inputTokens) },
    { title: 'tokens out', cell: ({ outputTokens }) => count(outputTokens) },
    { title: 'calls', cell: ({ calls }) => count(calls) },
    { title: 'seconds', cell: ({ seconds }) => count(seconds) },
    ...(hasPrice
      ? [{ title: 'price', cell: ({ price }: SystemResult) => (price === null ? '-' : String(price)) }]
      : []),
  ]
}

/** Returns the table of systems as text with aligned columns. */
export function writeTable(result: EvalResult): string {
  const columns = tableColumns(result)
  const rows = [columns.map(({ title }) => title), ...result.systems.map((one) => columns.map(({ cell }) => cell(one)))]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const pad = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}
