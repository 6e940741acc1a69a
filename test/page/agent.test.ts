import { readFileSync } from 'node:fs'
import { findAxeViolations, inBrowser, matches, openPage, paste, showExample } from './browser.ts'

const NAME = 'Comparison with the agent'

inBrowser('the summary of the agent is shown beside one of the same entries, with what each has lost', async (t) => {
  const { page, source } = await showExample(t)
  await page.getByRole('tab', { name: 'Your agent’s summary' }).click()
  await page.getByRole('button', { name: 'Compare' }).click()
  const compared = page.getByRole('article', { name: NAME })
  await compared.waitFor()
  const rows = await compared.getByRole('row').allInnerTexts()
  t.match(rows[0], /pi \(coder-large\)\s+Précis \(embedded summarizer\)/)
  t.match(rows[1], /length in tokens\s+869\s+[\d,]+/)
  t.match(rows[2], /requests\s+1 of 3\s+3 of 3/)
  await matches(t, () => compared.getByRole('region', { name: 'Summary by pi (coder-large)' }).innerText(), /Goal/)
  const tops = await Promise.all(
    [/^Summary by pi/, /^Summary by Précis/].map(async (name) => compared.getByRole('region', { name }).boundingBox()),
  )
  t.equal(tops[0]?.y, tops[1]?.y, 'side by side')
  const lost = compared.getByRole('region', { name: 'What only one of the summaries has' })
  await lost.getByRole('link').first().click()
  await matches(t, () => source.innerText(), /Entry 3 of 169/)
  t.same(await findAxeViolations(page), [])
})

inBrowser('the picture is saved as PNG', async (t) => {
  const { page } = await showExample(t)
  await page.getByRole('tab', { name: 'Your agent’s summary' }).click()
  await page.getByRole('button', { name: 'Compare' }).click()
  const save = page.getByRole('button', { name: 'Save the picture (PNG)' })
  await save.waitFor()
  const sizes: number[] = []
  for (const hasText of [false, true]) {
    if (hasText) await page.getByLabel('with facts of the session').check()
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
    t.equal(download.suggestedFilename(), 'example-session.comparison.png')
    const bytes = readFileSync(await download.path())
    t.same([bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16)], ['PNG', 2400])
    sizes.push(bytes.readUInt32BE(20))
  }
  t.ok((sizes[1] ?? 0) > (sizes[0] ?? 0), 'facts need room')
})

inBrowser('that there is nothing to compare is said before it is tried', async (t) => {
  const { page } = await openPage(t)
  await paste(page, JSON.stringify({ type: 'message', message: { role: 'user', content: 'Hello.' } }))
  await page.getByRole('tab', { name: 'Your agent’s summary' }).click()
  const panel = page.getByRole('tabpanel', { name: 'Your agent’s summary' })
  await matches(t, () => panel.innerText(), /^Your agent has not compacted this session yet/)
  t.equal(await panel.getByRole('button').count(), 0)
})

inBrowser('a document that is no session is named in the words of its user', async (t) => {
  const { page } = await openPage(t, { expected: /400|422/ })
  const problem = page.getByRole('alert')
  await paste(page, 'hello this is a note')
  await matches(
    t,
    () => problem.innerText(),
    /^What you pasted is no session that Précis knows: it begins with “hello this is a note”\. Open the session file of Claude Code/,
  )
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  const choose = page.locator('input[type=file]')
  await choose.setInputFiles(file('half.jsonl', '{"a":1'))
  await matches(t, () => problem.innerText(), /^“half\.jsonl” is not whole: it ends in the middle of a value/)
  await choose.setInputFiles(file('none.jsonl', ' '))
  await matches(t, () => problem.innerText(), /^“none\.jsonl” is empty\./)
})

inBrowser('a session that was typed is opened by a button', async (t) => {
  const { page } = await openPage(t)
  const open = page.getByRole('button', { name: 'Open', exact: true })
  t.ok(await open.isDisabled())
  await page
    .getByLabel('Or paste it here')
    .fill(JSON.stringify({ messages: [{ role: 'user', content: 'Typed by hand.' }] }))
  await open.click()
  await page.getByRole('heading', { name: 'pasted session' }).waitFor()
})
