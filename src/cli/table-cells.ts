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

/** Returns the folder of a project, with `~` for the user's home folder. */
export const writeFolder = (project: string | null, home: string): string =>
  project?.startsWith(`${home}/`) === true ? `~${project.slice(home.length)}` : (project ?? '-')
