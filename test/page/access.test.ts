import { readFileSync } from 'node:fs'
import { findAxeViolations, inBrowser, openExample, openPage } from './browser.ts'

inBrowser('axe finds nothing wrong in light and dark colours', async (t) => {
  const { page, compact, openEditor } = await openPage(t)
  t.same(await findAxeViolations(page), [], 'no session')
  await openExample(page)
  t.same(await findAxeViolations(page), [], 'entries')
  await page.getByRole('tab', { name: 'What the model reads' }).click()
  await page.getByText('System prompt').first().waitFor()
  t.same(await findAxeViolations(page), [], 'prompts')
  await compact()
  await page.getByRole('article').getByRole('link', { name: 'src/money.ts', exact: true }).first().click()
  t.same(await findAxeViolations(page), [], 'result')
  await openEditor()
  t.same(await findAxeViolations(page), [], 'editor')
})

inBrowser('a phone shows everything without scrolling sideways', async (t) => {
  const { page, source, strip, compact, openEditor } = await openPage(t, {
    context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  })
  const width = () => page.evaluate('document.documentElement.scrollWidth')
  await openExample(page)
  t.equal(await width(), 360)
  await strip.tap()
  await page.getByText('Settings', { exact: true }).click()
  await page.getByRole('slider', { name: 'Newest tokens that stay word for word' }).waitFor()
  await page.getByRole('tab', { name: 'What the model reads' }).tap()
  await page.getByText('System prompt').first().waitFor()
  t.equal(await width(), 360, 'prompts')
  await compact()
  t.equal(await width(), 360, 'result')
  await page.getByRole('article').getByRole('link', { name: 'src/money.ts', exact: true }).first().tap()
  await source.waitFor()
  const box = await source.boundingBox()
  t.ok(box !== null && box.y + box.height <= 741, 'the entry appears on the screen, below the summary')
  await openEditor()
  t.equal(await width(), 360, 'correction')
  await page.getByRole('tab', { name: 'Another version' }).tap()
  await page.getByLabel('Budget in tokens').fill('3000')
  await page.getByRole('button', { name: 'Write it' }).tap()
  await page.getByRole('region', { name: 'Second result' }).waitFor()
  t.equal(await width(), 360, 'comparison')
})

inBrowser('where tokens are set, the page asks for one and keeps it for the tab', async (t) => {
  const { page, url, compact } = await openPage(t, { settings: { tokens: ['right-token'] }, expected: /status of 401/ })
  await page.getByLabel('This service needs a service token').fill('wrong-token')
  await page.keyboard.press('Enter')
  await page.getByText('The service refused this token').waitFor()
  t.same(await findAxeViolations(page), [])
  await page.getByLabel('This service needs a service token').fill('right-token')
  await page.keyboard.press('Enter')
  await openExample(page)
  await compact()
  await page.reload()
  await page.getByRole('button', { name: 'Open the example' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(url)
  await other.getByLabel('This service needs a service token').waitFor({ timeout: 60_000 })
  t.same(await other.evaluate('[localStorage.length, document.cookie]'), [0, ''])
})

inBrowser('the page opens the session of its service by itself, with the token of its address', async (t) => {
  const document = readFileSync(new URL('../../examples/session.jsonl', import.meta.url))
  const { page, url, strip, compact } = await openPage(t, {
    settings: { tokens: ['right-token'] },
    sessionForPage: { name: 'my-session.jsonl', document },
    path: '/#token=right-token',
  })
  await strip.waitFor()
  await page.getByText('my-session.jsonl').first().waitFor()
  t.equal(page.url(), `${url}/`, 'the token is no longer in the address')
  await compact()
  await page.reload()
  await strip.waitFor()
})
