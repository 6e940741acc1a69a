import fastifySwaggerUi from '@fastify/swagger-ui'
import { DOCS_PAGE_POLICY } from '../http/check-origin.ts'
import type { Route } from './route.ts'

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 40"><g fill="#7fd1ae"><rect y="6" width="30" height="5" rx="2"/><rect y="15" width="22" height="5" rx="2"/><rect y="24" width="14" height="5" rx="2"/></g><text x="40" y="29" font-family="sans-serif" font-size="28" font-weight="bold" fill="#fff">Précis</text></svg>`

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1b1b1b"/><g fill="#7fd1ae"><rect x="5" y="7" width="22" height="4" rx="2"/><rect x="5" y="14" width="15" height="4" rx="2"/><rect x="5" y="21" width="9" height="4" rx="2"/></g></svg>`

/** On a narrow screen, Swagger UI's tables and rows are wider than the page. */
const PHONE_STYLES = `
.swagger-ui .topbar .download-url-wrapper { display: none }
.swagger-ui .info { margin: 20px 0 }
@media (max-width: 600px) {
  .swagger-ui .wrapper { padding: 0 10px }
  .swagger-ui .scheme-container { padding: 10px 0 }
  .swagger-ui .scheme-container .schemes { flex-direction: column; gap: 10px }
  .swagger-ui .scheme-container .schemes .servers > label { margin-right: 0 }
  .swagger-ui .opblock .opblock-summary, .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap }
  .swagger-ui .opblock .opblock-summary-method { min-width: 60px; padding: 6px 0 }
  .swagger-ui .opblock-summary-description { flex-basis: 100%; padding: 4px 10px }
  .swagger-ui table.parameters, .swagger-ui table.parameters tbody, .swagger-ui table.parameters tr,
  .swagger-ui table.parameters td, .swagger-ui table.responses-table, .swagger-ui table.responses-table tbody,
  .swagger-ui table.responses-table tr, .swagger-ui table.responses-table td { display: block; width: auto }
  .swagger-ui table.parameters thead, .swagger-ui table.responses-table thead { display: none }
  .swagger-ui table tbody tr td { padding: 6px 0; min-width: 0 }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select,
  .swagger-ui select, .swagger-ui textarea { max-width: 100%; box-sizing: border-box }
  .swagger-ui .highlight-code, .swagger-ui pre { max-width: calc(100vw - 60px); overflow: auto }
  .swagger-ui .dialog-ux .modal-ux { min-width: 0; width: 92vw }
}`

/**
 * With the hash of the style of Swagger UI's own logo (swagger-ui-dist 5, as @fastify/swagger-ui 6.1.3 has it): it is drawn before
 * ours takes its place, and browsers would report the refused style as an error.
 */
const POLICY = DOCS_PAGE_POLICY.replace(
  "style-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
)

const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'

/** `GET /openapi.json`, `/openapi.yaml` and `/docs`: the OpenAPI document, generated from the routes' own schemas. */
export const docsRoutes: Route = () => async (app) => {
  await app.register(async (page) => {
    // Swagger UI's page has none, and phones would show it as wide as a desktop.
    page.addHook('onSend', async (_request, _reply, payload) =>
      typeof payload === 'string'
        ? payload.replace('<meta charset="UTF-8">', `<meta charset="UTF-8">${VIEWPORT}`)
        : payload,
    )
    await page.register(fastifySwaggerUi, {
      routePrefix: '/docs',
      staticCSP: POLICY,
      logo: { type: 'image/svg+xml', content: LOGO, href: '/docs' },
      theme: {
        title: 'Précis: HTTP API',
        css: [{ filename: 'phone.css', content: PHONE_STYLES }],
        favicon: [{ filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: ICON }],
      },
      // All models together are many screens long.
      uiConfig: { defaultModelsExpandDepth: -1, docExpansion: 'list', tryItOutEnabled: true },
    })
  })
  const hidden = { schema: { hide: true } }
  app.get('/favicon.ico', hidden, async (_request, reply) => reply.type('image/svg+xml').send(ICON))
  app.get('/openapi.json', hidden, async () => app.swagger())
  app.get('/openapi.yaml', hidden, async (_request, reply) =>
    reply
      .type('application/yaml')
      .serializer(String)
      .send(app.swagger({ yaml: true })),
  )
}
