const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const

/** Returns a time span in words of a table: `now`, `3 min`, `2 h`, `5 d`. */
export function writeAge(ms: number): string {
  const [size, unit] = UNITS.find(([size]) => ms >= size) ?? [1, '']
  return unit === '' ? 'now' : `${Math.floor(ms / size)} ${unit}`
}

/** Returns the rows of a table as lines. @param right the columns with numbers */
export function alignColumns(rows: readonly (readonly string[])[], right: readonly number[], gap = '  '): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const align = (cell: string, column: number): string =>
    right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return rows.map((row) => row.map(align).join(gap).trimEnd())
}

/** Returns the folder of a project, with `~` for the user's home folder. */
export const writeFolder = (project: string | null, home: string): string =>
  project?.startsWith(`${home}/`) === true ? `~${project.slice(home.length)}` : (project ?? '-')
