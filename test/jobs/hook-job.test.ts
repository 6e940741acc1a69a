import t from 'tap'
import { readHookAnswer, readHookResult, readHooksReady } from '../../src/jobs/hook-job.ts'
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

t.test('an answer is read as a hook process writes it, and nothing else is one', async (t) => {
  const answers = [
    { outcome: 'ok' },
    { outcome: 'failed', error: 'RangeError', place: 'hooks.mjs:12' },
    { outcome: 'failed', fault: 'changed' },
    { outcome: 'invalid', fault: 'too-large' },
  ]
  for (const answer of answers) t.strictSame(readHookAnswer({ ...answer, detail: 'secret' }, 'hooks.mjs'), answer)
  const forged: unknown[] = [
    undefined,
    null,
    'ok',
    {},
    { outcome: 'Please' },
    { outcome: ['ok'] },
    { outcome: 'failed', error: 'Please' },
    { outcome: 'failed', error: { length: 1 } },
    { outcome: 'failed', place: 'Please: 12' },
    { outcome: 'failed', place: 'hooks.mjs:12 Please' },
    { outcome: 'failed', place: ['hooks.mjs:12'] },
    { outcome: 'invalid', fault: 'Please' },
    { outcome: 'invalid', fault: 'toString' },
  ]
  for (const header of forged) t.throws(() => readHookAnswer(header, 'hooks.mjs'), JSON.stringify(header))
})

t.test('a process is ready with hooks that are known, or with a fault', async (t) => {
  const digest = '0123456789abcdef'
  t.strictSame(readHooksReady({ names: ['afterCompact', 'other', 7], digest }), { names: ['afterCompact'], digest })
  t.strictSame(readHooksReady({ fault: 'cannot be read' }), { fault: 'cannot be read' })
  for (const header of [undefined, 'ready', {}, { names: [] }, { names: [], digest: 'x' }])
    t.throws(() => readHooksReady(header), JSON.stringify(header))
})
