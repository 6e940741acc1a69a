import t from 'tap'
import { joinProgress } from '../../src/jobs/join-progress.ts'
import type { Progress } from '../../src/model/summarizer.ts'

t.test('the progress of two tasks is one sum, in which a task counts as one call until it reports its parts', async (t) => {
  const sent: string[] = []
  const listen = joinProgress(2, ({ done, total, phase }: Progress) => sent.push(`${phase} ${done}/${total}`))
  const [history, turnPrefix] = [listen(0), listen(1)]
  history({ done: 1, total: 4, phase: 'summarize' })
  turnPrefix({ done: 1, total: 3, phase: 'summarize' })
  history({ done: 2, total: 4, phase: 'summarize' })
  turnPrefix({ done: 2, total: 3, phase: 'merge' })
  t.strictSame(sent, ['summarize 1/5', 'summarize 2/7', 'summarize 3/7', 'merge 4/7'])
})
