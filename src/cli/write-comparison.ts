import type { ComparisonReply } from '../client/client.ts'
import { withoutControls } from '../text/controls.ts'
import { FACT_NAMES, groupFacts, writersOf } from '../text/comparison-words.ts'
import { count } from '../text/numbers.ts'
import { shorten } from '../text/shorten.ts'
import { alignColumns } from './table-cells.ts'
import type { Terminal } from './terminal.ts'

type Fact = ComparisonReply['facts'][number]

/** Returns the sizes of both summaries, and how many facts of each kind they have, as a table. */
export function writeCountTable(reply: ComparisonReply, { paint }: Pick<Terminal, 'paint'>): string {
  const writers = writersOf(reply)
  const rows = [
    ['', writers.agent, writers.precis],
    ['tokens', count(reply.agent.tokens), count(reply.precis.tokens)],
    ...reply.counts.map(({ kind, total, inAgent, inPrecis }) => [
      FACT_NAMES[kind],
      `${count(inAgent)} of ${count(total)}`,
      `${count(inPrecis)} of ${count(total)}`,
    ]),
    ['not in what it replaces', count(reply.agent.unknown.length), count(reply.precis.unknown.length)],
  ]
  const lines = alignColumns(
    rows.map((row) => row.map(withoutControls)),
    [1, 2],
    '   ',
  )
  return lines.map((line, at) => `${at === 0 ? paint('bold', line) : line}\n`).join('')
}

/** So many facts of a list are shown, unless all are asked for. */
const SHOWN = 10
const FACT_CHARACTERS = 100

/** Returns the facts that only one summary has, those that none has, each with its entry, and those that no entry has. */
export function writeFacts(reply: ComparisonReply, isWhole: boolean, { paint }: Pick<Terminal, 'paint'>): string {
  const writers = writersOf(reply)
  const known = groupFacts(reply.facts, writers).map(({ title, facts }) => ({
    title,
    lines: facts.map((fact) => writeFact(fact, isWhole)),
  }))
  // The writer has made them up, or has them from elsewhere.
  const unknown = (['agent', 'precis'] as const).map((side) => ({
    title: `${writers[side]} has, but what it replaces does not`,
    lines: reply[side].unknown.map((fact) => writeText(fact, isWhole)),
  }))
  return [...known, ...unknown]
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => {
      const shown = isWhole ? lines : lines.slice(0, SHOWN)
      const rest = lines.length - shown.length
      const all = [...shown.map((line) => `  ${line}`), ...(rest > 0 ? [`  and ${count(rest)} more (--all)`] : [])]
      return `\n${paint('bold', withoutControls(`${title} (${count(lines.length)}):`))}\n${all.join('\n')}\n`
    })
    .join('')
}

/** The longest name of a kind. */
const NAME_WIDTH = Math.max(...Object.keys(FACT_NAMES).map(({ length }) => length))

const writeText = (text: string, isWhole: boolean): string =>
  withoutControls(isWhole ? text : shorten(text, FACT_CHARACTERS))

function writeFact({ kind, text, entryIds }: Fact, isWhole: boolean): string {
  const [id] = entryIds
  return `${kind.padEnd(NAME_WIDTH)}  ${writeText(text, isWhole)}${id === undefined ? '' : `  [${withoutControls(id)}]`}`
}

/** Returns both summaries, beside each other if the screen has room for two columns. */
export function writeSummaries(reply: ComparisonReply, columns: number | undefined): string {
  const { agent, precis } = writersOf(reply)
  const [left, right] = [reply.agent.summary, reply.precis.summary].map(withoutControls)
  const width = Math.floor(((columns ?? 0) - SEPARATOR.length) / 2)
  if (width < LEAST_WIDTH) return `\n${agent}:\n\n${left}\n\n${precis}:\n\n${right}\n`
  const [first, second] = [`${agent}:\n\n${left}`, `${precis}:\n\n${right}`].map((text) => wrap(text, width))
  const lines = Array.from({ length: Math.max(first?.length ?? 0, second?.length ?? 0) }, (_, at) =>
    `${(first?.[at] ?? '').padEnd(width)}${SEPARATOR}${second?.[at] ?? ''}`.trimEnd(),
  )
  return `\n${lines.join('\n')}\n`
}

const SEPARATOR = ' │ '
const LEAST_WIDTH = 40

/** Returns the lines of a text, none longer than a number of characters. */
const wrap = (text: string, width: number): string[] =>
  text.split('\n').flatMap((line) => {
    const lines: string[] = []
    for (let rest = line; ;) {
      if (rest.length <= width) return [...lines, rest]
      const space = rest.lastIndexOf(' ', width)
      const at = space > width / 2 ? space : width
      lines.push(rest.slice(0, at))
      rest = rest.slice(at).trimStart()
    }
  })
