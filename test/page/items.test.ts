import type { Page } from 'playwright-core'
import { assistant, buildRawEntries, call, compaction, named, result, tokens, user } from '../support/build-entries.ts'
import { findAxeViolations, inBrowser, matches, openExample, openPage, paste, showResult, strip } from './browser.ts'

const items = (page: Page) => page.getByRole('region', { name: 'What was asked for and planned' })
const past = (page: Page) => page.getByRole('region', { name: 'What each compaction dropped' })
const field = (page: Page) => page.getByLabel('Search the session', { exact: true })

inBrowser('what was asked for is above the summary by its state, and leads to the entries that show it', async (t) => {
  const { page, source } = await showResult(t)
  t.match(
    await items(page).innerText(),
    /Open: 9 not done yet[^]*Open when last mentioned: 4 [^]*Said to be done: 2 [^]*Answered: 4 /,
  )
  await items(page).getByText('Answered: 4').click()
  const request = items(page).locator('li').filter({ hasText: 'Smaller thing now' })
  t.match(await request.innerText(), /Request · Entry 77 · state shown by entry 89/)
  await request.getByRole('button', { name: 'Entry 77', exact: true }).press('Enter')
  await matches(t, () => source.innerText(), /place 1 of 1\s[^]*Entry 77 of 169/)
  await matches(t, () => source.locator('pre mark').innerText(), /^Smaller thing now/)
  await request.getByRole('button', { name: 'entry 89', exact: true }).press('Enter')
  await matches(t, () => source.innerText(), /Entry 89 of 169/)
  const box = await source.getByRole('heading').boundingBox()
  t.ok(box !== null && box.y > 0 && box.y < 900, 'the entry is on the screen')
  t.same(await findAxeViolations(page), [])
})

inBrowser('a lost fact is looked up word for word and, where nothing has it so, by its words', async (t) => {
  const { page } = await showResult(t, { isShort: true })
  await page.getByRole('link', { name: /errors missing$/ }).click()
  const fact = page.locator('.losses details[open] li').first()
  const text = await fact.getByRole('link').innerText()
  await fact.getByRole('button', { name: 'Look it up' }).press('Enter')
  await page.locator('.passage').first().waitFor()
  t.match(await field(page).inputValue(), /^".+"$/)
  t.ok(text.includes((await field(page).inputValue()).slice(1, 20)))
  // A service that has it in other words only.
  let isFirst = true
  await page.route(/\/recall/, async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { matches: object }
    const json = isFirst ? { ...reply, passages: [], matches: { ...reply.matches, all: 0, some: 0 } } : reply
    isFirst = false
    await route.fulfill({ response, json })
  })
  await page.getByRole('tab', { name: 'Compact', exact: true }).click()
  await page.getByRole('link', { name: /errors missing$/ }).click()
  await page.locator('.losses details[open] li').first().getByRole('button', { name: 'Look it up' }).click()
  await page.locator('.passage').first().waitFor()
  await matches(t, () => field(page).inputValue(), /^[^"]/)
  await matches(t, () => page.locator('.entries [role=status]').innerText(), /^(?:\d|No message or call has all words)/)
})

const run = (id: string, command: string) => [assistant('', [call(id, 'bash', { command })]), result(id, 'ok')]

const FIRST = [
  named('a', user('Write the parser of the invoices.')),
  ...run('b', 'npm run build-parser'),
  named('c1', compaction({ summary: 'Write the parser of the invoices.' })),
]

const CHAIN = [
  ...FIRST,
  user('Now print the totals of every month.'),
  ...run('e', 'npm run print-totals'),
  named('c2', compaction({ summary: 'Print the totals of every month.' })),
  user(tokens(40)),
]

const openAgent = async (page: Page, drafts: typeof CHAIN): Promise<void> => {
  await paste(page, JSON.stringify({ entries: buildRawEntries(drafts) }))
  await strip(page).waitFor()
  await page.getByRole('tab', { name: 'Your agent’s summary' }).click()
}

inBrowser('of a chain of compactions, each is shown with what it dropped', async (t) => {
  const { page, source } = await openPage(t)
  await openAgent(page, CHAIN)
  await past(page).waitFor()
  const generations = await past(page).getByRole('listitem').allInnerTexts()
  t.same(
    generations.map((one) => one.replace(/\s+/g, ' ')),
    [
      'Compaction 1 by pi 3 entries became a summary of 24 tokens. 1 of 2 facts dropped. Show its summary 1 of 1 command',
      'Compaction 2 by pi 3 entries became a summary of 24 tokens. 2 of 3 facts dropped. Show its summary 1 of 2 requests 1 of 1 command',
    ],
  )
  const second = past(page).getByRole('listitem').nth(1)
  await second.getByText('1 of 2 requests').click()
  await second.getByRole('link').click()
  await matches(t, () => source.locator('pre mark').innerText(), /^Write the parser of the invoices\.$/)
  await second.getByRole('button', { name: 'Show its summary' }).click()
  t.equal(await source.getByRole('button', { name: 'Search for it' }).count(), 0)
  await matches(t, () => source.innerText(), /^Compaction 2\s+Close\s+Entry 8 of \d+/)
  t.same(await findAxeViolations(page), [])
  await second.getByRole('button', { name: 'Look it up' }).click()
  await page.locator('.passage').first().waitFor()
  t.equal(await field(page).inputValue(), '"Write the parser of the invoices."')
})

inBrowser('a session with one compaction has no chain, and none is asked for', async (t) => {
  const { page } = await openPage(t)
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('include=compactions') && asked.push(request.url()))
  await openAgent(page, [...FIRST, user(tokens(40))])
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('article', { name: 'Comparison with the agent' }).waitFor()
  t.equal(await past(page).count(), 0)
  t.same(asked, [])
})

inBrowser('items and what compactions dropped fit a phone', async (t) => {
  const { page, source, compact } = await openPage(t, {
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  })
  await openAgent(page, CHAIN)
  await past(page).waitFor()
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  t.same(await findAxeViolations(page), [])
  await page.reload()
  await openExample(page)
  await compact()
  await items(page)
    .getByRole('button', { name: /^Entry / })
    .first()
    .tap()
  await matches(t, () => source.innerText(), /place 1 of 1/)
  const box = await source.getByRole('heading').boundingBox()
  t.ok(box !== null && box.y > 0 && box.y < 844, 'the entry is on the screen')
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  t.same(await findAxeViolations(page), [])
})
