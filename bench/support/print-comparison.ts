import type { Measured } from './measure-calls.ts'
import { printTable } from './print-table.ts'

/** The approximate price of an output token in input tokens, for models that are used for summaries. */
const OUT_PRICE = 5

/** Prints the figures of the service and of the fold, and their ratios. */
export function printComparison(service: Measured, fold: Measured): void {
  const row = (name: string, one: Measured): string[] => [
    name,
    ...[one.calls, one.seconds, one.inTokens, one.outTokens, costOf(one)].map((value) => String(Math.round(value))),
  ]
  printTable(
    ['way', 'calls', 'seconds', 'tokens in', 'tokens out', `in + ${OUT_PRICE} x out`],
    [row('service, windows side by side', service), row('fold, one after the other', fold)],
  )
  console.log('')
  printRatio('time', service.seconds / fold.seconds)
  printRatio(`token cost, in + ${OUT_PRICE} x out`, costOf(service) / costOf(fold))
  printRatio('tokens in', service.inTokens / fold.inTokens)
  printRatio('tokens out', service.outTokens / fold.outTokens)
}

const costOf = ({ inTokens, outTokens }: Measured): number => inTokens + OUT_PRICE * outTokens

function printRatio(name: string, ratio: number): void {
  console.log(`${name}: ratio ${ratio.toFixed(3)}`)
}
