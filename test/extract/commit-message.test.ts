import t from 'tap'
import { findMadeCommits, readCommitMessage } from '../../src/extract/commit-message.ts'
import { splitCommand } from '../../src/extract/shell.ts'

const messageOf = (command: string) => readCommitMessage(command, splitCommand(command))

t.test('the message of a commit has its subject and its items, without what tools add', async (t) => {
  const command =
    'git add -A && git commit -m "feat: add the \\"strict\\" mode\n\n- Create lib/strict.sh with:\n  - check_all: checks all\n' +
    '  - check_one\n- Keep `old` flags\n  as they are\n\nCo-Authored-By: A Model <a@example.com>" && git push'
  t.same(messageOf(command), {
    subject: 'feat: add the "strict" mode',
    body: ['Create lib/strict.sh with: check_all: checks all; check_one', 'Keep `old` flags as they are'],
  })
})

t.test('a message may be a here-document with quotes, or several texts', async (t) => {
  const document = `git commit -m "$(cat <<'EOF'\nfix: say "no"\n\nThe table is "closed".\nEOF\n)" 2>&1 | tail`
  t.same(messageOf(document), { subject: 'fix: say "no"', body: ['The table is "closed".'] })
  t.same(messageOf(`git commit -am 'Rename it' -m 'It was two words.'`), {
    subject: 'Rename it',
    body: ['It was two words.'],
  })
})

t.test('a command without a written message, or that only shows commits, has none', async (t) => {
  for (const command of [
    'git commit --amend --no-edit',
    'git commit -F message.txt',
    'git log -m "x"',
    'echo commit -m "x"',
  ])
    t.equal(messageOf(command), undefined, command)
})

t.test('a quiet commit is found in the log that the same command shows, by its message', async (t) => {
  const madeBy = (command: string, output: string) => findMadeCommits(command, splitCommand(command), output)
  const quiet = 'git commit -qam "Keep it" && git log --oneline | head -2'
  t.same(madeBy(quiet, '# pass 4\n1a2b3c4 (HEAD -> main) Keep it\n1a2b3c3 Keep it'), ['1a2b3c4 Keep it'])
  t.same(madeBy(quiet, '1a2b3c3 Something else'), [], 'the commit was refused')
  t.same(madeBy('git commit -m "Keep it"', '[main 1a2b3c4] Keep it\n1a2b3c4 Keep it'), ['1a2b3c4 Keep it'])
  t.same(madeBy('git log --oneline', '1a2b3c4 Keep it'), [], 'a log alone makes none')
  const two =
    "git add -A && git commit -qm 'Keep it' && git add b; git commit -qm 'Sort it' --allow-empty; git log --oneline -2"
  t.same(madeBy(two, '1a2b3c5 Sort it\n1a2b3c4 Keep it'), ['1a2b3c4 Keep it', '1a2b3c5 Sort it'], 'two of them')
  t.same(madeBy(two, '1a2b3c4 Keep it\n1a2b3c3 Sort'), ['1a2b3c4 Keep it'], 'the second was refused')
})
