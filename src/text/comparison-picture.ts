import { FACT_NAMES, type Writers } from './comparison-words.ts'
import { count } from './numbers.ts'

/** A part of a picture. Colours are names: who draws it has the values. */
export type PictureShape =
  | { type: 'box'; x: number; y: number; width: number; height: number; colour: PictureColour }
  | {
      type: 'text'
      x: number
      y: number
      text: string
      size: number
      colour: PictureColour
      isBold?: true
      anchor?: 'end'
    }

type PictureColour = 'background' | 'text' | 'quiet' | 'rail' | 'agent' | 'precis'

export interface Picture {
  width: number
  height: number
  shapes: readonly PictureShape[]
}

interface ComparedFigures {
  compaction: { entries: number; tokens: number }
  agent: { tokens: number }
  precis: { tokens: number; report?: { model: string } }
  counts: readonly { kind: keyof typeof FACT_NAMES; total: number; inAgent: number; inPrecis: number }[]
}

const FACTS =
  'Facts that code of Précis finds in the entries, and how many of them each summary still has. It does not measure the meaning.'
const OWN_FACTS =
  'Facts that code of Précis finds in the entries, and how many each summary has. The same code wrote the second one, from such facts.'

const WIDTH = 1200
const MARGIN = 56
const NAME_WIDTH = 300
const BAR_WIDTH = 640
const ROW_HEIGHT = 66
const TOP = 236
const LINE_HEIGHT = 27

/**
 * Returns the picture of a comparison: sizes and counts, and no text of the session.
 * @param lines what is written below the figures, if the user asks for text of the session
 */
export function drawComparison(
  { compaction, agent, precis, counts }: ComparedFigures,
  writers: Writers,
  lines: readonly string[] = [],
): Picture {
  const end = TOP + (counts.length + 1) * ROW_HEIGHT
  const height = end + lines.length * LINE_HEIGHT + (lines.length > 0 ? 24 : 0) + 72
  const line = `The same ${count(compaction.entries)} entries (${count(compaction.tokens)} tokens), summarized twice`
  return {
    ...{ width: WIDTH, height },
    shapes: [
      { type: 'box', x: 0, y: 0, width: WIDTH, height, colour: 'background' },
      text([MARGIN, 76], 'What is left of a session after a compaction', { size: 34, isBold: true }),
      text([MARGIN, 114], line, { size: 20, colour: 'quiet' }),
      ...legend(158, 'agent', writers.agent),
      ...legend(190, 'precis', writers.precis),
      ...row('length in tokens', TOP, sizesOf(agent.tokens, precis.tokens)),
      ...counts.flatMap(({ kind, total, inAgent, inPrecis }, at) =>
        row(FACT_NAMES[kind], TOP + (at + 1) * ROW_HEIGHT, [partOf(inAgent, total), partOf(inPrecis, total)]),
      ),
      ...lines.map((words, at) => text([MARGIN, end + 24 + at * LINE_HEIGHT], words, { size: 17 })),
      text([MARGIN, height - 34], precis.report?.model === 'embedded' ? OWN_FACTS : FACTS, {
        size: 16,
        colour: 'quiet',
      }),
    ],
  }
}

interface TextStyle {
  size: number
  colour?: PictureColour
  isBold?: true
  anchor?: 'end'
}

const text = (place: readonly [x: number, y: number], words: string, style: TextStyle): PictureShape => ({
  ...{ type: 'text', x: place[0], y: place[1], text: words, colour: 'text' },
  ...style,
})

const legend = (y: number, colour: PictureColour, words: string): PictureShape[] => [
  { type: 'box', x: MARGIN, y: y - 16, width: 18, height: 18, colour },
  text([MARGIN + 30, y], words, { size: 20 }),
]

/** A bar: its share of the rail, and its figure. */
type Bar = readonly [share: number, figure: string]

const partOf = (number: number, total: number): Bar => [
  number / Math.max(1, total),
  `${count(number)} of ${count(total)}`,
]

/** Returns bars of which the longer one is as long as the rail. */
const sizesOf = (agent: number, precis: number): [Bar, Bar] => {
  const most = Math.max(1, agent, precis)
  return [
    [agent / most, count(agent)],
    [precis / most, count(precis)],
  ]
}

function row(name: string, y: number, [agent, precis]: readonly [Bar, Bar]): PictureShape[] {
  const x = MARGIN + NAME_WIDTH
  const bar = ([share, figure]: Bar, top: number, colour: PictureColour): PictureShape[] => [
    { type: 'box', x, y: top, width: BAR_WIDTH, height: 20, colour: 'rail' },
    { type: 'box', x, y: top, width: BAR_WIDTH * share, height: 20, colour },
    text([WIDTH - MARGIN, top + 17], figure, { size: 19, anchor: 'end' }),
  ]
  return [text([MARGIN, y + 30], name, { size: 21 }), ...bar(agent, y, 'agent'), ...bar(precis, y + 24, 'precis')]
}

/** The colours of a saved picture, which has a light ground wherever it is shown. Grey, blue and their text have a contrast of 4.5. */
export const PICTURE_COLOURS: Readonly<Record<PictureColour, string>> = {
  background: '#ffffff',
  text: '#1b1f24',
  quiet: '#57606a',
  rail: '#eaeef2',
  agent: '#8c959f',
  precis: '#0b6bcb',
}

export const PICTURE_FONT = 'system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif'
