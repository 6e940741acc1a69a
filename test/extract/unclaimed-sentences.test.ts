import t from 'tap'
import { findWork } from '../../src/extract/find-work.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { assistant, buildEntries, call, result, user } from '../support/build-entries.ts'

const requestOf = (request: string, answer: string) => {
  const drafts = [user(request), assistant(answer), user('Now the lexer.'), assistant('The lexer is fixed.')]
  return findWork(pairMessages(buildEntries(drafts).map(({ message }) => message!))).items.find(({ at }) => at === 0)
}

for (const [request, answer] of [
  ['Fix the import. Also check why the export drops umlauts.', 'I fixed the import.'],
  ['Fix the import. Send Jo a mail.', 'I fixed the import.'],
  ['Fix the import. Push, please.', 'I fixed the import.'],
  ['Fix the import. I need the numbers for Friday as well.', 'I fixed the import.'],
  ["Fix the import. Don't forget to mail Jo.", 'I fixed the import.'],
  ['Fix the import. When done, mail Jo.', 'I fixed the import.'],
  ['Fix the import. What about the export?', 'I fixed the import.'],
  ['Rotate the keys. Restart the workers. Post in #ops.', 'I rotated the keys and restarted the workers.'],
  ['Fix the import. Send Jo a mail.', 'Done. I fixed the import.'],
  ['请把第三章翻译成英文。还要更新目录。', '第三章已经翻译成英文。'],
  ['Mail Jo. Then:\n- fix the import\n- fix the export', 'I fixed the import and the export.'],
  ['Not only the import, also:\n- mail the client\n- tag 2.0', 'I fixed the import.'],
  ['Noch nicht erledigt:\n- das Login reparieren\n- dem Kunden schreiben', 'Das Login ist repariert und erledigt.'],
  ['Keep everything in English:\n- translate the README\n- translate the FAQ', 'I translated the README.'],
  ['From now on the login is yours:\n- fix the login\n- mail the client', 'I fixed the login.'],
  ['Upgrade the cluster to 1.32.', 'I changed the template, the plan has one to destroy. OK?'],
  ['Fix the login. If the tests are slow, delete tests/slow.py.', 'I fixed the login.'],
  ['Upgrade the cluster to 1.32.', 'I changed the template. Shall I apply it?'],
  ['Was ist mit dem Bild los?', 'Am Aussehen hat sich nichts geändert.'],
] as const)
  t.test(
    `a request of which an answer does not claim each sentence is not done: ${request} => ${answer}`,
    async (t) => {
      t.match(requestOf(request, answer)?.state, /^(?:answered|unknown)$/)
    },
  )

for (const [request, answer] of [
  ['Fix the import. Thanks!', 'I fixed the import.'],
  ['Fix the import. Send Jo a mail.', 'All done.'],
  ['Fix the import. Send Jo a mail.', 'I fixed the import and sent Jo a mail.'],
  ['Fix these:\n- the import\n- the export', 'The import and the export are fixed.'],
  ['Fix the import.', 'I fixed it.'],
] as const)
  t.test(`a request is said to be done where each sentence is claimed: ${request} => ${answer}`, async (t) => {
    t.equal(requestOf(request, answer)?.state, 'said')
  })

t.test('a turn that has only looked has done nothing, whatever its answer claims', async (t) => {
  const looked = (command: string) => [
    user('Why is the picture red in CI?'),
    assistant('', [call('a', 'bash', { command })]),
    result('a', 'ok'),
    assistant('The view model is changed, and the runner renders differently now.'),
  ]
  const stateOf = (command: string) =>
    findWork(pairMessages(buildEntries(looked(command)).map(({ message }) => message!))).items[0]?.state
  t.equal(stateOf('git log --oneline -3; git diff --stat'), 'answered')
  t.equal(stateOf('git commit -qam "Change the view model"'), 'said')
})

t.test('a turn of which all that was done has failed has done nothing, whatever its answer claims', async (t) => {
  const tried = (output: string, isError: boolean) => [
    user('Push the branch.'),
    assistant('', [call('a', 'bash', { command: 'git push' })]),
    result('a', output, { isError }),
    assistant('I have pushed the branch.'),
  ]
  const stateOf = (output: string, isError: boolean) =>
    findWork(pairMessages(buildEntries(tried(output, isError)).map(({ message }) => message!))).items[0]?.state
  t.equal(stateOf('! [rejected] main -> main (fetch first)', true), 'answered')
  t.equal(stateOf('abc1234..def5678 main -> main', false), 'said')
})

t.test('items with roman numbers and short items are wishes', async (t) => {
  for (const request of [
    '(i) bump the version, (ii) write the notes, (iii) tell the list',
    '1) bump the version to 2.1\n2) tag it\n3) tell the list',
  ])
    t.equal(
      requestOf(request, 'I bumped the version and wrote the notes. It has a tag: I tagged it.')?.state,
      'answered',
      request,
    )
})
