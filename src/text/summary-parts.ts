/** The parts of a summary, under any headings. */
export const PARTS = [
  'goal',
  'constraints',
  'done',
  'inProgress',
  'pending',
  'blocked',
  'state',
  'decisions',
  'nextSteps',
  'context',
] as const
export type Part = (typeof PARTS)[number]

/** The statements of an earlier summary, by part. */
export interface ParsedSummary {
  firstRequest?: string
  newestRequest?: string
  /** The newest request as far as the summary has it; `newestRequest` is its beginning. */
  wholeRequest?: string
  /** A goal without our labels, as a model writes it. */
  goal: string[]
  statements: Record<Part, string[]>
}
