import t from 'tap'
import { emptyTally, type Draft } from '../../src/model/summarizer.ts'
import { summarizePrompt } from '../../src/use-cases/compaction/work.ts'
import { checkAnswers } from '../../src/use-cases/shared/check-answers.ts'
import { WORK_CONTEXT } from '../support/work-context.ts'

const PROMPT =
  '<conversation>\nA and B.\n</conversation>\n\nUse this form:\n\n## Goal\nThe goal.\n\n## Progress\nB.\n\n## Next\nC.'

const context = { ...WORK_CONTEXT, maxSummaryTokens: 1000, windowLimitTokens: 128_000 }

const draft = (text: string): Draft => ({ text, model: 'm', chunks: 1, ...emptyTally() })

t.test('the first draft stays where a repair does not arrive', async (t) => {
  const { material } = summarizePrompt.prepare({ prompt: PROMPT }, context)
  const answers = { drafts: { history: draft('Nothing of it.') }, mayRepair: true }
  const asked = checkAnswers(material, { answers }, context)
  if (!('followUp' in asked)) throw new Error('It has faults.')
  t.equal(asked.followUp.segment, 'history')
  const second = { segment: 'history' as const, tally: { ...emptyTally(), calls: 1 } }
  const given = { answers: { drafts: {}, mayRepair: false, second }, first: asked.first }
  t.match(checkAnswers(material, given, context), { drafts: { history: { text: 'Nothing of it.', repairs: 1 } } })
})
