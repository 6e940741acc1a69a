import {
  componentOf,
  type ApiDocument,
  type Content,
  type MediaType,
  type Operation,
  type Parameter,
} from './document.ts'
import { html, prose, type Html } from './html.ts'
import { writeField, writeType } from './write-schema.ts'

export interface ApiRoute extends Operation {
  method: string
  path: string
  id: string
}

/** Returns a route: what it does, takes and returns. */
export function writeOperation(route: ApiRoute, { components }: ApiDocument): Html {
  const { id, method, path, summary, description, parameters = [], requestBody, responses = {} } = route
  const errors = Object.entries(responses).filter(([status]) => !status.startsWith('2'))
  return html`<section class="operation" id="${id}" data-method="${method}" data-path="${path}">
    <h3>
      <a href="#${id}"><span class="method">${method}</span> <code>${path}</code></a>
    </h3>
    <p><strong>${summary}.</strong></p>
    ${description === undefined ? undefined : writeRules(description)}
    ${requestBody?.content && writeBody(requestBody.content)}
    ${parameters.length === 0 ? undefined : writeParameters(parameters)}
    ${Object.entries(responses).flatMap(([status, reply]) => (status.startsWith('2') ? writeReply(status, reply) : []))}
    ${errors.length === 0 ? undefined : writeErrors(errors, components?.responses ?? {})}
  </section>`
}

/** Returns a part of a route that is folded. */
const fold = (name: string, content: Html): Html =>
  html`<details>
    <summary>${name}</summary>
    ${content}
  </details>`

function writeParameters(parameters: readonly Parameter[]): Html {
  const fields = parameters.map(({ name, schema = {}, required = false, description, in: place }) =>
    writeField({
      ...{ name, schema, description, isRequired: required },
      attributes: html` data-parameter="${name}" data-in="${place}"`,
    }),
  )
  const kinds = new Set(parameters.map((one) => one.in))
  const name = [...kinds].map((kind) => KINDS[kind] ?? kind).join(' and ')
  return fold(`${name[0]?.toUpperCase() ?? ''}${name.slice(1)} (${parameters.length})`, html`<dl>${fields}</dl>`)
}

const KINDS: Readonly<Record<string, string>> = {
  query: 'query parameters',
  path: 'parameters of the path',
  header: 'headers',
}

function writeBody(content: Readonly<Record<string, MediaType>>): Html {
  const types = Object.entries(content)
  return html`<h4>Body</h4>
    <ul>
      ${types.map(([type, { schema = {} }]) => {
        const { description } = schema
        return html`<li><code>${type}</code>: ${writeType(schema)}${description && html`. ${prose(description)}`}</li>`
      })}
    </ul>
    ${types.flatMap(([type, media]) => examplesOf(media).map((one) => writeExample(one, { type, isBody: true })))}`
}

function writeReply(status: string, { description, content = {} }: Content): Html {
  const types = Object.entries(content)
  return html`<h4>Reply ${status}</h4>
    <p>
      ${types.map(([type, { schema = {} }]) => html`<code>${type}</code>: ${writeType(schema)}. `)}
      ${description === undefined ? undefined : prose(description)}
    </p>
    ${types.flatMap(([type, media]) => examplesOf(media).map((one) => writeExample(one, { type, isBody: false })))}`
}

interface Example {
  name: string
  value: unknown
}

const examplesOf = ({ example, examples = {} }: MediaType): Example[] => [
  ...(example === undefined ? [] : [{ name: '', value: example }]),
  ...Object.values(examples).map(({ summary = '', value }) => ({ name: summary, value })),
]

function writeExample({ name, value }: Example, { type, isBody }: { type: string; isBody: boolean }): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const attributes = isBody ? html` data-type="${type}"` : undefined
  return fold(name === '' ? 'Example' : `Example: ${name}`, html`<pre tabindex="0" ${attributes}>${text}</pre>`)
}

function writeErrors(
  errors: readonly (readonly [status: string, response: Content])[],
  known: Readonly<Record<string, Content>>,
): Html {
  const rows = errors.map(([status, response]) => {
    const { description = '', content = {} } =
      response.$ref === undefined ? response : (known[componentOf(response.$ref)] ?? {})
    const types = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples))
    const shown = types.map((type) => html` <code>${type}</code>`)
    return html`<li><strong>${status === 'default' ? 'Others' : status}</strong> ${description}${shown}</li>`
  })
  return fold(
    `Errors (${errors.length})`,
    html`<ul>
      ${rows}
    </ul>`,
  )
}

/** Returns a description of a route as paragraphs and lists. It is Markdown with `- ` before each rule, and `**` around its first words. */
export function writeRules(text: string): Html[] {
  return text.split(/\n\n(?=\S)/).map((block) =>
    block.startsWith('- ')
      ? html`<ul>
          ${block
            .slice(2)
            .split(/\n *- /)
            .map((rule) => html`<li>${writeRule(rule)}</li>`)}
        </ul>`
      : html`<p>${writeRule(block)}</p>`,
  )
}

/** Returns a rule, with what is between `**` emphasized. */
const writeRule = (text: string): Html[] =>
  text.split('**').map((part, index) => (index % 2 === 1 ? html`<strong>${prose(part)}</strong>` : prose(part)))
