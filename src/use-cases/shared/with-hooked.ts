import type { HookOutcome, WorkContext } from '../../jobs/protocol.ts'
import type { ReportNotes } from '../../summary/report.ts'
import type { Material } from './pipeline.ts'
import { givenAs } from './summary-material.ts'

/** Returns a material with what hooks have supplied in place of a model's summary, and with the data that they add. */
export function withHooked(
  { hasData }: { hasData?: true },
  original: Material,
  { summary, preserveData }: HookOutcome = { runs: [] },
): Material {
  const material = summary === undefined ? original : { ...givenAs(original, summary), givenBy: 'hook' as const }
  if (preserveData === undefined || hasData !== true) return material
  return { ...material, preserveData: { ...original.preserveData, ...preserveData } }
}

/** Returns what the report says of prompts and hooks. */
export const notesOf = ({ replaced }: WorkContext, { runs }: HookOutcome = { runs: [] }): ReportNotes => ({
  ...(replaced === undefined ? {} : { prompts: replaced.digest }),
  ...(runs.length === 0 ? {} : { hooks: runs.map((run) => ({ ...run })) }),
})
