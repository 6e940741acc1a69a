import { findAxeViolations, inBrowser, matches, showExample, showResult } from './browser.ts'

inBrowser(
  'a look-up leads back to where it was started, with what was open there, by a button and by the browser',
  async (t) => {
    const { page, result } = await showResult(t, { isShort: true })
    await result.getByRole('link', { name: /errors missing$/ }).click()
    const button = page.locator('.losses details[open] li').first().getByRole('button', { name: 'Look it up' })
    for (const goBack of [
      () => page.getByRole('button', { name: 'Back to where you were' }).click(),
      () => page.goBack(),
    ]) {
      await button.scrollIntoViewIfNeeded()
      const before = await page.evaluate<number>('scrollY')
      await button.click()
      await page.locator('.passage').first().waitFor()
      await matches(t, () => page.locator('.passage[aria-current=true]').innerText(), /./)
      const [, entry] = /^Entry (\d+)/.exec(await page.locator('.passage[aria-current=true]').innerText()) ?? []
      const detail = page.getByRole('tabpanel', { name: 'Entries' }).getByRole('region', { name: 'Selected entry' })
      await matches(t, () => detail.innerText(), new RegExp(`^Entry ${entry} of 169`))
      await goBack()
      await button.waitFor()
      await matches(t, async () => String(await page.evaluate('scrollY')), new RegExp(`^${before}$`))
      await matches(t, () => page.evaluate('document.activeElement.textContent'), /^Look it up$/)
    }
  },
)

inBrowser('the browser leads back from the editor, from the session and to it again: nothing is lost', async (t) => {
  const { page, editor, strip, openEditor } = await showResult(t)
  await openEditor()
  await editor.fill('## Goal\nMine.')
  await page.goBack()
  await page.getByRole('heading', { name: 'Goal' }).waitFor()
  t.equal(await editor.count(), 0)
  await matches(t, () => page.evaluate('document.activeElement.textContent'), /^Go on correcting$/)
  await page.goForward()
  await editor.waitFor()
  t.equal(await page.getByRole('tab', { selected: true }).innerText(), 'Compact')
  await page.goBack()
  await page.goBack()
  await page.getByRole('listbox').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Open the example' }).waitFor()
  t.notOk(await strip.isVisible())
  t.same(await findAxeViolations(page), [])
  await page.getByRole('button', { name: 'Back to example session' }).click()
  await page.getByRole('tab', { name: 'Compact', exact: true }).click()
  await openEditor()
  t.equal(await editor.inputValue(), '## Goal\nMine.')
})

inBrowser('a file that is refused changes nothing, and an edited correction is not lost unasked', async (t) => {
  const { page, editor, openEditor } = await showResult(t, { expected: /status of 4\d\d/ })
  await openEditor()
  await editor.fill('## Goal\nMine.')
  const asked: string[] = []
  let isAgreed = true
  page.on('dialog', (dialog) => {
    asked.push(`${dialog.type()} ${dialog.message()}`)
    void (isAgreed ? dialog.accept() : dialog.dismiss())
  })
  const choose = async (name: string, text: string): Promise<void> => {
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  }
  await choose('note.txt', 'hello this is a note')
  await matches(t, () => page.getByRole('alert').innerText(), /^“note\.txt” is no session/)
  t.equal(await editor.inputValue(), '## Goal\nMine.')
  isAgreed = false
  await choose('other.json', '{"messages": [{"role": "user", "content": "Hello."}]}')
  await matches(t, async () => asked.join('; '), /other\.json/)
  t.equal(await editor.inputValue(), '## Goal\nMine.')
  await page.reload().catch(() => undefined)
  t.same(asked, [
    'confirm Open “note.txt”, and lose the correction of the summary?',
    'confirm Open “other.json”, and lose the correction of the summary?',
    'beforeunload ',
  ])
  t.equal(await editor.inputValue(), '## Goal\nMine.', 'the reload was refused')
})

inBrowser('the summary is copied from beside the result', async (t) => {
  const { page, result, editor, openEditor } = await showResult(t, {
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  })
  await result.getByRole('button', { name: 'Copy the summary' }).click()
  await result.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  await openEditor()
  t.equal(copied, await editor.inputValue())
})

inBrowser('of an entry, the message is shown, and the whole record on demand', async (t) => {
  const { page } = await showExample(t)
  const content = page.getByLabel('Content of the entry')
  await matches(t, () => content.innerText(), /^The March import is wrong\./)
  await page.getByLabel('The whole record of the file').check()
  await matches(t, () => content.innerText(), /^type: message\n[^]*role: user/)
})
