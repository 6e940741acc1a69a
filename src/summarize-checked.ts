import { createPace } from './pace.ts'
import { summarizeSpans, type Spans } from './model/summarize-spans.ts'
import type { CallBudget, Summarizer } from './model/summarizer.ts'
import type { Templates } from './prompt/load-templates.ts'
import { repairDraft } from './repair-draft.ts'
import { runInTurns } from './steps.ts'
import { mendByCode } from './summary/checks/mend-by-code.ts'
import { checkDraft, type CheckedDraft, type CheckedTask } from './summary/check-draft.ts'

interface Services {
  summarizer: Summarizer
  templates: Templates
}

/**
 * Summarizes spans and checks what comes. Where a draft has faults, the model that wrote it is asked once to mend all
 * of them; a second draft that is no better, or does not come in time, leaves the first one. What is wrong even then is
 * mended by code as far as it can be, and told in the findings: a check never blocks.
 * @throws what the first span to fail threw
 */
export async function summarizeChecked(
  spans: Spans<CheckedTask>,
  services: Services,
  budget: CallBudget,
): Promise<Spans<CheckedDraft>> {
  const { history, turnPrefix } = spans
  const tasks = { ...(history && { history: history.task }), ...(turnPrefix && { turnPrefix: turnPrefix.task }) }
  const drafts = await summarizeSpans(services.summarizer, tasks, budget)
  // What has been paid for is sent, also where the deadline comes meanwhile.
  const pace = createPace()
  const checked: Spans<CheckedDraft> = {}
  let mayRepair = services.summarizer.name !== 'embedded'
  for (const name of ['history', 'turnPrefix'] as const) {
    const [span, draft] = [spans[name], drafts[name]]
    if (span === undefined || draft === undefined) continue
    const first = await runInTurns(checkDraft(draft, span.expected), pace)
    const best = mayRepair ? await repairDraft(first, { ...span, ...services, read: checkDraft }, budget) : first
    mayRepair &&= best.repairs === 0
    checked[name] = { ...best, ...(await runInTurns(mendByCode(best, span.expected), pace)) }
  }
  return checked
}
