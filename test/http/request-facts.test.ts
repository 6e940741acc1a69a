import t from 'tap'
import { chooseRequestId } from '../../src/http/request-facts.ts'
import { startApp } from '../support/start-app.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

t.test('a caller’s id is taken over where it is one, else there is a new one', async (t) => {
  t.equal(chooseRequestId({ headers: { 'x-request-id': 'run-7:a.b_c' } }), 'run-7:a.b_c')
  for (const id of [undefined, '', 'x'.repeat(65), 'two words', '{"a":1}'])
    t.match(chooseRequestId({ headers: { 'x-request-id': id } }), UUID)
})

t.test('every reply tells its id, and the log line has it, with the place in a trace', async (t) => {
  const { app, log } = await startApp(t)
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const response = await app.inject({ url: '/nowhere', headers: { 'x-request-id': 'mine', traceparent } })
  t.equal(response.headers['x-request-id'], 'mine')
  const line = JSON.parse(log()) as object
  t.match(line, {
    reqId: 'mine',
    route: 'none',
    status: 404,
    problem: 'not-found',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    parentId: '00f067aa0ba902b7',
  })
})
