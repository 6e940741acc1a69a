import t from 'tap'
import { TARGETS } from '../../src/cli/install/targets.ts'
import { html, prose } from '../../src/routes/reference/html.ts'
import { writeRules } from '../../src/routes/reference/write-operation.ts'
import { writeReference } from '../../src/routes/reference/write-reference.ts'
import { writeFields, writeType } from '../../src/routes/reference/write-schema.ts'
import { startApp } from '../support/start-app.ts'

t.test('/docs has every route of the document, with a link to it, and every link of it leads somewhere', async (t) => {
  const { app } = await startApp(t)
  const document = (await app.inject('/openapi.json')).json<{ paths: Record<string, Record<string, Operation>> }>()
  const { body, headers } = await app.inject('/docs')
  t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
  for (const operations of Object.values(document.paths))
    for (const { operationId } of Object.values(operations)) {
      t.ok(body.includes(`id="${operationId}"`), operationId)
      t.ok(body.includes(`href="#${operationId}"`), operationId)
    }
  const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const links = [...body.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
  t.ok(links.length > 100)
  t.same(
    links.filter((id) => !ids.has(id)),
    [],
  )
  t.equal(ids.size, [...body.matchAll(/ id="/g)].length, 'no id is there twice')
})

t.test('/docs says how Précis is installed, and the command for each agent', async (t) => {
  const { app } = await startApp(t)
  const { body } = await app.inject('/docs')
  const [setup = ''] = /<section id="agents">[^]*?<\/section>/.exec(body) ?? []
  t.match(setup, 'npm install --global')
  for (const { id } of TARGETS) t.match(setup, `<code>precis install ${id}</code>`)
})

interface Operation {
  operationId: string
}

t.test('the service compresses /docs, and makes it once', async (t) => {
  const { app } = await startApp(t)
  const get = () => app.inject({ url: '/docs', headers: { 'accept-encoding': 'gzip' } })
  const [first, second] = [await get(), await get()]
  t.equal(first.headers['content-encoding'], 'gzip')
  t.ok(first.rawPayload.length < 50_000, `${first.rawPayload.length} bytes`)
  t.ok(first.rawPayload.equals(second.rawPayload))
})

t.test('with the page turned off, /docs has its own files, and no link to the page', async (t) => {
  const { app } = await startApp(t, { settings: { page: false } })
  const { body } = await app.inject('/docs')
  const files = [...body.matchAll(/(?:src|href)="(page\/[^"]+)"/g)].map(([, url = '']) => url)
  for (const url of files) t.equal((await app.inject(`/${url}`)).statusCode, 200)
  t.notMatch(body, 'href="."')
})

t.test('texts are escaped, and what is in backticks is code', async (t) => {
  t.equal(
    html`<p title="${'"'}">${'<b> & </b>'}${undefined}${[html`<i>${1}</i>`]}</p>`.text,
    '<p title="&quot;">&lt;b&gt; &amp; &lt;/b&gt;<i>1</i></p>',
  )
  t.equal(prose('a `<b>` c').text, 'a <code>&lt;b&gt;</code> c')
})

t.test('the description of a route is paragraphs and lists, with emphasis', async (t) => {
  const written = writeRules('What it does.\n\n- **First:** `a`\n- second\n\nMore.').map(({ text }) =>
    text.replace(/\s*\n\s*/g, ''),
  )
  t.same(written, [
    '<p>What it does.</p>',
    '<ul><li><strong>First:</strong> <code>a</code></li><li>second</li></ul>',
    '<p>More.</p>',
  ])
})

t.test('a type is written as what it consists of', async (t) => {
  const link = '<a href="#type-Entry">Entry</a>'
  t.equal(writeType({ $ref: '#/components/schemas/Entry' }).text, link)
  t.equal(writeType({ type: 'array', items: { $ref: '#/components/schemas/Entry' } }).text, `list of ${link}`)
  t.equal(
    writeType({ anyOf: [{ enum: ['a', 1] }, { const: null }] }).text,
    '<code>&quot;a&quot;</code> | <code>1</code> | <code>null</code>',
  )
  t.equal(writeType({ type: 'integer', minimum: 0, maximum: 9 }).text, 'integer ≥ 0, ≤ 9')
  t.equal(writeType({}).text, 'any value')
  t.equal(writeFields({ type: 'object', properties: {} }), undefined)
  const nested = { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } }
  t.match(
    writeFields({ properties: { list: nested } })?.text,
    /<code>list<\/code>[^]*list of object[^]*<code>a<\/code>[^]*required/,
  )
})

t.test('an empty document gives a reference without routes', async (t) => {
  t.match(writeReference({ info: { version: '1' } }), /Version 1/)
})
