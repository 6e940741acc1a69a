import t from 'tap'
import { buildEntries, assistant, call, result, tokens, user } from '../support/build-entries.ts'
import {
  closeBrowser,
  compact,
  findAxeViolations,
  matches,
  noBrowser,
  openExample,
  openPage,
  paste,
  strip,
} from './browser.ts'

t.setTimeout(600_000)
t.teardown(closeBrowser)

const skip = noBrowser

t.test('the example shows at once what a compaction replaces and what stays', { skip }, async (t) => {
  const { page } = await openPage(t)
  await openExample(page)
  const text = await page.locator('.overview').innerText()
  t.match(text, /A compaction replaces 73 entries \(21,183 tokens\) with a summary/)
  t.match(text, /The newest 48 entries \(19,823 tokens\) stay word for word/)
  t.match(text, /Earlier compaction/)
  t.equal(await strip(page).getAttribute('aria-valuemax'), '169')
  t.ok((await page.getByRole('option').count()) < 60, 'only visible rows are in the page')
})

t.test('everything can be done with the keyboard alone', { skip }, async (t) => {
  const { page } = await openPage(t)
  await page.getByRole('button', { name: 'Open the example' }).focus()
  await page.keyboard.press('Enter')
  await strip(page).waitFor()
  await strip(page).focus()
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
  await matches(t, () => strip(page).getAttribute('aria-valuetext'), /^Entry 167 of 169, .*, Stays word for word/)
  await matches(t, () => page.getByRole('region', { name: 'Selected entry' }).innerText(), /Entry 167 of 169/)
  await matches(t, () => page.getByRole('listbox').getAttribute('aria-activedescendant'), /entry-166/)
  await page.getByRole('listbox').focus()
  await page.keyboard.press('ArrowUp')
  await matches(t, () => strip(page).getAttribute('aria-valuetext'), /^Entry 166 of 169/)
  await page.getByRole('tab', { name: 'Entries' }).focus()
  await page.keyboard.press('ArrowRight')
  const prompts = page.getByRole('tab', { name: 'What the model will read' })
  await matches(t, () => prompts.getAttribute('aria-selected'), /true/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Tab')
  await page.keyboard.type('money')
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'Result of the compaction' }).waitFor()
})

t.test('hovering the strip shows an entry, a click selects it, and a search finds it', { skip }, async (t) => {
  const { page } = await openPage(t)
  await openExample(page)
  const box = await strip(page).boundingBox()
  t.ok(box)
  await page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 20)
  await matches(
    t,
    () => page.locator('.current').innerText(),
    /^Entry 3 of 169, Request, 129 tokens, Summarized before\. The March/,
  )
  await page.mouse.click((box?.x ?? 0) + 2, (box?.y ?? 0) + 20)
  await matches(
    t,
    () => page.getByLabel('Content of the entry').innerText(),
    /three come back with "gross is not net \+ vat"/,
  )
  await page.getByLabel('Search the entries').fill('bookkeepers waiting')
  await page.getByText('1 entry', { exact: true }).waitFor()
  t.match(await page.getByRole('option').innerText(), /Now the two things the bookkeepers/)
})

t.test('a control that is moved changes the plan', { skip }, async (t) => {
  const { page } = await openPage(t)
  await openExample(page)
  await page.getByLabel('Newest tokens that stay word for word').focus()
  await page.keyboard.press('Home')
  await page.getByText(/The newest 1 entry/).waitFor()
  await page.keyboard.press('End')
  await page.getByText(/There is nothing to compact/).waitFor()
  await page.getByLabel('Context window of the agent’s model, in tokens').focus()
  await page.keyboard.press('Home')
  await page.getByText(/the threshold is 6,800/).waitFor()
})

/** A session with a long output and a secret. */
const entries = buildEntries([
  user('Read the log. password=hunter2-hunter2'),
  assistant('', [call('c', 'bash', { command: 'cat log' })]),
  result('c', Array.from({ length: 3000 }, (_, line) => `line ${line} of the log`).join('\n')),
  user(tokens(30)),
]).map(({ raw }) => raw)

t.test(
  'a session in our own form keeps its settings, and the page marks what was cut and replaced',
  { skip },
  async (t) => {
    const { page } = await openPage(t)
    await paste(page, JSON.stringify({ entries, settings: { keepRecentTokens: 30, transcriptTokens: 2000 } }))
    await strip(page).waitFor()
    await page.getByLabel('Newest tokens that stay word for word').focus()
    await page.keyboard.press('Home')
    await page.getByText(/A compaction replaces 3 entries/).waitFor()
    await page.getByLabel('Budget: tokens that the summary is written from').focus()
    await page.keyboard.press('Home')
    await page.getByRole('tab', { name: 'What the model will read' }).click()
    await page.locator('mark.mark-cut').waitFor()
    t.match(await page.locator('mark.mark-cut').innerText(), /^\[\.\.\. \d+ characters left out \.\.\.\]$/)
    t.match(await page.locator('mark.mark-replaced').innerText(), /^\[redacted:[a-z-]+\]$/)
  },
)

t.test('a document that is no session gets an explanation', { skip }, async (t) => {
  const { page } = await openPage(t, { expected: /status of 4\d\d/ })
  await paste(page, '{"shopping": ["milk"]}')
  t.match(await page.getByRole('alert').innerText(), /format of the session is unknown/)
})

t.test('a compaction shows its summary, whose facts lead to the entries where they stand', { skip }, async (t) => {
  const { page } = await openPage(t)
  await openExample(page)
  await compact(page)
  const result = page.getByRole('article', { name: 'Result of the compaction' })
  await page.getByText(/Difference to the previous summary/).waitFor()
  const text = await result.innerText()
  t.match(text, /Before: 41,875 tokens/)
  t.match(text, /Written by the embedded summarizer in .* 0 model calls/)
  t.match(await result.getByRole('list', { name: 'Checks' }).textContent(), /Passed: /)
  t.match(text, /What is lost\n/)
  t.match(text, /Difference to the previous summary: \d+ lines? added/)
  const fact = result.getByRole('button', { name: 'src/money.ts' }).first()
  const place = () => strip(page).getAttribute('aria-valuenow')
  await fact.click()
  await matches(t, place, /^(?!1$)/)
  const first = await place()
  await fact.click()
  await matches(t, place, new RegExp(`^(?!${first}$)`))
  t.ok((await result.locator('mark.unknown').count()) > 0, 'what stands nowhere is marked')
  // Updated by hand: UPDATE_SCREENSHOT=1 npm run test:page
  if (process.env['UPDATE_SCREENSHOT'] !== undefined) await takeScreenshot(page)
})

async function takeScreenshot(page: Awaited<ReturnType<typeof openPage>>['page']): Promise<void> {
  await page.setViewportSize({ width: 1100, height: 760 })
  await page.evaluate("document.querySelector('h2').scrollIntoView()")
  await page.screenshot({ path: 'docs/page.png' })
}

for (const colorScheme of ['light', 'dark'] as const)
  t.test(`axe finds nothing wrong in ${colorScheme} colours`, { skip }, async (t) => {
    const { page } = await openPage(t, { context: { colorScheme } })
    t.same(await findAxeViolations(page), [])
    await openExample(page)
    t.same(await findAxeViolations(page), [], 'entries')
    await page.getByRole('tab', { name: 'What the model will read' }).click()
    await page.getByText('System prompt').first().waitFor()
    t.same(await findAxeViolations(page), [], 'prompts')
    await compact(page)
    t.same(await findAxeViolations(page), [], 'result')
  })

t.test('a phone shows everything without scrolling sideways', { skip }, async (t) => {
  const { page } = await openPage(t, {
    context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  })
  const width = () => page.evaluate('document.documentElement.scrollWidth')
  await openExample(page)
  t.equal(await width(), 360)
  await strip(page).tap()
  await compact(page)
  t.equal(await width(), 360)
})

t.test('where tokens are set, the page asks for one and keeps it for the tab', { skip }, async (t) => {
  const { page, url } = await openPage(t, { config: { tokens: ['right-token'] }, expected: /status of 401/ })
  await page.getByLabel('This service needs a service token').fill('wrong-token')
  await page.keyboard.press('Enter')
  await page.getByText('The service refused this token').waitFor()
  t.same(await findAxeViolations(page), [])
  await page.getByLabel('This service needs a service token').fill('right-token')
  await page.keyboard.press('Enter')
  await openExample(page)
  await compact(page)
  await page.reload()
  await page.getByRole('button', { name: 'Open the example' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(url)
  await other.getByLabel('This service needs a service token').waitFor({ timeout: 60_000 })
  t.same(await other.evaluate('[localStorage.length, document.cookie]'), [0, ''])
})

t.test('a corrected summary is checked again, and saved for the agent or for another one', { skip }, async (t) => {
  const { page } = await openPage(t)
  await openExample(page)
  await compact(page)
  await page.getByRole('tab', { name: 'Correct' }).click()
  const text = page.getByLabel('The summary, as the agent will read it')
  await text.fill('## Goal\nRead `src/money.ts` and src/nowhere/else.ts.')
  await page.getByRole('button', { name: 'Check the correction' }).click()
  await page.getByText(/Not in the session: .*src\/nowhere\/else\.ts/).waitFor()
  t.match(await text.inputValue(), /^## Goal\nRead `src\/money\.ts`/)
  t.same(await findAxeViolations(page), [])
  const save = async (form: string): Promise<string> => {
    await page.getByLabel('Take the result').selectOption(form)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save' }).click(),
    ])
    const chunks = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    return `${download.suggestedFilename()} ${Buffer.concat(chunks).toString()}`
  }
  t.match(await save('json'), /^compaction\.json \{\n {2}"summary": "## Goal/)
  t.match(await save('text'), /^summary\.md ## Goal\nRead/)
  t.match(await save('native'), /^native\.jsonl \{"type":"compaction".*src\/money\.ts/)
  await page.getByText('Append it to the session file.').waitFor()
  t.match(await save('claude-code'), /^claude-code\.jsonl \{[^]*src\/money\.ts/)
})

t.test('two results stand side by side, and the facts that only one of them has are marked', { skip }, async (t) => {
  const { page } = await openPage(t)
  await openExample(page)
  await page.getByRole('tab', { name: 'Compare' }).click()
  await page.getByText('Compact the session first').waitFor()
  await compact(page)
  await page.getByRole('tab', { name: 'Compare' }).click()
  await page.getByLabel('Budget in tokens').fill('1000')
  await page.getByLabel('What the other summary should look after').fill('the tests')
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByRole('article', { name: 'Second result' }).waitFor()
  const text = await page.getByRole('article', { name: 'Second result' }).innerText()
  t.match(text, /embedded, 0 model calls, .* budget 1,000/)
  t.match(text, /\d+ facts? only here/)
  t.same(await findAxeViolations(page), [])
})
