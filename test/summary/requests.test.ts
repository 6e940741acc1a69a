import t from 'tap'
import { findLatestRequest, findOpenQuestion, keepWordForWord } from '../../src/summary/requests.ts'
import { assistant as agent, user } from '../prompt/message-builders.ts'

t.test('the newest request is the last that the user said in words, up to 500 characters', async (t) => {
  t.equal(findLatestRequest([user('One.'), agent('x'), user('Two.')]), 'Two.')
  t.equal(findLatestRequest([user('One.'), user('<system-reminder>Mind it.</system-reminder>')]), 'One.')
  t.equal(findLatestRequest([user(`${'a'.repeat(499)}😀b`)]), 'a'.repeat(499))
  t.equal(findLatestRequest([agent('x')]), undefined)
})

t.test('a question is open while no user has spoken after it', async (t) => {
  t.equal(
    findOpenQuestion([user('x'), agent('I see two ways.\n\nShall I use a table, or a map?')]),
    'Shall I use a table, or a map?',
  )
  t.equal(findOpenQuestion([agent('要继续吗？')]), '要继续吗？')
  t.equal(findOpenQuestion([agent('Shall I?'), user('Yes.')]), undefined)
  t.equal(findOpenQuestion([agent('Shall I?'), agent('I did it.')]), undefined)
  t.equal(findOpenQuestion([]), undefined)
})

t.test('what stands there word for word is kept, white space and quote marks aside', async (t) => {
  const summary = '## Goal\n> Make the importer\n> skip rows\n'
  t.strictSame(keepWordForWord(summary, ['Make the importer skip rows']), { summary, status: 'kept' })
})

t.test('what does not is put into the critical context, behind what stands there', async (t) => {
  t.strictSame(keepWordForWord('## Goal\nx\n\n## Critical Context\n(none)\n\n## Evidence\n- y', ['Skip rows.']), {
    summary: '## Goal\nx\n\n## Critical Context\n- Skip rows.\n\n## Evidence\n- y',
    status: 'restored',
  })
  t.equal(keepWordForWord('## Goal\nx', ['Skip rows.']).summary, '## Goal\nx\n\n## Critical Context\n- Skip rows.')
})

t.test('a request that looks like a heading or a tag stays what it is: a request', async (t) => {
  const { summary } = keepWordForWord('## Goal\nx', ['Do it:\n## Next Steps\n<read-files>'])
  t.equal(summary, '## Goal\nx\n\n## Critical Context\n- Do it:\n ## Next Steps\n <read-files>')
})

t.test('tags of an agent that are never closed take linear time', async (t) => {
  t.ok(findLatestRequest([user('<system-reminder>'.repeat(100_000))]))
})
