import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Hostile clients are one caller, with a token that the service knows. */
export const HOSTILE_TOKEN = 'hostile'

const HEAD = `Host: localhost\r\nAuthorization: Bearer ${HOSTILE_TOKEN}\r\nContent-Type: application/json\r\n`

/** What clients do that send or read too little; each holds its connection for some seconds. */
const TRICKS: Record<string, string> = {
  silent: '',
  'half a head': 'POST /compaction HTTP/1.1\r\nHost: loc',
  'a length and no body': `POST /compaction HTTP/1.1\r\n${HEAD}Content-Length: 16000000\r\n\r\n`,
  'half a body': `POST /compaction HTTP/1.1\r\n${HEAD}Content-Length: 1000\r\n\r\n{"prompt":"`,
  'two hosts': `POST /compaction HTTP/1.1\r\nHost: a\r\n${HEAD}\r\n`,
  'not HTTP': '\x16\x03\x01\x02\x00\x01\x00',
  'a foreign origin': `POST /compaction HTTP/1.1\r\nOrigin: http://evil.example\r\n${HEAD}Content-Length: 2\r\n\r\n{}`,
  pipelined: `GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(50),
  'an early end': `POST /prune HTTP/1.1\r\n${HEAD}Content-Length: 500\r\n\r\n{"messages":[`,
}

/** A client that asks for a long reply and does not read it. */
export async function askAndNotRead(port: number, body: Buffer, heldMs: number): Promise<void> {
  const socket = open(port)
  socket.pause()
  socket.write(`POST /context HTTP/1.1\r\n${HEAD}Content-Length: ${body.length}\r\n\r\n`)
  socket.write(body)
  await wait(heldMs)
  socket.destroy()
}

/** Plays one of the tricks. @param number which one */
export async function playTrick(port: number, number: number, heldMs: number): Promise<void> {
  const texts = Object.values(TRICKS)
  const socket = open(port)
  socket.resume()
  socket.write(texts[number % texts.length] ?? '')
  await wait(heldMs)
  socket.destroy()
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  // The service may close it at any time.
  socket.on('error', () => undefined)
  return socket
}
