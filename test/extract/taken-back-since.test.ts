import t from 'tap'
import { pairMessages } from '../../src/extract/runs.ts'
import { takenBackSince } from '../../src/extract/taken-back-since.ts'
import { assistant, buildEntries, call, result } from '../support/build-entries.ts'

type Step = [command: string, output?: string, exitCode?: number]

const OLD = { hash: '1a2b3c4', subject: 'Add the parser' }
const NEW = { hash: 'abc1234', subject: 'Switch the theme to dark' }
const REVERTED: Step = [
  'git revert --no-edit HEAD',
  '[main def5678] Revert "Switch the theme to dark"\n 1 file changed',
]

/** Returns what steps do to two commits, of which the second one is the last. */
function afterSteps(steps: readonly Step[], earlier = [OLD, NEW]): Record<string, string> {
  const drafts = steps.flatMap(([command, output = '', exitCode = 0], at) => [
    assistant('', [call(`c${at}`, 'bash', { command })]),
    result(`c${at}`, output, { exitCode, isError: exitCode !== 0 }),
  ])
  const found = takenBackSince(
    pairMessages(buildEntries(drafts).map(({ message }) => message!)),
    earlier.map((one) => ({ ...one, isKnownLast: true })),
  )
  return Object.fromEntries(
    Array.from(found, ([hash, { command, isProven }]) => [hash, `${isProven ? 'reverted' : 'perhaps'}: ${command}`]),
  )
}

/** Steps, and what they do to the last commit (`abc1234`), to the one before it (`1a2b3c4`), or to both. */
const CASES: Record<string, [steps: Step[], found: Record<string, string>]> = {
  'a revert prints the subject': [[REVERTED], { abc1234: `reverted: ${REVERTED[0]}` }],
  'a revert of an older commit prints its subject': [
    [['git revert --no-edit HEAD~1', '[main def5678] Revert "Add the parser"']],
    { '1a2b3c4': 'reverted: git revert --no-edit HEAD~1' },
  ],
  'a revert names a hash': [[['git revert 1a2b3c4d5e']], { '1a2b3c4': 'reverted: git revert 1a2b3c4d5e' }],
  'a conflict is resolved later': [
    [
      ['git revert abc1234', 'CONFLICT (content): Merge conflict in a.css\nerror: could not revert abc1234', 1],
      ['git revert --continue', '[main def5678] Revert "Switch the theme to dark"'],
    ],
    { abc1234: 'reverted: git revert --continue' },
  ],
  'a commit has the words of a revert': [
    [['git commit -am "x"', '[main def5678] Revert "Add the parser"']],
    { '1a2b3c4': 'reverted: git commit -am "x"' },
  ],
  'a revert says nothing of what it reverts': [
    [['git revert --no-edit HEAD']],
    { abc1234: 'perhaps: git revert --no-edit HEAD' },
  ],
  'a revert is not committed': [[['git revert -n abc1234']], { abc1234: 'perhaps: git revert -n abc1234' }],
  'a revert may not have run': [
    [['npm test || git revert --no-edit abc1234']],
    { abc1234: 'perhaps: npm test || git revert --no-edit abc1234' },
  ],
  'a revert is reverted': [
    [REVERTED, ['git revert --no-edit HEAD', '[main 0a1b2c3] Reapply "Switch the theme to dark"']],
    { abc1234: 'perhaps: git revert --no-edit HEAD' },
  ],
  'an older git reverts a revert': [
    [REVERTED, ['git revert def5678', '[main 0a1b2c3] Revert "Revert "Switch the theme to dark""']],
    { abc1234: 'perhaps: git revert def5678' },
  ],
  'what was reverted is picked again': [
    [REVERTED, ['git cherry-pick abc1234']],
    { abc1234: 'perhaps: git cherry-pick abc1234' },
  ],
  'a reset goes to the commit before': [
    [['git reset --hard HEAD~1', 'HEAD is now at 1a2b3c4 Add the parser']],
    { abc1234: 'perhaps: git reset --hard HEAD~1' },
  ],
  'a reset goes to a hash': [[['git reset --hard 1a2b3c4']], { abc1234: 'perhaps: git reset --hard 1a2b3c4' }],
  'a branch is deleted': [
    [['git branch -D dark', 'Deleted branch dark (was abc1234).']],
    { abc1234: 'perhaps: git branch -D dark' },
  ],
  'a reset prints where it is': [
    [['git reset --hard origin/main', 'HEAD is now at 1a2b3c4 Add the parser']],
    { abc1234: 'perhaps: git reset --hard origin/main' },
  ],
  // Nothing is known to be taken back.
  'a revert fails': [[['git revert abc1234', 'CONFLICT (content): a.css', 1]], {}],
  'a revert is given up': [[['git revert --abort']], {}],
  'a reset takes back a newer commit': [
    [
      ['git commit -am "Try it"', '[main 9f8e7d6] Try it'],
      ['git reset --hard HEAD~1', 'HEAD is now at abc1234 Switch'],
    ],
    {},
  ],
  'a reset takes back a newer commit, and says nothing': [
    [['git commit -qam "Try it"'], ['git reset --hard HEAD~1']],
    {},
  ],
  'a revert takes back a newer commit': [
    [
      ['git commit -am "Try it"', '[main 9f8e7d6] Try it'],
      ['git revert --no-edit HEAD', '[main 0a1b2c3] Revert "Try it"'],
    ],
    {},
  ],
  'a reset takes back the revert': [
    [REVERTED, ['git reset --hard HEAD~1', 'HEAD is now at abc1234 Switch']],
    { abc1234: `reverted: ${REVERTED[0]}` },
  ],
  'a reset only drops what is not committed': [[['git reset --hard', 'HEAD is now at abc1234 Switch']], {}],
  'a reset keeps the files': [[['git reset --soft HEAD~1'], ['git commit -qm "Switch"']], {}],
  'a file is reset': [[['git reset a.css']], {}],
  'files are restored': [[['git checkout .']], {}],
  'changes are stashed': [[['git stash']], {}],
  'a reset is on another branch': [
    [['git switch other'], ['git reset --hard HEAD~1', 'HEAD is now at 0a1b2c3 Old']],
    {},
  ],
  'a reset goes to what the server has': [
    [['git reset --hard origin/main', 'HEAD is now at 0a1b2c3 Old']],
    { '1a2b3c4': 'perhaps: git reset --hard origin/main', abc1234: 'perhaps: git reset --hard origin/main' },
  ],
  'a log has an older revert': [[['git log --oneline', 'def5678 Revert "Switch the theme to dark"']], {}],
  'a command only prints it': [[['echo git revert abc1234', 'git revert abc1234']], {}],
  'a merged branch is deleted': [[['git branch -d other', 'Deleted branch other (was 0a1b2c3).']], {}],
  'a commit is amended': [[['git commit --amend -m "Dark"', '[main 9f8e7d6] Dark']], {}],
  'the words of a revert are other ones': [[['git revert HEAD', '[main def5678] Revert "Switch the theme"']], {}],
}

for (const [name, [steps, found]] of Object.entries(CASES))
  t.test(`earlier commits: ${name}`, async (t) => void t.strictSame(afterSteps(steps), found))

t.test('of two commits with the same subject, it is not known which one was reverted', async (t) => {
  const twice = [{ ...NEW, hash: '7777aaa' }, NEW]
  const by = `perhaps: ${REVERTED[0]}`
  t.strictSame(afterSteps([REVERTED], twice), { '7777aaa': by, abc1234: by })
})
