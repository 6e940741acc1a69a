import type { ApiDocument } from './document.ts'
import { html, prose, type Html } from './html.ts'
import { writeOperation, type ApiRoute } from './write-operation.ts'
import { writeSetup } from './write-setup.ts'
import { typesIn, writeNamedType } from './write-schema.ts'

/** Returns the reference of the HTTP API, as the HTML of a page without a script. */
export function writeReference(document: ApiDocument): string {
  const { info, components, tags = [] } = document
  const groups = tags.map((tag) => ({ ...tag, routes: routesOf(document, tag.name) }))
  const tokens = Object.values(components?.securitySchemes ?? {}).map(
    // A scheme without the name of a header is that of Bearer tokens.
    ({ name = 'Authorization: Bearer', description = '' }) =>
      html`<li><code>${name}</code>: ${prose(description)}</li>`,
  )
  return html`<p>
      ${info.description} Version ${info.version}, as this service has it. As a document:
      <a href="openapi.yaml">openapi.yaml</a>, <a href="openapi.json">openapi.json</a>.
    </p>
    <p>The path of each route is a link to it. <a href="#agents">Use Précis with your agent</a> instead of its API.</p>
    <div class="with-routes">
      <nav aria-label="Routes">${groups.map(({ name, routes }) => writeLinks(name, routes))}</nav>
      <div>
        ${writeSetup()}
        <section id="tokens">
          <h2>Service tokens</h2>
          <p>If the operator has set tokens, each request needs one; without them, none is needed.</p>
          <ul>
            ${tokens}
          </ul>
        </section>
        ${groups.map(
          ({ name, description, routes }) =>
            html`<section aria-label="${name}">
              <h2>${capitalize(name)}</h2>
              <p>${description}.</p>
              ${routes.map((route) => writeOperation(route, document))}
            </section>`,
        )}
        ${writeTypes(document)}
      </div>
    </div>`.text
}

const capitalize = (text: string): string => (text[0]?.toUpperCase() ?? '') + text.slice(1)

const writeLinks = (name: string, routes: readonly ApiRoute[]): Html =>
  html`<h2>${capitalize(name)}</h2>
    <ul>
      ${routes.map(
        ({ id, method, path }) =>
          html`<li>
            <a href="#${id}"><span class="method">${method}</span> ${path}</a>
          </li>`,
      )}
    </ul>`

/** Returns the routes of a tag, in the order of the document. */
const routesOf = ({ paths = {} }: ApiDocument, tag: string): ApiRoute[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const id = operation.operationId ?? `${method}${path}`
      return operation.tags?.includes(tag) === true ? [{ ...operation, id, method: method.toUpperCase(), path }] : []
    }),
  )

/** The problems of all statuses differ only in the values of some fields: the page has the types that they are forms of. */
const PROBLEM_TYPES = ['Problem', 'ChatProblem', 'AnthropicError']

function writeTypes({ paths = {}, components }: ApiDocument): Html {
  const schemas = components?.schemas ?? {}
  const problems = PROBLEM_TYPES.map((name) => ({ $ref: name }))
  const types = typesIn([paths, problems], schemas)
  const sorted = [...types].sort(([left], [right]) => left.localeCompare(right))
  return html`<section aria-label="Types">
    <h2>Types</h2>
    ${sorted.map(([name, schema]) => writeNamedType(name, schema))}
  </section>`
}
