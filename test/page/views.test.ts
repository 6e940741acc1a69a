import type { Page } from 'playwright-core'
import { findAxeViolations, inBrowser, matches, showExample, showResult } from './browser.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Returns where an element begins and ends in the window. */
const edges = async (page: Page, selector: string): Promise<{ top: number; bottom: number }> =>
  page.evaluate(
    `(({ top, bottom }) => ({ top, bottom }))(document.querySelector('${selector}').getBoundingClientRect())`,
  )

for (const [name, context] of [
  ['a desktop', {}],
  ['a phone', PHONE],
] as const)
  inBrowser(`on ${name}, a result begins below the strip and the tabs, and nothing is cut in half`, async (t) => {
    const { page, editor, openEditor } = await showResult(t, { context })
    const placed = async (): Promise<string> => {
      const [strip, tabs, result] = await Promise.all(['.sticky', '.tabs', '.result'].map((one) => edges(page, one)))
      const isBelow = (upper = strip, lower = tabs): boolean =>
        upper !== undefined && lower !== undefined && Math.abs(upper.bottom - lower.top) < 12
      return `${isBelow(strip, tabs)} ${isBelow(tabs, result)}`
    }
    await matches(t, placed, /true true/)
    await openEditor()
    await editor.waitFor()
    const [tabs, text] = [await edges(page, '.tabs'), await edges(page, '.editor textarea')]
    t.ok(text.top > tabs.bottom && text.top < 450, 'the editor is shown from its beginning')
  })

inBrowser('on a phone, the chosen tab is on the screen, and the legend has the colours in two lines', async (t) => {
  const { page } = await showExample(t, { context: PHONE })
  const legend = page.locator('.legend-folded > summary')
  t.same(await legend.locator('.legend-name').allInnerTexts(), [
    'Summarized before',
    'Summary in the context',
    'Summarized now',
    'Start of this request',
    'Stays word for word',
  ])
  t.ok(((await legend.boundingBox())?.height ?? 999) < 90)
  t.notOk(await page.getByRole('list', { name: 'Colours of the strip' }).isVisible())
  await legend.tap()
  await page.getByText(/^Stays word for word: 48 entries, 19,823 tokens$/).waitFor()
  for (const name of ['Another version', 'Entries', 'Your agent’s summary']) {
    const tab = page.getByRole('tab', { name, exact: true })
    // The row of tabs is scrolled by a finger.
    await tab.dispatchEvent('click')
    const isSeen = async (): Promise<string> => {
      const box = await tab.boundingBox()
      return String(box !== null && box.x >= 0 && box.x + box.width <= 391)
    }
    await matches(t, isSeen, /true/)
  }
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  t.same(await findAxeViolations(page), [])
})

inBrowser('two versions are compared by what their lines say', async (t) => {
  const { page } = await showResult(t)
  await page.getByRole('tab', { name: 'Another version', exact: true }).click()
  const form = page.getByRole('form', { name: 'Another version' })
  t.equal(await form.getByLabel('Written by').count(), 0, 'a choice of one has no effect')
  const button = form.getByRole('button', { name: 'Write it' })
  t.ok(await button.isDisabled(), 'code would write the same again')
  await form.getByLabel('Budget in tokens').fill('3000')
  await button.click()
  const panel = page.getByRole('tabpanel', { name: 'Another version' })
  const diff = panel.locator('.diff > summary')
  await matches(
    t,
    () => diff.textContent(),
    /^From the first to the second: (\d+ new lines?, )?(\d+ changed, )?\d+ gone; \d+ lines unchanged/,
  )
  await diff.click()
  const gone = panel.locator('.diff-lines > .is-removed')
  t.ok((await gone.count()) > 20)
  t.match(await gone.first().textContent(), /^−Gone: +\S/)
  const unchanged = panel.locator('.diff-lines > li > details > summary')
  t.match(await unchanged.first().innerText(), /^\d+ lines unchanged$/)
  t.same(await findAxeViolations(page), [])
})
