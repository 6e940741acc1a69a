import t from 'tap'
import { closeBrowser, noBrowser, openPage } from './browser.ts'

t.setTimeout(600_000)
t.teardown(closeBrowser)

t.test('/docs fits a phone, and the browser reports no error', { skip: noBrowser }, async (t) => {
  const { page } = await openPage(t, { path: '/docs', context: { viewport: { width: 390, height: 844 } } })
  const width = () => page.evaluate('document.documentElement.scrollWidth')
  await page.locator('.servers').waitFor()
  t.equal(await width(), 390)
  const route = page.locator('[id="operations-compaction-compact"]')
  await route.locator('.opblock-summary-control').click()
  await route.locator('.opblock-body').waitFor()
  t.equal(await width(), 390, 'with an open route')
})
