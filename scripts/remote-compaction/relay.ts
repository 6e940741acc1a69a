import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readCompactedSummary, writeSummaryMessage } from '../../src/agents/own-summary.ts'

/** A request that the relay sent on to Précis. */
export interface CompactionRequest {
  path: string
  headers: IncomingHttpHeaders
  /** The names of the fields of the body. */
  fields: string[]
  status: number
}

export interface Relay {
  url: string
  compactions: CompactionRequest[]
  close: () => void
}

interface Servers {
  model: string
  precis: string
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Starts a relay for a client that has one address for its model and for compactions: requests for a compaction go to Précis,
 * all others to the model.
 */
export async function startRelay({ model, precis }: Servers): Promise<Relay> {
  const compactions: CompactionRequest[] = []
  const server = createServer((request, response) => {
    const relay = async (): Promise<void> => {
      const path = request.url ?? ''
      const text = await readText(request)
      const body = (text === '' ? {} : JSON.parse(text)) as Fields
      const isForPrecis = isCompaction(path, body)
      const sent = isForPrecis || text === '' ? text : JSON.stringify(withPlainSummaries(body))
      const reply = await send(`${isForPrecis ? precis : model}${path}`, request, sent)
      const { status } = reply
      if (isForPrecis) compactions.push({ path, headers: request.headers, fields: Object.keys(body), status })
      const type = reply.headers.get('content-type') ?? 'application/json'
      response.writeHead(status, { 'content-type': type }).end(await reply.text())
    }
    relay().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  const url = await listen(server)
  return {
    url,
    compactions,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Codex asks for a compaction on a route of its own (0.120), or with the last item of an ordinary request (0.169). */
const isCompaction = (path: string, body: Fields): boolean =>
  path.endsWith('/responses/compact') || itemsOf(body).at(-1)?.['type'] === 'compaction_trigger'

/** Makes each compaction item of Précis a message: the model's server cannot read the item. */
const withPlainSummaries = (body: Fields): Fields =>
  body['input'] === undefined ? body : { ...body, input: itemsOf(body).map(asPlainItem) }

function asPlainItem(item: Fields): Fields {
  const summary = item['type'] === 'compaction' ? readCompactedSummary(item) : undefined
  if (summary === undefined) return item
  const content = [{ type: 'input_text', text: writeSummaryMessage(summary) }]
  return { type: 'message', role: 'user', content }
}

const itemsOf = ({ input }: Fields): Fields[] => (Array.isArray(input) ? (input as Fields[]) : [])

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Headers of one connection. */
const NOT_RELAYED = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])

function send(url: string, { method = 'GET', headers }: IncomingMessage, body: string): Promise<Response> {
  const relayed = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    NOT_RELAYED.has(name) || typeof value !== 'string' ? [] : [[name, value]],
  )
  return fetch(url, { method, headers: relayed, ...(body !== '' && { body }) })
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}
