import t from 'tap'
import { cutRequest, findLatestRequest, findOpenQuestion, isWordForWord } from '../../src/summary/requests.ts'
import { assistant as agent, result, user } from '../prompt/message-builders.ts'

t.test("the newest request is the last message with the user's own words, whole", async (t) => {
  t.equal(findLatestRequest([user('One.'), agent('x'), user('Two.')]), 'Two.')
  t.equal(findLatestRequest([user('One.'), user('<system-reminder>Mind it.</system-reminder>')]), 'One.')
  t.equal(findLatestRequest([user('a'.repeat(9000))]), 'a'.repeat(9000))
  t.equal(findLatestRequest([agent('x')]), undefined)
})

t.test('after words to go on, an answer to a question of the agent is the newest request', async (t) => {
  const answered = (answer: string) => ({
    ...result('x'),
    userAnswers: [{ question: 'Fix them, or skip them?', answer }],
  })
  const fix = answered('main was clean; fix the issues')
  t.equal(findLatestRequest([user('continue'), agent('x'), fix, agent('y')]), 'main was clean; fix the issues')
  t.equal(findLatestRequest([agent('x'), fix], 'continue'), 'main was clean; fix the issues')
  t.equal(findLatestRequest([agent('x'), fix]), 'main was clean; fix the issues')
  t.equal(findLatestRequest([fix, user('continue')]), 'continue')
  t.equal(findLatestRequest([user('continue'), answered('Yes.')]), 'continue')
})

t.test('an answer does not replace a request', async (t) => {
  const map = { ...result('x'), userAnswers: [{ question: 'A table, or a map?', answer: 'Use a map.' }] }
  t.equal(findLatestRequest([user('Write the importer.'), map]), 'Write the importer.')
  t.equal(findLatestRequest([map], 'Write the importer.'), 'Write the importer.')
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
  t.ok(isWordForWord('## Goal\n> Make the importer\n> skip rows\n', 'Make the importer skip rows'))
  t.notOk(isWordForWord('## Goal\nMake it skip rows', 'Make the importer skip rows'))
})

t.test('a request stays whole up to 4,000 characters; a longer one is cut at a paragraph and marked', async (t) => {
  const whole = 'a'.repeat(4000)
  t.same(cutRequest(whole, 10_000), { text: whole, kept: whole, isCut: false })
  const long = `${'word '.repeat(600)}\n\n${'more '.repeat(600)}`
  const kept = 'word '.repeat(600).trim()
  t.same(cutRequest(long, 10_000), { text: `${kept}\n[... 3003 characters left out ...]`, kept, isCut: true })
  const { text, isCut } = cutRequest('word '.repeat(700), 100)
  t.ok(isCut && text.length < 700, 'a small output limit cuts it too')
})

t.test("a question is not open once the user has answered it in the agent's question tool", async (t) => {
  const answer = {
    ...result('User selected: a map', {}),
    toolName: 'ask',
    userAnswers: [{ question: '', answer: 'a map' }],
  }
  t.equal(findOpenQuestion([user('x'), agent('Shall I use a table?'), answer]), undefined)
  t.equal(findLatestRequest([user('x'), agent('Shall I use a table?'), answer]), 'x')
})
