import t from 'tap'
import { findComplaints } from '../../src/extract/complaints.ts'

t.test('a complaint is a place with what is wrong there, whichever of them stands first', async (t) => {
  const output = [
    'Checking 88 files',
    '┃ [F] → Function is too complex (13, max is 9).',
    '┃       lib/hooks.ex:144:7 #(Hooks.tool_call)',
    'lib/helpers.ex:57:13:pattern_match',
    'The pattern can never match the type.',
    "src/a.ts(12,5): error TS2304: Cannot find name 'chalk'.",
    '    at run (/app/src/a.ts:3:4)',
    'done in 0m12s',
  ].join('\n')
  t.same(findComplaints(output, 5), [
    '[F] → Function is too complex (13, max is 9). lib/hooks.ex:144:7 #(Hooks.tool_call)',
    'lib/helpers.ex:57:13:pattern_match The pattern can never match the type.',
    "src/a.ts(12,5): error TS2304: Cannot find name 'chalk'.",
  ])
})

t.test('the same complaint about many places is one, and there are no more than asked for', async (t) => {
  const lines = Array.from({ length: 9 }, (_, at) => `[D] Nested modules could be aliased.\n  lib/a.ex:${at}:1 #(A)`)
  t.same(findComplaints(lines.join('\n'), 3), ['[D] Nested modules could be aliased. lib/a.ex:0:1 #(A)'])
  const others = Array.from({ length: 9 }, (_, at) => `a.ts:${at}: error number ${at} of the whole build`)
  t.equal(findComplaints(others.join('\n'), 3).length, 3)
  t.same(findComplaints('All is well.', 3), [])
})

t.test('a call with numbers is no place in a file', async (t) => {
  const output = ['- [datetime.date(2026, 5, 1)]', '?                      ^']
  t.same(findComplaints(output.join('\n'), 5), [])
  t.same(findComplaints('a.cs(12,5,12,9): error CS1002: ; is expected here', 5), [
    'a.cs(12,5,12,9): error CS1002: ; is expected here',
  ])
})
