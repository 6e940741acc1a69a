import { readFileSync } from 'node:fs'
import { DEFAULT_SETTINGS } from '../../src/plan/settings.ts'
import { buildRawEntries, assistant, call, result, tokens, user } from '../support/build-entries.ts'
import {
  BUDGET,
  findAxeViolations,
  inBrowser,
  matches,
  openExample,
  openPage,
  paste,
  setToLeast,
  showExample,
  showResult,
} from './browser.ts'

const EXAMPLE = readFileSync(new URL('../../examples/session.jsonl', import.meta.url), 'utf8')

inBrowser('the example shows at once what a compaction replaces and what stays', async (t) => {
  const { page, strip } = await showExample(t)
  const text = await page.locator('.session-heading').innerText()
  t.match(text, /A compaction replaces 73 entries \(21,183 tokens\) by a summary/)
  t.match(text, /The newest 48 entries \(19,823 tokens\) stay word for word/)
  t.match(text, /a turn|a request of the user, with all work on it/)
  t.match(await page.getByRole('list', { name: 'Colours of the strip' }).innerText(), LEGEND)
  t.equal(await strip.getAttribute('aria-valuemax'), '169')
  t.ok((await page.getByRole('option').count()) < 60, 'only visible rows are in the page')
})

/** Each region with its size, and each mark of the strip. */
const LEGEND = new RegExp(
  [
    'Summarized before: 39 entries, 9,583 tokens',
    'Summary in the context: 869 tokens',
    'Summarized now: 45 entries, 11,442 tokens',
    'Summarized now: start of the current request: 28 entries, 9,741 tokens',
    'Stays word for word: 48 entries, 19,823 tokens',
    'Not in the context: 8 entries',
    'Height: request, agent, tool output. Width: tokens',
    'Failed',
    '1 earlier compaction: made where the mark is',
  ].join('\\s+'),
)

inBrowser('everything can be done with the keyboard alone', async (t) => {
  const { page, result, strip } = await openPage(t)
  await page.getByRole('button', { name: 'Open the example' }).focus()
  await page.keyboard.press('Enter')
  await strip.waitFor()
  await strip.focus()
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
  await matches(t, () => strip.getAttribute('aria-valuetext'), /^Entry 167 of 169, .*, Stays word for word/)
  await matches(t, () => page.getByRole('region', { name: 'Selected entry' }).innerText(), /Entry 167 of 169/)
  await matches(t, () => page.getByRole('listbox').getAttribute('aria-activedescendant'), /entry-166/)
  await page.getByRole('listbox').focus()
  await page.keyboard.press('ArrowUp')
  await matches(t, () => strip.getAttribute('aria-valuetext'), /^Entry 166 of 169/)
  await page.getByRole('tab', { name: 'Entries' }).focus()
  await page.keyboard.press('ArrowRight')
  const prompts = page.getByRole('tab', { name: 'What the model reads' })
  await matches(t, () => prompts.getAttribute('aria-selected'), /true/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Tab')
  await page.keyboard.type('money')
  await page.keyboard.press('Enter')
  await result.getByRole('button', { name: 'Correct the summary' }).first().press('Enter')
  await page.keyboard.type('Mine: ')
  for (const key of ['Tab', 'Enter']) await page.keyboard.press(key)
  await result.getByText('Missing sections: Goal').waitFor()
})

inBrowser('hovering the strip shows an entry, and a click selects it', async (t) => {
  const { page, strip } = await showExample(t)
  const box = await strip.boundingBox()
  t.ok(box)
  await page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 20)
  await matches(
    t,
    () => page.locator('.current p').innerText(),
    /^Entry 3 of 169, Request, 129 tokens, Summarized before\. The March/,
  )
  await page.mouse.click((box?.x ?? 0) + 2, (box?.y ?? 0) + 20)
  await matches(
    t,
    () => page.getByLabel('Content of the entry').innerText(),
    /three come back with "gross is not net \+ vat"/,
  )
})

inBrowser('a control that is moved changes the plan', async (t) => {
  const { page } = await showExample(t)
  await setToLeast(page, 'Newest tokens that stay word for word')
  await page.getByText('The newest entry', { exact: true }).waitFor()
  await page.keyboard.press('End')
  await page.getByText(/There is nothing to compact/).waitFor()
  await page.getByRole('button', { name: 'Reset: Newest tokens that stay word for word' }).click()
  await page.getByText(/The newest 48 entries/).waitFor()
  const share = page.getByRole('slider', { name: 'Compact above this share, in percent' })
  t.equal(await share.inputValue(), '85', 'without a window, that of the command line counts')
  await setToLeast(page, 'Context window of the agent’s model, in tokens')
  await page.getByText(/Compact now: .* the threshold is 6,800/).waitFor()
  await share.focus()
  await page.keyboard.press('End')
  await page.getByText(/the threshold is 7,920/).waitFor()
  const budget = page.getByRole('slider', { name: 'Tokens that the summary is written from' })
  await budget.focus()
  await page.keyboard.press('Home')
  await page.getByText(/A model would read \d,\d{3} tokens/).waitFor()
})

inBrowser(
  'a control without a value shows the default that applies: the budget of the operator, and the share of the window',
  async (t) => {
    const { page } = await showExample(t, { settings: { transcriptTokens: 12_000 } })
    const slider = (name: string) => page.getByRole('slider', { name })
    // No operator can change this one.
    const keep = String(DEFAULT_SETTINGS.keepRecentTokens)
    t.equal(await slider('Newest tokens that stay word for word').inputValue(), keep)
    const budget = slider('Tokens that the summary is written from')
    t.same([await budget.inputValue(), await budget.getAttribute('aria-valuetext')], ['12000', 'default: 12,000'])
    await budget.focus()
    await page.keyboard.press('Home')
    await matches(t, () => budget.getAttribute('aria-valuetext'), /^1,000$/)
    await page.getByRole('button', { name: 'Reset: Tokens that the summary is written from' }).click()
    await matches(t, () => budget.getAttribute('aria-valuetext'), /^default: 12,000$/)
    const window = slider('Context window of the agent’s model, in tokens')
    t.equal(await window.getAttribute('aria-valuetext'), 'default: 200,000')
    await window.fill('64000')
    const share = slider('Compact above this share, in percent')
    // 64,000 tokens without the reserve of 16,384.
    await page.getByText(/the threshold is 47,616/).waitFor()
    await matches(t, () => share.getAttribute('aria-valuetext'), /^default: 74$/)
    await window.fill('200000')
    await matches(t, () => share.getAttribute('aria-valuetext'), /^default: 85$/)
  },
)

const MESSAGES = JSON.stringify({
  messages: [
    { role: 'user', content: 'Say hello.' },
    { role: 'assistant', content: 'Hello.' },
  ],
})

/** A session with a long output and a secret. */
const entries = buildRawEntries([
  user('Read the log. password=hunter2-hunter2'),
  assistant('', [call('c', 'bash', { command: 'cat log' })]),
  result('c', Array.from({ length: 3000 }, (_, line) => `line ${line} of the log`).join('\n')),
  user(tokens(30)),
])

inBrowser(
  'a session in our own form is read with the settings of the page, which marks what was cut and replaced',
  async (t) => {
    const { page, strip } = await openPage(t)
    await paste(page, JSON.stringify({ entries, settings: { keepRecentTokens: 30, transcriptTokens: 2000 } }))
    await strip.waitFor()
    await setToLeast(page, 'Newest tokens that stay word for word')
    await page.getByText(/A compaction replaces 3 entries/).waitFor()
    await setToLeast(page, BUDGET)
    await page.getByRole('tab', { name: 'What the model reads' }).click()
    await page.locator('pre mark.mark-cut').waitFor()
    t.match(await page.locator('pre mark.mark-cut').innerText(), /^\[\.\.\. \d+ characters left out \.\.\.\]$/)
    t.match(await page.locator('pre mark.mark-replaced').first().innerText(), /^\[redacted:[a-z-]+\]$/)
  },
)

/** A session whose provider counts 50,000 tokens outside the messages, and 1.25 for each token of our estimate. */
const counted = (input: number) =>
  assistant(tokens(10_000), [], { usage: { input, output: 0, cacheRead: 0, cacheWrite: 0 } })
const measured = buildRawEntries([
  user(tokens(10_000)),
  counted(60_000),
  user(tokens(10_000)),
  counted(87_500),
  user(tokens(10_000)),
])

inBrowser('tokens outside the messages are a figure of their own, and the page says why fewer stay', async (t) => {
  const { page, result, strip, compact } = await openPage(t)
  await paste(page, JSON.stringify({ entries: measured }))
  await strip.waitFor()
  await page.getByText(/^10,000 tokens stay: the cut is between two messages/).click()
  const text = await page.locator('main').innerText()
  t.match(
    text,
    /now reads about 97,500 tokens: 50,000 in messages, and the rest beside them \(system prompt, tools, and its own way of counting\)/,
  )
  t.match(text, /Kept: 10,000 tokens by our estimate, about 12,500 as the provider counts; 20,000 were asked for\./)
  await compact()
  const after = await result.innerText()
  t.match(after, /Before: about 97,500 tokens\s+beside the messages: 47,500/)
  t.match(after, /After: about 5\d,\d{3} tokens\s+beside the messages: 40,\d{3}/)
  t.match(
    after,
    /^About 4\d,\d{3} tokens less \(4\d %\)\. The provider counts 1\.25 tokens for each of ours: what it has beside the messages shrinks with them/m,
  )
})

inBrowser('a document that is no session gets an explanation', async (t) => {
  const { page } = await openPage(t, { expected: /status of 4\d\d/ })
  await paste(page, '{"shopping": ["milk"]}')
  t.match(
    await page.getByRole('alert').innerText(),
    /^What you pasted is no session that Précis knows: it begins with “\{"shopping": \["milk"\]\}”\. Open the session file of/,
  )
  await page.getByRole('button', { name: 'Close' }).click()
  const picture = {
    name: 'photo.png',
    mimeType: 'image/png',
    buffer: Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0]),
  }
  await page.locator('input[type=file]').setInputFiles(picture)
  await matches(t, () => page.getByRole('alert').innerText(), /^“photo\.png” is not text, so it is no session/)
})

inBrowser('a compaction shows its summary, whose facts lead to the entries where they stand', async (t) => {
  const { page, result, source, strip } = await showResult(t)

  const text = await result.innerText()
  t.match(text, /73 of 169 entries are replaced by the summary below: 21,183 tokens become \d,\d{3}\./)
  t.match(text, /The newest 48 entries \(19,823 tokens\) stay word for word\./)
  t.match(
    text,
    /Not in the summary\s+Nothing that code looks for is missing\. The agent no longer sees the replaced entries/,
  )
  t.equal(await result.getByText('Not fully read').count(), 0, 'all of it was read')
  t.match(text, /Before: 41,875 tokens\s+earlier summary and older entries: 22,052\s+newest: 19,823/)
  t.match(text, /Written by the embedded summarizer in .* 0 model calls/)
  t.match(text, /: \d of 7 checks passed, \d after code added what was missing\./)

  t.match(text, /Evidence\s+failed: npm run typecheck/)
  await result.getByText(/Files that were changed: \d+/).click()
  await result.getByText('Requests: all 3 are in the summary').waitFor()
  t.equal(await result.locator('mark.unknown').count(), 0, 'all that code wrote has a place in the session')
  // A part of a longer word is no fact.
  t.equal(await result.getByText('invoices', { exact: true }).count(), 0)
  const fact = result.getByRole('link', { name: 'src/money.ts', exact: true }).first()
  await fact.click()
  await matches(t, () => source.innerText(), /src\/money\.ts: place 1 of \d+/)
  await matches(t, () => source.locator('pre mark').innerText(), /^src\/money\.ts$/)
  const place = () => strip.getAttribute('aria-valuenow')
  const first = await place()
  await fact.press('Enter')
  await matches(t, () => source.innerText(), /place 2 of/)
  t.not(await place(), first)
  await source.getByRole('button', { name: 'Previous place' }).click()
  await matches(t, place, new RegExp(`^${first}$`))
  // Updated by hand: UPDATE_SCREENSHOT=1 npm run test:page
  if (process.env['UPDATE_SCREENSHOT'] !== undefined) await takeScreenshot(page)
})

inBrowser('what a short summary has lost leads to the entry where it stood, and into a correction', async (t) => {
  const { page, result, source, editor } = await showResult(t, { isShort: true })
  await result.getByRole('link', { name: /^\d of 3 errors missing$/ }).click()
  const lost = result.locator('.losses details[open] li').first()
  await lost.getByRole('link').click()
  await matches(t, () => source.innerText(), /place 1 of \d+\s[^]*Entry \d+ of 169/)
  await lost.getByRole('button', { name: 'Add to the correction' }).click()
  const text = await lost.getByRole('link').innerText()
  await lost.getByRole('button', { name: 'Added: show the correction' }).click()
  t.ok((await editor.inputValue()).includes(`## Added by Hand\n- ${text}\n`))
  await matches(t, () => source.innerText(), /place 1 of/)
  t.ok(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled())
  await page.getByText('Check the correction first: what is saved is what was checked.').waitFor()
})

async function takeScreenshot(page: Awaited<ReturnType<typeof openPage>>['page']): Promise<void> {
  await page.setViewportSize({ width: 1100, height: 850 })
  await page.evaluate("document.querySelector('h2').scrollIntoView()")
  await page.screenshot({ path: 'docs/page.png' })
}

inBrowser('what was not read of a session is counted above its list', async (t) => {
  const [head = '', ...lines] = EXAMPLE.trimEnd().split('\n')
  const { id } = JSON.parse(lines.at(-1) ?? '') as { id: string }
  const content = [{ type: 'hologram' }, { type: 'hologram' }, { type: 'text', text: 'Go on.' }]
  const newest = { type: 'message', id: 'newest', parentId: id, message: { role: 'user', content } }
  const unknown = { type: 'telemetry', id: 'unknown', parentId: null }
  const session = [head, '{"type": "mess', JSON.stringify(unknown), ...lines, JSON.stringify(newest)]
  const { page, strip, compact } = await openPage(t)
  await paste(page, session.join('\n'))
  await strip.waitFor()
  await compact()
  await page.getByText('Not fully read: 1 line, 1 entry, 2 content blocks').click()
  t.same(await page.locator('#unread[open] li').allInnerTexts(), [
    'Lines that are not JSON: 2',
    'Unknown types of entries: telemetry',
    'Unknown types of content blocks (only their text is read): hologram (2)',
  ])
  t.same(await findAxeViolations(page), [])
})

inBrowser('a compaction works in a browser that cannot iterate over a stream, such as Safari', async (t) => {
  const { page, result, compact } = await openPage(t)
  await page.addInitScript(
    'delete ReadableStream.prototype[Symbol.asyncIterator]; delete ReadableStream.prototype.values',
  )
  await page.reload()
  await openExample(page)
  await compact()
  t.match(await result.innerText(), /Written by the embedded/)
})

inBrowser('a corrected summary is checked again, and saved for the agent or for another one', async (t) => {
  const { page, result, editor, openEditor } = await showResult(t)
  await openEditor()
  await editor.fill('## Goal\nRead `src/money.ts` and src/nowhere/else.ts.')
  await page.getByRole('button', { name: 'Check the correction' }).click()
  await page.getByText(/Not in the session: .*src\/nowhere\/else\.ts/).waitFor()
  t.match(await editor.inputValue(), /^## Goal\nRead `src\/money\.ts`/)
  t.same(await findAxeViolations(page), [])
  const save = async (form: string): Promise<string> => {
    await page.locator('.editor').getByLabel('Take the result').selectOption(form)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save' }).click(),
    ])
    const chunks = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    return `${download.suggestedFilename()} ${Buffer.concat(chunks).toString()}`
  }
  t.match(await save('json'), /^example-session\.compaction\.json \{\n {2}"summary": "## Goal/)
  t.match(await save('text'), /^example-session\.summary\.md ## Goal\nRead/)
  t.match(await save('native'), /^example-session\.native\.jsonl \{"type":"compaction".*src\/money\.ts/)
  await page
    .getByText(/Append it to the session file: cat "example-session\.native\.jsonl" >> "example session"/)
    .waitFor()
  t.match(await save('claude-code'), /^example-session\.claude-code\.jsonl \{[^]*src\/money\.ts/)
  await page.getByRole('button', { name: 'Compact', exact: true }).click()
  await result.getByRole('heading', { name: 'Next Steps' }).waitFor()
})

inBrowser(
  'without a result there is nothing to compare, and a changed setting is said to be newer than the result',
  async (t) => {
    const { page, result } = await showExample(t)
    await page.getByRole('tab', { name: 'Another version' }).click()
    await page.getByRole('button', { name: 'Compact this session' }).click()
    await result.waitFor()

    await page.getByText('Settings', { exact: true }).click()
    await page.getByRole('slider', { name: 'Newest tokens that stay word for word' }).focus()
    await page.keyboard.press('PageDown')
    await page.getByText('The settings have changed since this result.').waitFor()
    t.match(await page.locator('.card-kept').innerText(), /The newest 48 entries/)
    await page.getByRole('button', { name: 'Compact', exact: true }).click()
    await page.getByText('The settings have changed since this result.').waitFor({ state: 'detached' })
    t.notMatch(await page.locator('.card-kept').innerText(), /The newest 48 entries/)
  },
)

inBrowser('a file that is dropped or chosen is opened', async (t) => {
  const { page } = await openPage(t)
  await page.getByRole('button', { name: 'Open the example' }).waitFor()
  await page.evaluate(`{
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([${JSON.stringify(MESSAGES)}], 'dropped.json'))
    document.querySelector('header').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }`)
  await page.getByRole('heading', { name: 'dropped.json' }).waitFor()
  await page.getByText(/There is nothing to compact/).waitFor()
  await page.getByText('Open another session').click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'chosen.json', mimeType: 'application/json', buffer: Buffer.from(MESSAGES) })
  await page.getByRole('heading', { name: 'chosen.json' }).waitFor()
})
