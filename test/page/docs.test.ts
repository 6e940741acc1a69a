import t from 'tap'
import { closeBrowser, findAxeViolations, matches, noBrowser, openPage } from './browser.ts'

t.setTimeout(600_000)
t.teardown(closeBrowser)

const skip = noBrowser

t.test('/docs fits a phone, and axe finds nothing wrong with it', { skip }, async (t) => {
  const { page } = await openPage(t, { path: '/docs', context: { viewport: { width: 390, height: 844 } } })
  const width = () => page.evaluate('document.documentElement.scrollWidth')
  t.equal(await width(), 390)
  const route = page.locator('#compact')
  await route.getByText('Query parameters (').click()
  await route.getByText('Try it').click()
  t.equal(await width(), 390, 'with an open route')
  t.same(await findAxeViolations(page), [])
})

t.test('a link leads to a route, and to a type', { skip }, async (t) => {
  const { page } = await openPage(t, { path: '/docs#recall' })
  const top = (id: string) => async () =>
    String(Math.round((await page.locator(`#${id}`).boundingBox())?.y ?? -999) < 200)
  await matches(t, top('recall'), /true/)
  await page.locator('#compact').getByRole('link', { name: 'CompactionReply' }).first().click()
  await matches(t, top('type-CompactionReply'), /true/)
  t.match(page.url(), /#type-CompactionReply$/)
})

t.test(
  'a request can be tried: with an example as its body, parameters, and parts of the path',
  { skip },
  async (t) => {
    const { page } = await openPage(t, { path: '/docs', expected: /status of 4\d\d/ })
    const plan = page.locator('#planCompaction')
    await plan.getByText('Try it').click()
    const form = plan.getByRole('form', { name: 'Try POST /compaction/plan' })
    await form.getByLabel('Begin with').selectOption({ label: 'Example: A session file' })
    await form.getByText('Parameters (').click()
    await form.getByLabel('keepRecentTokens', { exact: true }).fill('10')
    await form.getByRole('button', { name: 'Send' }).click()
    const status = form.getByRole('status')
    await matches(t, () => status.innerText(), /^200 OK, \d+ ms, application\/json[^]*"firstKeptEntryId": "e8"/)
    await form.getByLabel('Body').fill('{"entries": 7}')
    await form.getByRole('button', { name: 'Send' }).click()
    await matches(t, () => status.innerText(), /^400 Invalid request[^]*"urn:precis:problem:invalid-request"/)
    const model = page.locator('#retrieveModel')
    await model.getByText('Try it').click()
    const second = model.getByRole('form', { name: 'Try GET /v1/models/{id}' })
    await second.getByText('Parameters (').click()
    await second.getByLabel('id', { exact: true }).fill('embedded')
    await second.getByRole('button', { name: 'Send' }).click()
    await matches(t, () => second.getByRole('status').innerText(), /^200 OK[^]*"id": "embedded"/)
  },
)
