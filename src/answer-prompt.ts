import type { SummaryTask } from './model/summarizer.ts'
import type { CompactionServices, PipelineBudget } from './pipeline.ts'
import { createPace } from './pace.ts'
import { divideClientPrompt } from './prompt/divide-client-prompt.ts'
import { repairDraft } from './repair-draft.ts'
import { runInTurns } from './steps.ts'
import { checkText, type CheckedDraft } from './summary/check-draft.ts'
import { readAskedSections } from './summary/checks/read-asked-sections.ts'
import { tellPlan } from './tell-plan.ts'

/**
 * Has a client's own prompt answered: in parts where it is too long for a window and its conversation is marked, checked
 * against what its own instructions ask for, and mended once.
 * @throws Problem, or the budget's signal's reason, as the summarizer does
 */
export async function answerPrompt(
  told: SummaryTask,
  { summarizer, templates }: Pick<CompactionServices, 'summarizer' | 'templates'>,
  budget: PipelineBudget,
): Promise<CheckedDraft> {
  const division = divideClientPrompt(told.prompt, templates)
  const task = division === undefined ? told : { ...told, division }
  await tellPlan([task], { summarizer, budget })
  const asked = readAskedSections(task.prompt)
  const expected = asked.headings.length === 0 ? {} : { sections: asked }
  const draft = await summarizer.summarize(task, budget)
  const first = await runInTurns(checkText(draft, expected), createPace())
  return repairDraft(first, { task, expected, read: checkText, summarizer, templates }, budget)
}
