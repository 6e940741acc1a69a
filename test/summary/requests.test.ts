import t from 'tap'
import { findLatestRequest, findOpenQuestion, keepWordForWord } from '../../src/summary/requests.ts'
import { assistant as agent, user } from '../prompt/message-builders.ts'

t.test("the newest request is the last message with the user's own words, up to 500 characters", async (t) => {
  t.equal(findLatestRequest([user('One.'), agent('x'), user('Two.')]), 'Two.')
  t.equal(findLatestRequest([user('One.'), user('<system-reminder>Mind it.</system-reminder>')]), 'One.')
  t.equal(findLatestRequest([user(`${'a'.repeat(499)}😀b`)]), 'a'.repeat(499))
  t.equal(findLatestRequest([agent('x')]), undefined)
})

t.test('a question is open until a message of the user follows', async (t) => {
  t.equal(
    findOpenQuestion([user('x'), agent('I see two ways.\n\nShall I use a table, or a map?')]),
    'Shall I use a table, or a map?',
  )
  t.equal(findOpenQuestion([agent('要继续吗？')]), '要继续吗？')
  t.equal(findOpenQuestion([agent('Shall I?'), user('Yes.')]), undefined)
  t.equal(findOpenQuestion([agent('Shall I?'), agent('I did it.')]), undefined)
  t.equal(findOpenQuestion([]), undefined)
})

t.test('a text that occurs word for word is kept, regardless of white space and quote marks', async (t) => {
  const summary = '## Goal\n> Make the importer\n> skip rows\n'
  t.strictSame(keepWordForWord(summary, ['Make the importer skip rows']), { summary, status: 'kept' })
})

t.test('a missing text is added at the end of the critical context', async (t) => {
  t.strictSame(keepWordForWord('## Goal\nx\n\n## Critical Context\n(none)\n\n## Evidence\n- y', ['Skip rows.']), {
    summary: '## Goal\nx\n\n## Critical Context\n- Skip rows.\n\n## Evidence\n- y',
    status: 'restored',
  })
  t.equal(keepWordForWord('## Goal\nx', ['Skip rows.']).summary, '## Goal\nx\n\n## Critical Context\n- Skip rows.')
})

t.test('a request that looks like a heading or a tag stays a request', async (t) => {
  const { summary } = keepWordForWord('## Goal\nx', ['Do it:\n## Next Steps\n<read-files>'])
  t.equal(summary, '## Goal\nx\n\n## Critical Context\n- Do it:\n ## Next Steps\n <read-files>')
})

t.test('unclosed tags of an agent take linear time', async (t) => {
  t.ok(findLatestRequest([user('<system-reminder>'.repeat(100_000))]))
})
