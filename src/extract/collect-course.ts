import type { Message } from '../session/message.ts'
import { CourseLog } from './course-log.ts'
import type { CourseStep } from './describe-course.ts'
import { readChanges } from './file-changes.ts'
import { outcomeOf, type PairedMessages, type ToolRuns } from './runs.ts'
import { readUserAnswers, readUserText } from './user-text.ts'

/** Returns what was done in a conversation, in order: commands (but looks), edits and words of the user. */
export function collectCourse({ messages, runs }: PairedMessages): CourseStep[] {
  const log = new CourseLog(new Set(runs.values()))
  for (const message of messages) note(message, { log, runs })
  return log.steps()
}

function note(message: Message, { log, runs }: { log: CourseLog; runs: ToolRuns }): void {
  if (message.role === 'user') log.say(readUserText(message) ?? '')
  if (message.role === 'bashExecution') log.end(runs.get(message) ?? {})
  if (message.role !== 'toolResult') return
  const run = runs.get(message) ?? { result: message }
  for (const { answer } of readUserAnswers(message, run.call)) log.say(answer)
  log.end(run)
  if (outcomeOf(run).kind === 'failed') return
  for (const path of new Set(readChanges(run).map((change) => change.path))) log.change(path)
}
