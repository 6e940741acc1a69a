import t from 'tap'
import { joinProgress } from '../../src/jobs/summarize-segments.ts'
import type { Progress } from '../../src/model/summarizer.ts'

/** Returns what is reported, and the listeners of some tasks. */
function join(count: number) {
  const sent: string[] = []
  const listen = joinProgress(count, ({ done, total, phase }: Progress) => sent.push(`${phase} ${done}/${total}`))
  return { sent, listen }
}

t.test(
  'the progress of two tasks is one sum, in which a task counts as one call until it reports its parts',
  async (t) => {
    const { sent, listen } = join(2)
    const [history, turnPrefix] = [listen(0), listen(1)]
    history.onProgress({ done: 1, total: 4, phase: 'summarize' })
    turnPrefix.onProgress({ done: 1, total: 3, phase: 'summarize' })
    history.onProgress({ done: 2, total: 4, phase: 'summarize' })
    turnPrefix.onProgress({ done: 2, total: 3, phase: 'merge' })
    turnPrefix.finish()
    t.strictSame(sent, ['summarize 1/5', 'summarize 2/7', 'summarize 3/7', 'merge 4/7', 'summarize 5/7'])
  },
)

t.test('the end of one of two whole tasks is progress; that of the only task is the result', async (t) => {
  const [two, one] = [join(2), join(1)]
  two.listen(1).finish()
  one.listen(0).finish()
  t.strictSame([two.sent, one.sent], [['summarize 1/2'], []])
})
