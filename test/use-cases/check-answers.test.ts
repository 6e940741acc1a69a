import { serialize } from 'node:v8'
import t from 'tap'
import { emptyTally, type Draft } from '../../src/model/summarizer.ts'
import { summarizePrompt } from '../../src/use-cases/compaction/work.ts'
import { checkAnswers } from '../../src/use-cases/shared/check-answers.ts'
import { WORK_CONTEXT } from '../support/work-context.ts'

const PROMPT =
  '<conversation>\nA and B.\n</conversation>\n\nUse this form:\n\n## Goal\nThe goal.\n\n## Progress\nB.\n\n## Next\nC.'

const context = { ...WORK_CONTEXT, maxSummaryTokens: 1000, windowLimitTokens: 128_000 }

const draft = (text: string): Draft => ({ text, model: 'm', chunks: 1, ...emptyTally() })

t.test('after a repair, a draft that has been inspected is not inspected again', async (t) => {
  const { material } = summarizePrompt.prepare({ prompt: PROMPT }, context)
  const answers = { drafts: { history: draft('Nothing of it.') }, mayRepair: true }
  const asked = checkAnswers(material, { answers }, context)
  if (!('followUp' in asked)) throw new Error('It has faults.')
  t.equal(asked.followUp.segment, 'history')
  const { first } = asked
  t.same(first.answers.drafts, {}, 'its text is held once')
  const findings = { marked: true } as never
  const inspected = serialize({ history: { ...draft('Nothing of it.'), findings } })
  const second = { segment: 'history' as const, tally: { ...emptyTally(), calls: 1 } }
  const given = { answers: { drafts: {}, mayRepair: false, second }, first: { ...first, inspected } }
  t.match(checkAnswers(material, given, context), {
    drafts: { history: { text: 'Nothing of it.', findings, repairs: 1 } },
  })
})

t.test('a draft with very large findings is held as it came, and inspected again', async (t) => {
  const { material } = summarizePrompt.prepare({ prompt: PROMPT }, context)
  const drafts = { history: draft('Nothing of it. '.repeat(100_000)) }
  const asked = checkAnswers(material, { answers: { drafts, mayRepair: true } }, context)
  if (!('followUp' in asked)) throw new Error('It has faults.')
  const { first } = asked
  t.same(first.answers.drafts, drafts)
  t.ok(first.inspected.length < 100)
  // The answer was cached.
  const second = { segment: 'history' as const, tally: emptyTally() }
  const checked = checkAnswers(material, { answers: { drafts: {}, mayRepair: false, second }, first }, context)
  t.match(checked, { drafts: { history: { text: drafts.history.text, repairs: 0 } } })
})
