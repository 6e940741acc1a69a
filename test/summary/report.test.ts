import t from 'tap'
import type { CheckedDraft } from '../../src/summary/draft.ts'
import { reportChecks } from '../../src/summary/report.ts'

const draft = (findings: CheckedDraft['findings'], repairs = 0): CheckedDraft => ({
  text: 'x',
  sections: [],
  model: 'm',
  chunks: 1,
  calls: 1,
  redactions: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  findings,
  repairs,
})

t.test('checks that did not run are left out', async (t) => {
  t.same(reportChecks([draft({})]), { repaired: 0 })
})

t.test('the findings of a history and a turn prefix are reported together', async (t) => {
  const history = draft(
    {
      sections: { missing: ['## Goal'], needsModel: true },
      grounding: { checked: 3, unknown: ['a.ts', 'b.ts'] },
      size: { tokens: 10, limitTokens: 100 },
    },
    1,
  )
  const prefix = draft({
    sections: { missing: ['## Original Request'], needsModel: false },
    grounding: { checked: 1, unknown: ['a.ts'] },
    size: { tokens: 5, limitTokens: 50 },
  })
  t.same(reportChecks([history, prefix], { latestRequest: 'restored', constraintsRestored: 2, evidenceTokens: 9 }), {
    sections: { missing: ['## Goal', '## Original Request'] },
    latestRequest: 'restored',
    constraints: { restored: 2 },
    evidence: { tokens: 9 },
    grounding: { checked: 4, unknown: ['a.ts', 'b.ts'] },
    size: { tokens: 15, limitTokens: 150 },
    repaired: 1,
  })
})
