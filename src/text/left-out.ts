/** Returns the line that says how many items of a list had no room: those before the items that are shown, or those after them. */
export const writeLeftOut = (count: number, place: 'older' | 'later' = 'older'): string =>
  `(${count} ${place} items are left out.)`

/** Returns how many items a line says are left out; 0 for any other line. */
export const readLeftOut = (line: string): number => Number(LEFT_OUT.exec(line)?.[1] ?? 0)

const LEFT_OUT = /^\((\d{1,9}) (?:older|later) items are left out\.\)$/
