import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))

/** The house: a room may take from the rooms named beside it, and of the packages only those named. */
const ROOMS: Record<string, { rooms: string[]; packages: RegExp }> = {
  ingest: {
    rooms: ['ingest', 'session', 'plan', 'prompt', 'extract', 'schemas', 'errors.ts'],
    packages: /^(@sinclair\/typebox|node:crypto)/,
  },
  words: { rooms: ['words'], packages: /^$/ },
  session: { rooms: ['session', 'schemas', 'errors.ts'], packages: /^$/ },
  extract: { rooms: ['extract', 'session'], packages: /^shell-quote$/ },
  plan: { rooms: ['plan', 'session', 'errors.ts'], packages: /^$/ },
  redact: { rooms: ['redact', 'plan', 'prompt', 'session'], packages: /^$/ },
  prompt: { rooms: ['prompt', 'plan', 'extract', 'session', 'model', 'errors.ts'], packages: /^node:(fs|url|path)$/ },
  model: {
    rooms: [
      'model',
      'prompt',
      'plan',
      'extract',
      'session',
      'summary',
      'redact',
      'errors.ts',
      'config.ts',
      'redis.ts',
      'pace.ts',
    ],
    packages: /^(openai|undici|lru-cache|ioredis|node:)/,
  },
  summary: {
    rooms: ['summary', 'model', 'plan', 'prompt', 'extract', 'redact', 'session', 'schemas', 'errors.ts'],
    packages: /^franc-min$/,
  },
  observe: { rooms: ['observe', 'model', 'schemas'], packages: /^(prom-client|@opentelemetry\/api)$/ },
  schemas: { rooms: ['schemas', 'errors.ts'], packages: /^@sinclair\/typebox/ },
  http: {
    rooms: ['http', 'ingest', 'schemas', 'session', 'model', 'observe', 'errors.ts'],
    packages: /^(fastify|@fastify\/|ioredis|@sinclair\/typebox|@opentelemetry\/api|node:)/,
  },
}

/** How work is done in turns, and words are found: for any room. */
const COMMON = new Set(['words/find-words.ts', 'pace.ts', 'steps.ts'])

interface Import {
  file: string
  target: string
}

function importsOf(room: string): Import[] {
  const files = readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  return files.flatMap((name) => {
    const file = join(SRC, room, name)
    const source = readFileSync(file, 'utf8')
    return [...source.matchAll(/^(?:import|export)[^'"]*?from '([^']+)'/gm)].map(([, target = '']) => ({
      file,
      target,
    }))
  })
}

for (const [room, { rooms, packages }] of Object.entries(ROOMS))
  t.test(`src/${room} takes only from ${rooms.join(', ')}`, async (t) => {
    const strangers = importsOf(room).filter(({ file, target }) => {
      if (COMMON.has(target.replace(/^(?:\.\.\/)+/, ''))) return false
      if (!target.startsWith('.')) return !packages.test(target)
      const [first = ''] = relative(SRC, join(dirname(file), target)).split('/')
      return !rooms.includes(first)
    })
    t.same(
      strangers.map(({ file, target }) => `${relative(SRC, file)} imports ${target}`),
      [],
    )
  })

t.test('Fastify stands at the front door only, the model SDK at the back door only', async (t) => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const importing = (name: RegExp) => files.filter((file) => name.test(readFileSync(join(SRC, file), 'utf8'))).sort()
  t.same(
    importing(/from '(?:fastify|@fastify\/[^']+)'/).filter((file) => !/^(?:routes|http)\/|^app\.ts$/.test(file)),
    [],
  )
  t.same(
    importing(/from 'openai/).filter((file) => !file.startsWith('model/openai/')),
    [],
  )
})
