import { CLASSES, LAST_RUNNING } from '../../src/tokens/estimate-tokens.ts'
import { isRun, type PairCounts } from './count-pairs.ts'

/** Rarer pairs are estimated from similar ones. */
const TRUST = 20

/**
 * Returns the tokens per pair. The rarer a pair is, the more its value follows all pairs of the same kinds of
 * characters.
 */
export function smoothCounts({ pairs, tokens }: PairCounts): Float64Array {
  const kinds = Array.from({ length: CLASSES }, (_, one) => kindOf(one))
  const alike = new Map<string, { pairs: number; tokens: number }>()
  const alikeOf = (index: number): { pairs: number; tokens: number } => {
    const name = `${kinds[Math.floor(index / CLASSES)] ?? ''} ${kinds[index % CLASSES] ?? ''}`
    const found = alike.get(name) ?? { pairs: 0, tokens: 0 }
    alike.set(name, found)
    return found
  }
  for (const [index, count] of pairs.entries()) {
    const group = alikeOf(index)
    group.pairs += count
    group.tokens += tokens[index] ?? 0
  }
  return pairs.map((count, index) => {
    if (isRun(index % CLASSES)) return 0
    const group = alikeOf(index)
    const usual = (group.tokens + 0.5) / (group.pairs + 1)
    return ((tokens[index] ?? 0) + TRUST * usual) / (count + TRUST)
  })
}

function kindOf(one: number): string {
  if (isRun(one)) return 'run'
  if (one >= 0x80) return 'script'
  const character = String.fromCharCode(one)
  if (one <= LAST_RUNNING) return 'space'
  return /[a-z]/.test(character)
    ? 'small'
    : /[A-Z]/.test(character)
      ? 'capital'
      : /\d/.test(character)
        ? 'digit'
        : 'mark'
}
