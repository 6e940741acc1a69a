// Sends the same requests to the services of two source trees, and prints where their replies differ:
//   npx tsx scripts/compare-replies/run.ts OTHER_TREE [COUNT] [SEED]
// Both trees must be built (`npm run build`). Behaviour must not change in a refactoring: this shows what did.
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { resolve } from 'node:path'
import { openModelServer, type RecordedRequest, type Reply } from '../../test/support/model-server.ts'
import { makeRequests, type ComparedRequest } from './requests.ts'

const [otherTree, count = '2000', seed = '1'] = process.argv.slice(2)

/** Of a larger body, a service may close the connection before it has been sent. */
const MAX_BODY_BYTES = 1_900_000
if (otherTree === undefined) throw new Error('Name the folder of the other tree.')

/** More would need minutes to read. */
const MAX_SHOWN = 30

/** An answer without headings, one that is cut off, one that fails: by the content of the prompt, so that both trees get the same. */
function answer({ body }: RecordedRequest): Reply {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  const kind = Number.parseInt(digest.slice(0, 2), 16)
  const prompt = JSON.stringify(body['messages'])
  const path = /(?<![\w-])[\w-]+\/[\w-]+\.\w{1,4}/.exec(prompt)?.[0] ?? 'src/none.ts'
  const text = `## Goal\nThe goal of ${digest}.\n\n## Progress\n### Done\n- [x] Read ${path}\n- [x] Wrote src/invented.ts\n\n### In Progress\n- [ ] The rest\n\n## Next Steps\n1. Run the tests of ${path}\n\n## Critical Context\n- ${prompt.slice(-80).replace(/[^\w ]/g, ' ')}`
  if (kind < 20) return { text: `No headings for ${digest}.` }
  if (kind < 30) return { text: text.slice(0, 90), finishReason: 'length' }
  if (kind < 36) return { status: 400 }
  return { text }
}

interface Service {
  url: string
  child: ChildProcess
}

async function startService(tree: string, env: Record<string, string>): Promise<Service> {
  const child = spawn(process.execPath, [resolve(tree, 'dist/server.js')], {
    cwd: tmpdir(),
    env: {
      ...{ PATH: process.env['PATH'] ?? '', PORT: '0', LOG_LEVEL: 'info', PRECIS_CACHE_ENTRIES: '0' },
      ...{ PRECIS_WORKERS: '1', PRECIS_COMPRESS_WAIT_MS: '30000', PRECIS_BODY_LIMIT: '2000000', ...env },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const url = await new Promise<string>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += output.length < 10_000 ? chunk.toString() : ''
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (found !== undefined) done(found)
    })
    child.once('exit', () => {
      fail(new Error(`The service of ${tree} has ended:\n${output}`))
    })
  })
  return { url, child }
}

async function send(service: Service, { url, headers, body }: ComparedRequest): Promise<string> {
  const isRead = body.length === 0
  try {
    const response = await fetch(service.url + url, {
      ...(isRead ? {} : { method: 'POST', body: new Uint8Array(Buffer.from(body)) }),
      headers: { ...headers, 'x-request-id': 'compared', connection: 'close' },
      signal: AbortSignal.timeout(60_000),
    })
    const names = [...response.headers].filter(([name]) => !UNSTABLE_HEADERS.has(name))
    const head = names.map(([name, value]) => `${name}: ${value}`).join('\n')
    return stable(`${response.status}\n${head}\n\n${await response.text()}`, service)
  } catch (error) {
    return `no reply: ${String(error)}`
  }
}

const UNSTABLE_HEADERS = new Set(['date', 'content-length', 'connection', 'keep-alive', 'x-ratelimit-reset'])

/** Times and generated ids differ between two runs of the same code. */
const stable = (text: string, { url }: Service): string =>
  text
    .replaceAll(url, 'URL')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID')
    .replaceAll(/\bsession-[0-9a-f]{8}\b/g, 'SLUG')
    .replaceAll(/\b(?:msg|prt|ses|cmp|resp|chatcmpl|toolu|call)[_-]\w{8,}/g, 'ID')
    .replaceAll(/\\?"(?:id|parentId|parent_id|leafId|uuid|lastId)\\?":\s?\\?"[0-9a-f]{6,16}\\?"/g, '"id":"HEX"')
    .replaceAll(/"(durationMs|created|created_at|modified_at|uptimeSeconds|updated)":\s?[\d.]+/g, '"$1":0')
    .replaceAll(/20[2-9]\d-\d\d-\d\d[T_ -]\d\d[:-]\d\d(?:[:-]\d\d)?(?:\.\d+)?(?:Z|\+00:00)?/g, 'TIME')
    .replaceAll(/\b1[789]\d{11}\b|\b1[789]\d{8}(?:\.\d+)?\b/g, 'EPOCH')

async function main(other: string): Promise<void> {
  const model = await openModelServer(answer)
  const own = fileURLToPath(new URL('../..', import.meta.url))
  const withModel = {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'k',
    PRECIS_MODEL: 'm',
    PRECIS_CONTEXT_WINDOW: '30000',
  }
  const pairs = await Promise.all(
    [{}, withModel].map(async (env) => Promise.all([other, own].map((tree) => startService(tree, env)))),
  )
  const statuses: Record<string, number> = {}
  let differences = 0
  let index = 0
  for (const request of makeRequests(Number(count), Number(seed))) {
    if (request.body.length > MAX_BODY_BYTES) continue
    const [before, after] = await Promise.all((pairs[index % 2] ?? []).map((service) => send(service, request)))
    const form = /[?&]reply=[\w-]+/.exec(request.url)?.[0].slice(1) ?? ''
    const status = `${request.url.split('?')[0] ?? ''} ${form} ${before?.slice(0, 3) ?? ''}`
    statuses[status] = (statuses[status] ?? 0) + 1
    index++
    if (before === after) continue
    differences++
    if (differences <= MAX_SHOWN) show(index, request, before ?? '', after ?? '')
  }
  for (const [status, number] of Object.entries(statuses).sort()) console.log(`${number}\t${status}`)
  console.log(`${differences} of ${count} replies differ.`)
  for (const { child } of pairs.flat()) {
    child.removeAllListeners('exit')
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await model.close()
  process.exitCode = differences === 0 ? 0 : 1
}

/** Prints the request, and both replies from a little before their first difference. */
function show(index: number, { name, url, body }: ComparedRequest, before: string, after: string): void {
  let at = 0
  while (before[at] === after[at]) at++
  const from = Math.max(0, at - 80)
  console.log(`#${index} ${name}: ${url} (${body.length} bytes)`)
  console.log(`  before: …${JSON.stringify(before.slice(from, at + 160))}`)
  console.log(`  after:  …${JSON.stringify(after.slice(from, at + 160))}`)
}

await main(otherTree)
