/** Adds to each route of the reference (`routes/reference/`) a form that sends a request to the service. */
for (const section of document.querySelectorAll<HTMLElement>('.operation')) {
  const details = element('details', { class: 'try' }, element('summary', {}, 'Try it'))
  // Most forms are never opened.
  details.addEventListener('toggle', () => details.append(formOf(section)), { once: true })
  section.append(details)
}

/** Returns a new element. */
function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value)
  created.append(...children)
  return created
}

interface ParameterField {
  name: string
  place: string
  input: HTMLInputElement
}

function formOf(section: HTMLElement): HTMLFormElement {
  const { method = 'GET', path = '' } = section.dataset
  const parameters = [...section.querySelectorAll<HTMLElement>('dt[data-parameter]')].map(fieldOf)
  const body = method === 'POST' ? bodyOf(section) : undefined
  const send = element('button', { class: 'primary' }, 'Send')
  const reply = element('div', { role: 'status' })
  const fields = parameters.map(({ name, input }) => element('label', { class: 'field' }, name, input))
  const form = element('form', { 'aria-label': `Try ${method} ${path}` }, ...(body?.fields ?? []))
  if (fields.length > 0) form.append(parametersOf(fields))
  form.append(send, reply)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send.disabled = true
    reply.replaceChildren('Waiting for the reply …')
    const request = {
      url: urlOf(path, parameters),
      headers: valuesOf(parameters, 'header'),
      method,
      body: body?.read(),
    }
    void run(request).then((shown) => {
      reply.replaceChildren(...shown)
      send.disabled = false
    })
  })
  return form
}

const parametersOf = (fields: readonly HTMLElement[]): HTMLElement =>
  element(
    'details',
    {},
    element('summary', {}, `Parameters (${fields.length})`),
    element('div', { class: 'try-fields' }, ...fields),
  )

function fieldOf({ dataset: { parameter = '', in: place = 'query' } }: HTMLElement): ParameterField {
  return {
    name: parameter,
    place,
    input: element('input', { autocomplete: 'off', ...(place === 'path' && { required: '' }) }),
  }
}

/** Returns the fields of the body: the example that it begins with, and its text. */
function bodyOf(section: HTMLElement) {
  const examples = [...section.querySelectorAll<HTMLElement>('pre[data-type]')].map((example) => ({
    name: example.parentElement?.querySelector('summary')?.textContent ?? 'Example',
    type: example.dataset['type'] ?? 'application/json',
    text: example.textContent,
  }))
  const text = element('textarea', { spellcheck: 'false' })
  const choice = element(
    'select',
    {},
    ...examples.map(({ name }, at) => element('option', { value: String(at) }, name)),
  )
  const chosen = () => examples[Number(choice.value)]
  const show = (): void => {
    text.value = chosen()?.text ?? ''
  }
  choice.addEventListener('change', show)
  show()
  const choices = examples.length > 1 ? [element('label', { class: 'field' }, 'Begin with', choice)] : []
  return {
    fields: [...choices, element('label', { class: 'field' }, 'Body', text)],
    read: () => ({ text: text.value, type: chosen()?.type ?? 'application/json' }),
  }
}

const valuesOf = (parameters: readonly ParameterField[], place: string): [string, string][] =>
  parameters.flatMap((one) => (one.place === place && one.input.value !== '' ? [[one.name, one.input.value]] : []))

function urlOf(path: string, parameters: readonly ParameterField[]): string {
  const query = new URLSearchParams(valuesOf(parameters, 'query'))
  const filled = valuesOf(parameters, 'path').reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(value)),
    path.slice(1),
  )
  return query.size === 0 ? filled : `${filled}?${query.toString()}`
}

interface TriedRequest {
  url: string
  method: string
  headers: [string, string][]
  body: { text: string; type: string } | undefined
}

/** Sends a request. Returns what it gave, or why it could not be sent. */
async function run({ url, method, headers, body }: TriedRequest): Promise<Node[]> {
  const start = performance.now()
  try {
    const type: [string, string][] = body === undefined ? [] : [['content-type', body.type]]
    const response = await fetch(url, { method, headers: [...headers, ...type], ...(body && { body: body.text }) })
    const text = await response.text()
    const line = `${response.status} ${response.statusText}, ${Math.round(performance.now() - start)} ms, ${response.headers.get('content-type') ?? 'no content'}`
    return [element('p', {}, element('strong', {}, line)), element('pre', { tabindex: '0' }, indent(text))]
  } catch {
    return [element('p', {}, 'The service cannot be reached. Check that it is running, and try again.')]
  }
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
