import type { Page } from 'playwright-core'
import { assistant, buildRawEntries, call, result, tokens, user } from '../support/build-entries.ts'
import {
  findAxeViolations,
  inBrowser,
  matches,
  openExample,
  openPage,
  paste,
  showExample,
  showResult,
  strip,
} from './browser.ts'

const field = (page: Page) => page.getByLabel('Search the session', { exact: true })
const passages = (page: Page) => page.getByRole('list', { name: 'Passages' }).locator('.passage')
const status = (page: Page) => page.locator('.entries [role=status]').innerText()
const detail = (page: Page) => page.getByRole('region', { name: 'Selected entry' })

inBrowser('a search lists passages with their kinds, and shows the first one, whole, in its entry', async (t) => {
  const { page, strip } = await showExample(t)
  const rows = await page.getByRole('option').count()
  t.ok(rows > 0 && rows < 60, 'without a search, all entries are listed')
  await field(page).fill('decimal strings migrations zzyzx')
  await matches(
    t,
    () => status(page),
    /^No message or call has all words, \d+ only some\. A call and its output are one here, and two below\. The best are listed\. No word there begins with “zzyzx”\.$/,
  )
  t.equal(await page.getByRole('listbox').count(), 0)
  const first = passages(page).first()
  t.match(
    await first.innerText(),
    /^Entry 3\s+Request\s+Mar 24, 2026, \d+:41\sAM, before the 1st compaction\s+The March import is wrong\.[^]*\s+Please fix it/,
  )
  t.same(new Set(await first.locator('mark').allInnerTexts()), new Set(['decimal', 'strings', 'migrations']))
  t.match(await page.getByRole('list', { name: 'Colours of the strip' }).innerText(), /Has what was searched for/)
  await first.click()
  await matches(t, () => strip.getAttribute('aria-valuenow'), /^3$/)
  await matches(t, () => detail(page).locator('pre mark').innerText(), /use decimal strings, not floats/)
  t.same(await findAxeViolations(page), [])
})

inBrowser(
  'passages are filtered by kind and by what the agent no longer sees, and there are more of them',
  async (t) => {
    const { page } = await showExample(t)
    await field(page).fill('invoice')
    const kinds = page.getByRole('group', { name: 'Kinds of passages' })
    await kinds.waitFor()
    const all = await kinds.innerText()
    t.match(all, /All\s+Requests \d+\s+Answers \d+\s+Edits \d+\s+Failures \d+/)
    await kinds.getByRole('button', { name: /^Failures/ }).click()
    await matches(
      t,
      async () => (await passages(page).locator('strong').allInnerTexts()).join(),
      /^(?:Failure: \w+,?)+$/,
    )
    t.equal(await kinds.innerText(), all, 'the other kinds keep their numbers')
    t.equal(await kinds.getByRole('button', { name: /^Failures/ }).getAttribute('aria-pressed'), 'true')
    await kinds.getByRole('button', { name: 'All', exact: true }).click()
    const more = page.getByRole('button', { name: 'More passages' })
    await more.waitFor()
    const before = await passages(page).count()
    await more.click()
    await passages(page).nth(before).waitFor()
    await page.getByLabel('Where').selectOption('What the agent no longer sees')
    await matches(
      t,
      async () =>
        (await passages(page).locator('.hint').allInnerTexts()).filter((one) => /compaction/.test(one)).join(';'),
      /^(?:[^;]*before the 1st compaction;?)+$/,
    )
    await page.getByLabel('Where').selectOption('All before the entries that stay')
    await page.locator('.passage.region-summarized').first().waitFor()
    t.equal(await page.locator('.passage.region-kept').count(), 0)
  },
)

inBrowser(
  'what was found in the output of a call is shown in its result, and not in the entry of the calls',
  async (t) => {
    const { page } = await openPage(t)
    await paste(
      page,
      JSON.stringify({
        entries: buildRawEntries([
          user('Read both files.'),
          assistant('', [call('c1', 'read', { path: 'src/first.ts' }), call('c2', 'read', { path: 'src/second.ts' })]),
          result('c1', 'The first file is there.'),
          result('c2', 'The second file is missing here.', { isError: true }),
          assistant('One is missing.'),
        ]),
      }),
    )
    await field(page).fill('"second file is missing"')
    await matches(t, () => detail(page).locator('pre mark').innerText(), /second file is missing/i)
    t.match(await detail(page).innerText(), /^Entry 4 of 5/)
    await field(page).fill('"src/second.ts"')
    await matches(t, () => detail(page).innerText(), /^Entry 2 of 5/)
  },
)

inBrowser('of a record that has many messages, the one of the entry is marked', async (t) => {
  const { page } = await openPage(t)
  const message = (id: string, type: string, content: string) => ({
    id,
    type,
    content,
    timestamp: '2026-11-21T18:26:59Z',
  })
  const messages = [
    message('m1', 'user', 'Read the notes.'),
    message('m2', 'gemini', 'A line of the notes. '.repeat(100)),
    message('m3', 'user', 'Now fix the parser.'),
    message('m4', 'gemini', 'It is fixed.'),
  ]
  const head = {
    sessionId: 's1',
    projectHash: 'p1',
    startTime: '2026-11-21T18:26:59Z',
    lastUpdated: '2026-11-21T18:26:59Z',
  }
  await paste(page, `${JSON.stringify({ ...head, kind: 'main' })}\n${JSON.stringify({ $set: { messages } })}\n`)
  await page.getByRole('option', { name: /Now fix the parser/ }).click()
  await matches(t, () => detail(page).locator('pre mark').innerText(), /^Now fix the parser\.$/)
})

inBrowser('a search needs no mouse: / and arrows, Enter, Escape', async (t) => {
  const { page } = await showExample(t)
  await page.getByRole('tab', { name: 'Entries' }).focus()
  await page.keyboard.press('ArrowLeft')
  await page.getByText('Here you write a second version').waitFor()
  await page.keyboard.press('/')
  await matches(t, () => page.evaluate('document.activeElement.id'), /^search$/)
  await page.keyboard.type('a/b march')
  t.equal(await field(page).inputValue(), 'a/b march', 'in the field, / is a letter')
  await page.keyboard.press('Enter')
  await passages(page).first().waitFor()
  const focused = () =>
    page.evaluate<string>('document.activeElement.closest(".passage")?.innerText ?? document.activeElement.id')
  const texts = await passages(page).allInnerTexts()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  t.equal(await focused(), texts[1])
  await page.keyboard.press('Enter')
  const [, entry = ''] = /^Entry (\d+)/.exec(texts[1] ?? '') ?? []
  await matches(t, () => detail(page).innerText(), new RegExp(`^Entry ${entry} of 169`))
  t.equal(await passages(page).nth(1).getAttribute('aria-current'), 'true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  t.equal(await focused(), 'search')
  await page.keyboard.press('Escape')
  t.equal(await field(page).inputValue(), '')
  await page.getByRole('listbox').waitFor()
})

inBrowser('the id of an entry finds it, and equal passages are one passage that leads to all of them', async (t) => {
  const plan =
    'The plan: first read the parser, then write a test for quotes, then mend the escape rules of the writer.'
  const entries = buildRawEntries([
    user('Make a plan.'),
    assistant(plan),
    user('And again?'),
    assistant(plan),
    user(tokens(30)),
  ])
  const { page, strip } = await openPage(t)
  await paste(page, JSON.stringify({ entries }))
  await strip.waitFor()
  await field(page).fill('"escape rules"')
  await matches(
    t,
    () =>
      passages(page)
        .allInnerTexts()
        .then((all) => all.join()),
    /^Entry 4\s+Answer\s[^]*escape rules[^]*Nearly the same in another entry:\s+2$/,
  )
  await page.getByRole('button', { name: 'Entry 2', exact: true }).click()
  await matches(t, () => detail(page).innerText(), /^Entry 2 of 5/)
  await field(page).fill(String(entries[2]?.['id']))
  await matches(
    t,
    () =>
      passages(page)
        .allInnerTexts()
        .then((all) => all.join()),
    /^Entry 3\s+Request\s+And again\?$/,
  )
})

/** Opens a session that is too large to be searched while the user types. */
async function openLarge(page: Page): Promise<void> {
  const long = Array.from({ length: 60 }, (_, at) => [
    assistant('', [call(`c${at}`, 'bash', { command: `cat log-${at}` })]),
    result(`c${at}`, `line ${at} needle\n`.padEnd(90_000, 'x y z ')),
  ])
  const body = JSON.stringify({ entries: buildRawEntries([user('Read the logs.'), ...long.flat()]) })
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'long.json', mimeType: 'application/json', buffer: Buffer.from(body) })
  await strip(page).waitFor()
}

inBrowser('a large session is searched with Enter only, and a newer search ends the one before', async (t) => {
  const { page } = await openPage(t)
  await openLarge(page)
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('/recall') && sent.push(request.url()))
  await field(page).pressSequentially('needle')
  await matches(t, () => status(page), /^Press Enter to search/)
  t.same(sent, [])
  await Promise.all([page.waitForRequest(/recall/), page.keyboard.press('Enter')])
  await page.keyboard.type('x')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await matches(t, () => status(page), /messages and calls have it/)
  t.equal(sent.length, 2)
})

inBrowser('a query that waits for Enter does not stand above what the one before has found', async (t) => {
  const { page } = await openPage(t)
  await openLarge(page)
  await field(page).fill('needle')
  await field(page).press('Enter')
  await passages(page).first().waitFor()
  await field(page).fill('zzyzx')
  await matches(t, () => status(page), /^Press Enter to search/)
  t.equal(await passages(page).count(), 0)
  t.equal(await detail(page).count(), 0)
})

inBrowser('the problem of a query stands above no passages, and goes with the next query or compaction', async (t) => {
  const { page, compact } = await showExample(t, { expected: /400/ })
  const alert = page.getByRole('alert')
  const search = async (text: string): Promise<void> => {
    await field(page).fill(text)
    await field(page).press('Enter')
  }
  await search('march')
  await passages(page).first().waitFor()
  await search('"')
  await matches(t, () => alert.innerText(), /The query has no words/)
  t.equal(await passages(page).count(), 0)
  await search('march')
  await passages(page).first().waitFor()
  t.equal(await alert.count(), 0)
  await search('"')
  await alert.waitFor()
  await field(page).fill('')
  await page.getByRole('listbox').waitFor()
  t.equal(await alert.count(), 0)
  await search('"')
  await alert.waitFor()
  await compact()
  t.equal(await alert.count(), 0)
})

inBrowser(
  'a click on a lost fact shows the entry where it stood, which is searched for if it is unknown',
  async (t) => {
    const { page, source } = await showResult(t, { isShort: true })
    await page.getByRole('link', { name: /errors missing$/ }).click()
    const named = page.locator('.losses details[open] li .fact')
    await named.last().click()
    await matches(t, () => source.innerText(), /: place 1 of \d+[^]*Entry \d+ of 169/)
    await matches(
      t,
      () => source.locator('pre mark').innerText(),
      new RegExp((await named.last().innerText()).slice(0, 12)),
    )
    await source.getByRole('button', { name: 'Search for it' }).click()
    await passages(page).first().waitFor()
    t.match(await field(page).inputValue(), /^".+"$/)
  },
)

inBrowser('what no entry has word for word is searched for by its words', async (t) => {
  const { page, source, editor, openEditor } = await showResult(t)
  await openEditor()
  await editor.fill('## Goal\nRead `src/money/rounding.ts`.')
  await page.getByRole('button', { name: 'Check the correction' }).click()
  await page.getByText(/Not in the session: .*rounding\.ts/).waitFor()
  await page.getByRole('button', { name: 'Close the editor' }).click()
  await page.locator('.summary-text mark.unknown a').click()
  await matches(t, () => source.innerText(), /rounding\.ts: no entry has it word for word/)
  t.same(await findAxeViolations(page), [])
  await source.getByRole('button', { name: 'Search for its words' }).click()
  t.equal(await field(page).inputValue(), 'src/money/rounding.ts')
  await passages(page).first().waitFor()
})

inBrowser('a search fits a phone, and shows the entry that is chosen', async (t) => {
  const { page } = await showExample(t, {
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  })
  await field(page).fill('decimal strings')
  await passages(page).first().waitFor()
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  await passages(page).first().tap()
  const box = await detail(page).getByRole('heading').boundingBox()
  t.ok(box !== null && box.y > 0 && box.y < 844, 'the entry is on the screen')
  t.same(await findAxeViolations(page), [])
})

inBrowser('with service tokens, a search sends the one of the tab', async (t) => {
  const { page } = await openPage(t, { settings: { tokens: ['right-token'] } })
  await page.getByLabel('This service needs a service token').fill('right-token')
  await page.keyboard.press('Enter')
  await openExample(page)
  await field(page).fill('decimal')
  await passages(page).first().waitFor()
})

inBrowser(
  'a part of a long edit is shown in its call, and nothing is shown beside a search without a result',
  async (t) => {
    const { page } = await showExample(t)
    await field(page).fill('march.csv')
    await matches(t, () => passages(page).first().innerText(), /^Entry \d+\s+Edit: write[^]*write test\/app\.test\.ts/)
    await matches(t, () => detail(page).innerText(), /Agent: write/)
    await matches(t, () => detail(page).locator('pre mark').innerText(), /march\.csv/)
    await field(page).fill('qqqzzz')
    await matches(t, () => status(page), /^No message or call has it\./)
    t.equal(await detail(page).count(), 0)
  },
)
