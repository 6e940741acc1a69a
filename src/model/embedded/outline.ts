/** The parts of an extract, whatever headings they are written under. */
export const PARTS = [
  'goal',
  'constraints',
  'done',
  'inProgress',
  'pending',
  'blocked',
  'decisions',
  'nextSteps',
  'context',
] as const
export type Part = (typeof PARTS)[number]

/** One statement: a line or a few. The lower the rank, the longer it stays when room is short. */
export interface Line {
  text: string
  rank: number
}

export type Outline = Record<Part, Line[]>

export const emptyOutline = (): Outline => ({
  goal: [],
  constraints: [],
  done: [],
  inProgress: [],
  pending: [],
  blocked: [],
  decisions: [],
  nextSteps: [],
  context: [],
})
