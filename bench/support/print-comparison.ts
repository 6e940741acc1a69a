import type { Measured } from './measure-calls.ts'
import { printTable } from './print-table.ts'

/** What an output token costs in input tokens, about, with the models that summaries are made with. */
const OUT_PRICE = 5

/** The most that the service may take of what the fold takes. */
const TIME_GOAL = 0.35
const COST_GOAL = 1.05

/** Prints what the service and the fold took, and the ratios with their goals. */
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
  printRatio('time', service.seconds / fold.seconds, TIME_GOAL)
  printRatio(`token cost, in + ${OUT_PRICE} x out`, costOf(service) / costOf(fold), COST_GOAL)
  printRatio('tokens in', service.inTokens / fold.inTokens)
  printRatio('tokens out', service.outTokens / fold.outTokens)
}

const costOf = ({ inTokens, outTokens }: Measured): number => inTokens + OUT_PRICE * outTokens

function printRatio(name: string, ratio: number, goal?: number): void {
  const verdict = goal === undefined ? '' : `, goal at most ${goal}: ${ratio <= goal ? 'met' : 'MISSED'}`
  console.log(`${name}: ratio ${ratio.toFixed(3)}${verdict}`)
}
