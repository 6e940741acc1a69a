import t from 'tap'
import { chooseKnownCut } from '../../src/use-cases/compress/choose-known-cut.ts'
import type { KnownSummary } from '../../src/model/sharing/stored-summary.ts'
import type { CutParts, CutSurvey } from '../../src/use-cases/compress/steps.ts'

const PARTS: CutParts = { instructions: { count: 0, bytes: 0 }, kept: { start: 0, end: 0 }, shortened: 0 }

/** Places for a cut after 10, 20, ... messages of 10 tokens. */
const surveyOf = (tokensBefore: number, plannedAt?: number): CutSurvey => {
  const points = [10, 20, 30, 40].map((at) => ({ at, key: `k${at}`, restTokens: tokensBefore - 10 * at, parts: PARTS }))
  const planned = points.find(({ at }) => at === plannedAt)
  return { limitTokens: 500, wholeTokens: tokensBefore, wholeBytes: 0, points, ...(planned && { planned }) }
}

const cutOf = (state: 'ready' | 'active', model = 'm'): KnownSummary => ({ state, model, summary: 'S', tokens: 50 })

/** Returns how a conversation is returned, and where the next summary is prepared. */
function choose(survey: CutSurvey, known: Record<string, KnownSummary>) {
  const { kind, chosen, next, base } = chooseKnownCut(survey, (key) => known[key])
  return [kind, chosen?.point.at, next?.at, base?.point.at]
}

t.test('a conversation within the limit is whole, and its next cut is prepared once', async (t) => {
  t.same(choose(surveyOf(450, 30), {}), ['whole', undefined, 30, undefined])
  t.same(choose(surveyOf(450, 30), { k20: { state: 'pending' } }), ['whole', undefined, undefined, undefined])
  t.same(choose(surveyOf(450, 30), { k20: cutOf('ready') }), ['whole', undefined, undefined, 20])
})

t.test('a cut that has been returned stays as long as it fits, whatever has been prepared', async (t) => {
  t.same(choose(surveyOf(550, 40), { k10: cutOf('active'), k30: cutOf('ready') }), ['cut', 10, undefined, 30])
  t.same(choose(surveyOf(560, 40), { k10: cutOf('active'), k30: cutOf('ready') }), ['cut', 30, undefined, 30])
  t.same(choose(surveyOf(550, 40), { k10: cutOf('active') }), ['cut', 10, 40, 10])
})

t.test('an extract that is returned stays, although the summary of a model before it has come late', async (t) => {
  const known = { k20: cutOf('ready'), k30: cutOf('active', 'embedded') }
  t.same(choose(surveyOf(600, 40), known), ['cut', 30, undefined, 20])
  t.same(choose(surveyOf(700, 40), known), ['cut', 30, 40, 20])
})

t.test('without a summary that fits, there is none', async (t) => {
  t.same(choose(surveyOf(700, 40), { k10: cutOf('active') }), ['none', undefined, 40, 10])
  t.same(choose(surveyOf(700), { k20: { state: 'pending' } }), ['none', undefined, undefined, undefined])
})
