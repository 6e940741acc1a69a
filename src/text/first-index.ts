/** Returns the first index for which a condition does not hold, and the length if it holds for all: it holds for all before it. */
export function firstIndex(length: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
