import { escapePairs } from './escape-boundaries.ts'
import { fillTemplate } from './fill-template.ts'
import type { Templates } from './load-templates.ts'

interface Repair {
  /** The prompt that was answered. It comes first and unchanged, so that servers which cache prefixes charge less. */
  prompt: string
  /** What came back. */
  draft: string
  /** What is wrong with it, a sentence each. */
  faults: readonly string[]
  templates: Templates
}

/** Writes the prompt that has a draft mended: what was asked, what came, and every fault that was found. */
export function buildRepair({ prompt, draft, faults, templates }: Repair): string {
  const instructions = fillTemplate(templates.repair, { faults: faults.map((fault) => `- ${fault}`).join('\n') })
  return `${prompt}\n\n${instructions}\n\n<first-draft>\n${escapePairs(draft)}\n</first-draft>`
}
