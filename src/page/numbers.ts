const NUMBERS = new Intl.NumberFormat('en')

/** Returns a number with separators: `41,875`. */
export const count = (value: number): string => NUMBERS.format(value)

/** Returns a number with its noun: `1 entry`, `3 entries`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

export const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((100 * part) / whole))
