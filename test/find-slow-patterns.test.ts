import t from 'tap'
import { findSlowPatterns } from './support/find-slow-patterns.ts'

t.test('a pattern that may take more than linear time is reported with the places that build it', async (t) => {
  const reports = findSlowPatterns([
    { literal: '/a+b/', places: ['src/a.ts:1'] },
    { literal: '/(?<!a)a+b/g', places: ['src/b.ts:2'] },
    { literal: String.raw`/x[ς\u0345]*ι[ς\u0345]*y/iu`, places: ['src/c.ts:3'] },
    { literal: '/a+b/', places: ['src/d.ts:4'] },
  ])
  t.same(
    reports.map((report) => report.slice(0, report.indexOf(': '))),
    ['src/a.ts:1, src/d.ts:4', 'src/c.ts:3'],
  )
})
