import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import t from 'tap'
import { stringifyCooperatively } from '../../src/http/send-large-json.ts'
import { runToEnd } from '../../src/runtime/cooperative.ts'
import { listenApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const stringify = (value: object): string => Buffer.concat(runToEnd(stringifyCooperatively(value))).toString()

const message = (length: number): object => ({ role: 'user', content: [{ type: 'text', text: 'é'.repeat(length) }] })

t.test('what is written in steps is what JSON.stringify writes', async (t) => {
  const field = fc.option(fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())), { nil: undefined })
  const fields = fc.dictionary(fc.string(), field)
  fc.assert(fc.property(fields, (value) => stringify(value) === JSON.stringify(value)))
  t.equal(stringify({}), '{}')
  t.equal(stringify({ a: undefined, b: [], c: [1] }), '{"b":[],"c":[1]}')
})

t.test('each element of a list is a step, and pieces are large whatever the elements are', async (t) => {
  const steps = [...stringifyCooperatively({ list: Array.from({ length: 1000 }, () => message(1)) })]
  t.ok(steps.length >= 1000)
  const pieces = runToEnd(stringifyCooperatively({ list: Array.from({ length: 100 }, () => message(3000)) }))
  t.ok(pieces.slice(0, -1).every(({ length }) => length >= 65_536))
  t.ok(pieces.length > 2)
})

t.test('a large reply is whole, and its length is told before', async (t) => {
  const { url } = await listenApp(t)
  const messages = Array.from({ length: 200 }, () => message(3000))
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/context`, { method: 'POST', headers, body: JSON.stringify({ messages }) })
  const body = await response.text()
  t.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  t.equal(Number(response.headers.get('content-length')), Buffer.byteLength(body))
  t.same(JSON.parse(body), { messages })
})

t.test('a client that hangs up amid a large reply leaves one log line, and a service that lives', async (t) => {
  const { url, log } = await listenApp(t)
  const body = JSON.stringify({ messages: Array.from({ length: 2000 }, () => message(3000)) })
  const head = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`POST /context HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`)
  await once(socket, 'data')
  socket.destroy()
  await until(() => log().includes('/context'))
  t.equal((await fetch(`${url}/healthz`)).status, 200)
  const lines = log().trim().split('\n')
  t.equal(lines.filter((line) => line.includes('"route":"/context"')).length, 1)
  t.notMatch(log(), /"level":(40|50|60)/)
})
