import t from 'tap'
import { findRegion } from '../../src/plan/find-region.ts'
import { sumTokens } from '../../src/plan/sum-tokens.ts'
import { buildEntries, compaction, label, tokens, user } from '../support/build-entries.ts'

t.test('any span of the considered region can be summed', async (t) => {
  const drafts = [user(tokens(900)), compaction(), user(tokens(1)), label(), user(tokens(20)), user(tokens(300))]
  const sum = sumTokens(findRegion(buildEntries(drafts)))
  t.same([sum(2, 6), sum(2, 4), sum(3, 5), sum(5, 6), sum(4, 4), sum(6, 6)], [321, 1, 20, 300, 0, 0])
})
