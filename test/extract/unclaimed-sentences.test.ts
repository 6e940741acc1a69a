import t from 'tap'
import { findWork } from '../../src/extract/find-work.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { assistant, buildEntries, user } from '../support/build-entries.ts'

const requestOf = (request: string, answer: string) => {
  const drafts = [user(request), assistant(answer), user('Now the lexer.'), assistant('The lexer is fixed.')]
  return findWork(pairMessages(buildEntries(drafts).map(({ message }) => message!))).items.find(({ at }) => at === 0)
}

for (const [request, answer, left] of [
  [
    'Fix the import. Also check why the export drops umlauts.',
    'I fixed the import.',
    'Also check why the export drops umlauts.',
  ],
  ['Fix the import. Can you also check why it is slow?', 'I fixed the import.', 'Can you also check why it is slow?'],
  ['Fix the import. Send Jo a mail.', 'I fixed the import.', 'Send Jo a mail.'],
  ['Fix the import. Look into the slow start as well.', 'I fixed the import.', 'Look into the slow start as well.'],
  ['Fix the import. Tell Jo when it is live.', 'I fixed the import.', 'Tell Jo when it is live.'],
  [
    'Rotate the keys. Restart the workers. Post in #ops.',
    'I rotated the keys and restarted the workers.',
    'Post in #ops.',
  ],
  ['Fix the import. Send Jo a mail.', 'Done. I fixed the import.', 'Send Jo a mail.'],
  ['Fix the import. Update the docs. Send Jo a mail.', 'I fixed the import and updated the docs.', 'Send Jo a mail.'],
  ['请把第三章翻译成英文。还要更新目录。', '第三章已经翻译成英文。', '还要更新目录。'],
] as const)
  t.test(`a request of which an answer does not claim a sentence is answered: ${request}`, async (t) => {
    t.match(requestOf(request, answer), { state: 'answered', note: `not explicitly said to be done: '${left}'` })
  })

for (const [request, answer] of [
  ['Fix the import. The log is in /var/log/app.', 'I fixed the import.'],
  ['lovely. Fix the import. Thanks a lot for that.', 'I fixed the import.'],
  ['Fix the import. Send Jo a mail.', 'All done.'],
  ['Fix the import. Send Jo a mail.', 'I fixed the import and sent Jo a mail.'],
  ["Fix the import. Don't touch the export.", 'I fixed the import.'],
  ['Fix the import. Always write a test first.', 'I fixed the import.'],
  ['Fix the import.', 'I fixed it.'],
] as const)
  t.test(
    `a request of which an answer claims what it asks for is said to be done: ${request} => ${answer}`,
    async (t) => {
      t.equal(requestOf(request, answer)?.state, 'said')
    },
  )

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
