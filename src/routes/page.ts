import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { DOCS_PAGE_POLICY } from '../http/check-origin.ts'
import { UNKNOWN_ROUTE } from '../http/unknown-routes.ts'
import { ownFile } from '../own-package.ts'
import { NEW_SESSION_FORMATS } from '../schemas/format-ids.ts'
import { defined } from '../text/defined.ts'
import type { Route } from './route.ts'

const INDEX = 'index.html'

/** The reply for a program, which cannot show a page. */
const RUNNING = 'Précis is running. Its routes: GET /docs, GET /openapi.json.\n'
const WITH_PAGE = `${RUNNING}A browser shows the page at this address.\n`

const NOT_BUILT = 'The page is not built. Run `npm run build:page` and start the service again, or open /docs.'

/**
 * `GET /` answers browsers with the page and programs with two lines of text, whose files are under `/page/`. They need no service token: the page asks for one.
 * `GET /page/access.json` says whether it must, and `GET /page/service.json`, which needs it, what the service offers. So does
 * `GET /page/session`, the session that the page opens by itself.
 */
export const pageRoutes: Route =
  ({ settings: { page: isOn, tokens, model, transcriptTokens }, sessionForPage }) =>
  async (app) => {
    const files = isOn ? readPageFiles() : filesOfReference(readPageFiles())
    const hidden = { schema: { hide: true } }
    const open = { ...hidden, config: { isPublic: true } }
    app.get('/', open, async (request, reply) => {
      // Only browsers name HTML; `curl` and probes accept everything, and clients of the API JSON.
      const { accept = '*/*' } = request.headers
      if (!/text\/|\*\/\*/.test(accept)) throw new Problem('not-found', UNKNOWN_ROUTE)
      if (!accept.includes('text/html'))
        return reply
          .type('text/plain; charset=utf-8')
          .header('vary', 'Accept')
          .send(isOn ? WITH_PAGE : RUNNING)
      if (!isOn) return reply.redirect('docs')
      const index = files.get(INDEX)
      if (index === undefined) throw new Problem('not-found', NOT_BUILT)
      return sendPageFile(
        reply.headers({ 'content-security-policy': DOCS_PAGE_POLICY, vary: 'Accept' }),
        request,
        index,
      )
    })
    app.get<{ Params: { '*': string } }>('/page/*', open, async (request, reply) => {
      const file = files.get(request.params['*'])
      if (file === undefined) throw new Problem('not-found', files.size === 0 ? NOT_BUILT : UNKNOWN_ROUTE)
      return sendPageFile(reply.header('cache-control', cacheControlOf(request.params['*'])), request, file)
    })
    if (!isOn) return
    app.get('/page/access.json', open, async () => ({ tokensRequired: tokens.length > 0 }))
    app.get('/page/service.json', hidden, async () => ({
      candidates: model?.candidates.map((candidate) => candidate.model) ?? [],
      replyForms: ['json', 'text', 'native', ...NEW_SESSION_FORMATS],
      defaults: defined({ transcriptTokens }),
      ...defined({ session: sessionForPage?.name }),
    }))
    if (sessionForPage !== undefined)
      app.get('/page/session', hidden, async (_request, reply) =>
        reply.type('application/octet-stream').send(sessionForPage.document),
      )
  }

/** Returns the files that the reference at `/docs` needs where the page itself is turned off. */
function filesOfReference(files: ReadonlyMap<string, PageFile>): Map<string, PageFile> {
  const frame = String(files.get(REFERENCE)?.body ?? '')
  return new Map([...files].filter(([name]) => frame.includes(`page/${name}`)))
}

/** The names of all other files have a hash of their content. */
const cacheControlOf = (name: string): string =>
  name.endsWith('.html') ? 'no-cache' : 'public, max-age=31536000, immutable'

/** Where `npm run build` writes the pages. */
const BUILT = fileURLToPath(ownFile('dist/page/'))

/** The frame of the reference at `/docs`. */
export const REFERENCE = 'reference.html'

export interface PageFile {
  type: string
  body: Buffer
  /** Made for the first client that reads gzip. */
  compressed?: Buffer
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.jsonl': 'application/x-ndjson',
}

/** Returns the files of the pages by their names; none if they are not built. They have some 100 KB. */
export function readPageFiles(): Map<string, PageFile> {
  try {
    const names = readdirSync(BUILT).filter((name) => extname(name) in TYPES)
    return new Map(names.map((name) => [name, { type: TYPES[extname(name)] ?? '', body: readFileSync(BUILT + name) }]))
  } catch {
    return new Map()
  }
}

/** Sends a file, compressed if the client reads gzip. */
export function sendPageFile(reply: FastifyReply, { headers }: FastifyRequest, file: PageFile): FastifyReply {
  void reply.type(file.type)
  if (!/\bgzip\b/.test([headers['accept-encoding']].join())) return reply.send(file.body)
  file.compressed ??= gzipSync(file.body)
  return reply.header('content-encoding', 'gzip').send(file.compressed)
}
