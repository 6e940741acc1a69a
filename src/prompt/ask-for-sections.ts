import type { HistoryGuidance } from './build-prompts.ts'
import { mapSegments, type Segments, type SummaryTask } from './task.ts'
import { requiredSections, type Templates } from './templates.ts'

/** Returns tasks with whether their answers must have sections: if their prompts are ours, and the templates have sections. */
export const withForm = (
  tasks: Segments<SummaryTask>,
  templates: Templates,
  { promptOverride = '' }: HistoryGuidance,
): Segments<SummaryTask> =>
  mapSegments(tasks, (task) => {
    // The instructions of a request are not for the beginning of a turn.
    const isOurs = task.kind === 'turn-prefix' || promptOverride.trim() === ''
    return { ...task, asksForSections: isOurs && requiredSections(task.kind, templates, false).length > 0 }
  })
