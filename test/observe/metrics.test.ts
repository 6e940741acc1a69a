import t from 'tap'
import { countReport, defineMetrics } from '../../src/observe/metrics.ts'
import type { Report } from '../../src/schemas/compaction-reply.ts'

const REPORT: Report = {
  model: 'm',
  strategy: 'single',
  windows: 1,
  calls: 1,
  usage: { inputTokens: 10, outputTokens: 5 },
  durationMs: 1,
  degraded: false,
  redactions: 0,
}

const valuesOf = async (report: Report, tokens = {}) => {
  const metrics = defineMetrics()
  countReport(metrics, '/compaction', { report, ...tokens })
  const lines = (await metrics.registry.metrics()).split('\n')
  return lines.filter((line) => line !== '' && !/^#| 0$/.test(line)).sort()
}

t.test('a faultless reply counts as one of its strategy, and what it saved', async (t) => {
  t.same(await valuesOf(REPORT, { tokensBefore: 100, tokensAfter: 30 }), [
    'precis_compactions_total{route="/compaction",strategy="single"} 1',
    'precis_tokens_saved_total 70',
  ])
})

t.test('what is outside the messages stays, so it is not saved', async (t) => {
  t.same(await valuesOf(REPORT, { tokensBefore: 100, tokensAfter: 30, tokensOutside: 60 }), [
    'precis_compactions_total{route="/compaction",strategy="single"} 1',
    'precis_tokens_saved_total 10',
  ])
})

t.test('what became larger has saved nothing', async (t) => {
  t.same(await valuesOf(REPORT, { tokensBefore: 30, tokensAfter: 100 }), [
    'precis_compactions_total{route="/compaction",strategy="single"} 1',
  ])
})

t.test('every fault counts once', async (t) => {
  const checks = {
    sections: { missing: ['## Goal', '## Progress'] },
    latestRequest: 'restored' as const,
    grounding: { checked: 2, unknown: ['a.ts'] },
    size: { tokens: 200, limitTokens: 100 },
    repaired: 1,
  }
  t.same(await valuesOf({ ...REPORT, degraded: true, redactions: 3, checks }), [
    'precis_check_failures_total{check="grounding"} 1',
    'precis_check_failures_total{check="latest-request"} 1',
    'precis_check_failures_total{check="sections"} 1',
    'precis_check_failures_total{check="size"} 1',
    'precis_compactions_total{route="/compaction",strategy="single"} 1',
    'precis_degraded_total 1',
    'precis_redactions_total 3',
    'precis_repairs_total 1',
  ])
})
