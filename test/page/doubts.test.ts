import { findAxeViolations, inBrowser, matches, openExample, openPage, paste } from './browser.ts'

const NDJSON = (lines: readonly unknown[]): string =>
  lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')

const item = (role: string, text: string) => ({
  timestamp: 't',
  type: 'response_item',
  payload: { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
})

inBrowser('that only the provider can read a compaction of Codex is said, and where it was made', async (t) => {
  const { page, strip } = await openPage(t)
  const history = [item('user', 'Fix it').payload, { type: 'compaction', encrypted_content: 'x' }]
  const compacted = { timestamp: 't', type: 'compacted', payload: { message: '', replacement_history: history } }
  const lines = [
    { timestamp: 't', type: 'session_meta', payload: { id: 's' } },
    item('user', 'Fix it'),
    item('assistant', 'Fixed'),
    compacted,
  ]
  await paste(page, NDJSON([...lines, item('user', 'On')]))
  await strip.waitFor()
  const heading = page.locator('.session-heading')
  t.match(
    await heading.innerText(),
    /Codex compacted this session at entry 2 with a summary that only the provider of its model can read/,
  )
  t.match(
    await page.getByRole('list', { name: 'Colours of the strip' }).innerText(),
    /1 earlier compaction, encrypted: made where the mark is/,
  )
  await page.getByRole('tab', { name: 'Your agent’s summary' }).click()
  await page.getByRole('button', { name: 'Compare' }).waitFor()
})

const said = (uuid: string, parentUuid: string | null, role: 'user' | 'assistant', text: string) => ({
  ...{ type: role, uuid, parentUuid, sessionId: 's', cwd: '/w', version: '2.1.39', isSidechain: false },
  message: { role, content: [{ type: 'text', text }] },
})

inBrowser('a damaged line is named with the entries that it cuts off', async (t) => {
  const { page, strip } = await openPage(t)
  const lines = [
    said('a', null, 'user', 'Fix it'),
    said('b', 'a', 'assistant', 'Fixed'),
    JSON.stringify(said('c', 'b', 'user', 'And now?')).slice(0, 60),
    said('d', 'c', 'assistant', 'Now the docs.'),
    said('e', 'd', 'user', 'Go on'),
  ]
  await paste(page, NDJSON(lines))
  await strip.waitFor()
  t.match(
    await page.locator('.session-heading').innerText(),
    /1 line of the file could not be read \(3\).* The 2 entries before entry 3 are cut off from the newest ones/,
  )
  await page.getByText('On a branch that was left: 2 entries').waitFor()
  await matches(t, () => page.getByRole('option').first().innerText(), /On a branch that was left/)
  t.same(await findAxeViolations(page), [])
})

const entry = (id: string, parentId: string | null, more: object) => ({ id, parentId, timestamp: 't', ...more })
const message = (role: string, text: string) => ({ type: 'message', message: { role, content: text } })

inBrowser('a compaction on a branch that was left is no mark, and nothing is compared with it', async (t) => {
  const { page, strip } = await openPage(t)
  await paste(
    page,
    NDJSON([
      { type: 'session', version: 3, id: 's', timestamp: 't', cwd: '/w' },
      entry('a', null, message('user', 'Fix it')),
      entry('b', 'a', message('assistant', 'Fixed')),
      entry('c', 'b', { type: 'compaction', summary: 'It is fixed.', firstKeptEntryId: 'b', tokensBefore: 10 }),
      entry('d', 'a', message('assistant', 'Another way')),
    ]),
  )
  await strip.waitFor()
  const legend = await page.getByRole('list', { name: 'Colours of the strip' }).innerText()
  t.match(legend, /Stays word for word: 2 entries, \d+ tokens\s+On a branch that was left: 2 entries/)
  t.notMatch(legend, /compaction/)
  await page.getByRole('tab', { name: 'Your agent’s summary' }).click()
  await page.getByText(/has not compacted this session yet on the branch of its newest entry/).waitFor()
})

inBrowser('where nothing is compacted, one button lets fewer tokens stay', async (t) => {
  const { page } = await openPage(t)
  await paste(
    page,
    JSON.stringify({
      messages: ['One. ', 'Two. '].flatMap((text) => [
        { role: 'user', content: text.repeat(500) },
        { role: 'assistant', content: 'Done.' },
      ]),
    }),
  )
  await page.getByText(/^There is nothing to compact: all [\d,]+ tokens of the messages stay/).waitFor()
  await page.getByRole('button', { name: 'Let fewer stay' }).click()
  await page.getByText(/^The agent’s model now reads .* A compaction replaces/).waitFor()
})

inBrowser('opening a session shows its progress, and can be stopped', async (t) => {
  const { page } = await openPage(t)
  const [hold, release] = gate()
  await page.route('**/compaction/plan*', async (route) => {
    await hold
    await route.abort()
  })
  await page.getByRole('button', { name: 'Open the example' }).click()
  await page.getByRole('progressbar').waitFor()
  await page.getByText('Reading the session').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  release()
  t.equal(await page.getByRole('alert').count(), 0, 'what the user stops is no error')
  await page.unroute('**/compaction/plan*')
  await openExample(page)
})

/** A promise, and what resolves it. */
function gate(): [Promise<void>, () => void] {
  let release = (): void => undefined
  const hold = new Promise<void>((resolve) => {
    release = resolve
  })
  return [hold, release]
}
