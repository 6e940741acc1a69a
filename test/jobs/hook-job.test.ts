import t from 'tap'
import { readHookResult } from '../../src/jobs/hook-job.ts'
import type { HookName } from '../../src/schemas/hooks.ts'

const read = (hook: HookName, result?: unknown) =>
  readHookResult(hook, result === undefined ? '' : JSON.stringify(result))

t.test('a result with the fields of its hook is read as it is, and nothing is an empty one', async (t) => {
  const results: [HookName, object][] = [
    ['beforeCompact', { cancel: true, reason: 'Not now.' }],
    ['beforeCompact', { summary: 'S', preserveData: { a: 1 } }],
    ['compacting', { context: ['a', 'b'], prompt: 'P', preserveData: {} }],
    ['beforeBranchSummary', { cancel: false, summary: 'S', customInstructions: 'C' }],
  ]
  for (const [hook, result] of results) t.strictSame(read(hook, result), { result }, hook)
  t.strictSame(read('compacting'), { result: {} })
})

t.test('any other result is named by its fault, without its values and without names of its own', async (t) => {
  const FIELDS = 'Known are `context`, `prompt`, `preserveData`'
  const faults: [HookName, unknown, string][] = [
    ['compacting', 'a summary', 'must be an object or nothing. Its fields may be `context`, `prompt`, `preserveData`'],
    ['compacting', ['a line'], 'must be an object or nothing. Its fields may be `context`, `prompt`, `preserveData`'],
    ['compacting', { contxt: ['a'] }, `has a field that is not known. ${FIELDS}`],
    ['compacting', { toString: 'a' }, `has a field that is not known. ${FIELDS}`],
    ['compacting', { cancel: true }, `has a field that is not known. ${FIELDS}`],
    ['compacting', { context: 'a' }, 'has a `context` that is not a list of strings with at most 65,536 characters'],
    [
      'compacting',
      { context: ['a', 1] },
      'has a `context` that is not a list of strings with at most 65,536 characters',
    ],
    [
      'compacting',
      { context: ['a'.repeat(40_000), 'a'.repeat(40_000)] },
      'has a `context` that is not a list of strings with at most 65,536 characters',
    ],
    [
      'compacting',
      { prompt: ' ' },
      'has a `prompt` that is not a string that is not blank, with at most 65,536 characters',
    ],
    ['compacting', { preserveData: [] }, 'has a `preserveData` that is not an object'],
    ['beforeCompact', { cancel: 'yes' }, 'has a `cancel` that is not a boolean'],
    ['beforeCompact', { summary: '\n' }, 'has a `summary` that is not a string that is not blank'],
    ['beforeBranchSummary', { reason: 1 }, 'has a `reason` that is not a string'],
  ]
  for (const [hook, result, detail] of faults)
    t.strictSame(read(hook, result), { detail }, JSON.stringify(result).slice(0, 60))
})
