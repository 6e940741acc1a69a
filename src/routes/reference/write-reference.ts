import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/agents.ts'
import type { ApiDocument } from './document.ts'
import { html, prose, type Html } from './html.ts'
import { writeOperation, type ApiRoute } from './write-operation.ts'
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

type Command = readonly [command: string, meaning: string]

const COMMANDS: readonly Command[] = [
  ['precis list', 'your newest sessions, with their ids'],
  ['precis compact ID --write', 'compacts one, after a backup, and prints how to continue'],
  ['precis compact ID --write --with claude', 'lets a model write, with the login of the agent that you use'],
  ['precis restore ID', 'undoes it'],
]

/** Returns how a reader uses Précis with an agent: who looks at a session on the page has only seen what a compaction does. */
function writeSetup(): Html {
  const targets = Object.values<Agent>(AGENTS)
    .flatMap(({ installTargets = [] }) => installTargets)
    .toSorted((a, b) => a.name.localeCompare(b.name))
  return html`<section id="agents">
    <h2>Use it with your agent</h2>
    <p>
      The command <code>precis</code> runs on your machine, with Node.js 20.20, 22.13 or later. In a clone of the
      repository of Précis:
    </p>
    <pre
      tabindex="0"
    ><code>npm ci</code> &amp;&amp; <code>npm run build</code> &amp;&amp; <code>npm install --global .</code></pre>
    <p>
      Or from the file of the package: <code>npm install --global FILE.tgz</code>. Then compact one session of your own:
    </p>
    ${writeCommands(COMMANDS)}
    <p>Or have your agent compact with Précis by itself. The command shows what it changes, and asks before it does:</p>
    ${writeCommands(targets.map(({ id, name }) => [`precis install ${id}`, name]))}
    <p>
      <code>--url ADDRESS</code> lets this service write the summaries: ADDRESS is that of this page without
      <code>/docs</code>. <code>precis uninstall</code> takes everything out again. <code>docs/start-agent.md</code> of
      the repository has the first ten minutes.
    </p>
  </section>`
}

const writeCommands = (commands: readonly Command[]): Html =>
  html`<table>
    <tbody>
      ${commands.map(
        ([command, meaning]) =>
          html`<tr>
            <th scope="row"><code>${command}</code></th>
            <td>${meaning}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
