import { DOCS_PAGE_POLICY } from '../http/check-origin.ts'
import { readPageFiles, REFERENCE, sendPageFile, type PageFile } from './page.ts'
import type { ApiDocument } from './reference/document.ts'
import { writeReference } from './reference/write-reference.ts'
import type { Route } from './route.ts'

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1b1b1b"/><g fill="#7fd1ae"><rect x="5" y="7" width="22" height="4" rx="2"/><rect x="5" y="14" width="15" height="4" rx="2"/><rect x="5" y="21" width="9" height="4" rx="2"/></g></svg>`

/** `GET /openapi.json`, `/openapi.yaml` and `/docs`: the OpenAPI document, generated from the routes' own schemas. */
export const docsRoutes: Route =
  ({ settings: { page: hasPage } }) =>
  async (app) => {
    const hidden = { schema: { hide: true } }
    // Made when somebody asks for it: no other route needs it.
    let reference: PageFile | undefined
    app.get('/docs', hidden, async (request, reply) => {
      // From `/docs/`, the links of the page would lead elsewhere.
      if (/^[^?]*\/(?:\?|$)/.test(request.url)) return reply.redirect('../docs')
      reference ??= frameOf(writeReference(app.swagger() as unknown as ApiDocument), hasPage)
      const headers = { 'content-security-policy': DOCS_PAGE_POLICY, 'cache-control': 'no-cache' }
      return sendPageFile(reply.headers(headers), request, reference)
    })
    app.get('/favicon.ico', hidden, async (_request, reply) => reply.type('image/svg+xml').send(ICON))
    app.get('/openapi.json', hidden, async () => app.swagger())
    app.get('/openapi.yaml', hidden, async (_request, reply) =>
      reply
        .type('application/yaml')
        .serializer(String)
        .send(app.swagger({ yaml: true })),
    )
  }

/** The frame where the pages are not built: the reference can be read without styles. */
const PLAIN =
  '<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width, initial-scale=1">' +
  '<title>Précis: HTTP API</title></head><body><main></main></body></html>'

function frameOf(reference: string, hasPage: boolean): PageFile {
  const built = readPageFiles().get(REFERENCE)?.body.toString() ?? PLAIN
  const frame = hasPage ? built : built.replace(/<a href="\.">[^<]*<\/a>/, '')
  const [head = '', foot = ''] = frame.split(/(?=<\/main>)/)
  return { type: 'text/html; charset=utf-8', body: Buffer.from(head + reference + foot) }
}
