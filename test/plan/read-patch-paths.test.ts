import t from 'tap'
import { readPatchPaths } from '../../src/plan/read-patch-paths.ts'

t.test("rule 9: apply_patch's headers name the files, a move both", async (t) => {
  const patch = [
    '*** Begin Patch',
    '*** Add File: new.ts',
    '+*** Add File: only-text.ts',
    '*** Update File: src/old name.ts',
    '*** Move to: src/moved.ts',
    '@@',
    '-a',
    ' *** Delete File: only-context.ts',
    '*** Delete File: gone.ts ',
    '*** End Patch',
  ]
  const paths = ['new.ts', 'src/old name.ts', 'src/moved.ts', 'gone.ts']
  t.same(readPatchPaths(patch.join('\n')), paths)
  t.same(readPatchPaths(patch.join('\r\n')), paths)
})

t.test("rule 9: a unified diff's headers name the files, without git's prefixes, times and /dev/null", async (t) => {
  const patch = [
    'diff --git a/src/x.ts b/src/x.ts',
    '--- a/src/x.ts',
    '+++ b/src/x.ts',
    '@@ -1 +1 @@',
    '--- a removed line that began with two dashes',
    ' context',
    '+++ an added line that began with two pluses',
    '--- /dev/null',
    '+++ b/new.ts',
    '--- a/gone.ts\t2026-01-01 00:00:00',
    '+++ /dev/null',
    '--- a/from.ts',
    '+++ b/to.ts',
  ]
  const paths = ['src/x.ts', 'src/x.ts', 'new.ts', 'gone.ts', 'from.ts', 'to.ts']
  t.same(readPatchPaths(patch.join('\n')), paths)
  t.same(readPatchPaths(patch.join('\r\n')), paths)
})

t.test('rule 9: directories that are named like the prefixes stay, where the diff has no prefixes', async (t) => {
  t.same(readPatchPaths('--- a/x.ts\n+++ a/x.ts'), ['a/x.ts', 'a/x.ts'])
  t.same(readPatchPaths('--- src/x.ts\n+++ src/x.ts'), ['src/x.ts', 'src/x.ts'])
})

t.test('rule 9: other text names no file', async (t) => {
  t.same(readPatchPaths('*** Update File:\n*** Update Files: a\nUpdate File: b\n--- a/x'), [])
})
