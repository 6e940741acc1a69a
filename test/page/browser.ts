import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import t, { type Test } from 'tap'
import type { SessionForPage } from '../../src/jobs/services.ts'
import type { Settings } from '../../src/settings.ts'
import type { Summarizer } from '../../src/model/summarizer.ts'
import { listenApp } from '../support/start-app.ts'

const [executablePath] = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].filter((path) =>
  existsSync(path),
)

/** Why tests in a browser are skipped; false if they are not. */
const noBrowser = executablePath === undefined ? 'Chromium is not installed (apt-get install chromium)' : false

/**
 * A test in the browser that all tests of a file share. On a busy machine Chromium may stop drawing frames for good while all
 * else in it goes on, and then no click ends: such a test, and only such a one, is run again in a new browser.
 */
export const inBrowser = (name: string, test: (t: Test) => Promise<void>) =>
  t.test(name, { skip: noBrowser }, async (t) => {
    try {
      await test(t)
    } catch (error) {
      if (await drawsFrames()) throw error
      t.comment(`Chromium has stopped drawing frames: ${String(error)}`)
      await (await browser)?.close()
      browser = undefined
      await test(t)
    }
  })

/** Whether all open tabs draw frames. */
async function drawsFrames(): Promise<boolean> {
  const tabs = (await browser)?.contexts().flatMap((context) => context.pages()) ?? []
  const frame = 'new Promise((resolve) => requestAnimationFrame(() => resolve(true)))'
  const drawn = tabs.map((tab) => Promise.race([tab.evaluate<boolean>(frame), setTimeout(10_000, false)]))
  return (await Promise.all(drawn)).every(Boolean)
}

export const EMBEDDED: Summarizer = { name: 'embedded', windowTokens: () => 128_000 }

let browser: Promise<Browser> | undefined

t.setTimeout(600_000)
t.teardown(async () => (await browser)?.close())

export interface PageOptions {
  settings?: Partial<Settings>
  summarizer?: Summarizer
  context?: BrowserContextOptions
  sessionForPage?: SessionForPage
  /** Console errors that the test causes. */
  expected?: RegExp
  path?: string
}

/**
 * Opens the page of a new service in a new tab. After the test, the tab must have had no error and no request to another host.
 */
export async function openPage(
  t: Test,
  { settings = {}, summarizer = EMBEDDED, sessionForPage, context, expected, path = '/' }: PageOptions = {},
) {
  const { url } = await listenApp(t, { summarizer, settings, ...(sessionForPage && { sessionForPage }) })
  browser ??= chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox', '--disable-gpu'] })
  const tab = await (await browser).newContext({ viewport: { width: 1280, height: 900 }, ...context })
  const page = await tab.newPage()
  // The machine may be busy. The page asks for less where its last request took long.
  page.setDefaultTimeout(60_000)
  await page.addInitScript('performance.now = () => 0')
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected?.test(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) faults.push(request.url())
  })
  t.teardown(async () => {
    await tab.close()
    // An assertion would come too late.
    if (faults.length > 0) throw new Error(`Errors, or requests to another host: ${faults.join('; ')}`)
  })
  await page.goto(url + path)
  return { page, url, ...partsOf(page) }
}

/** The parts of a page that many tests read, and what many do there. */
function partsOf(page: Page) {
  const result = page.getByRole('article', { name: 'Result of the compaction' })
  return {
    ...{ result, strip: strip(page) },
    /** The entry that has the fact that was clicked. */
    source: page.getByRole('complementary', { name: 'Where it stands' }),
    editor: page.getByRole('textbox', { name: 'The summary, as the agent will read it' }),
    openEditor: () =>
      page
        .getByRole('button', { name: /^(?:Correct the summary|Go on correcting)$/ })
        .first()
        .click(),
    compact: async (): Promise<void> => {
      await page.getByRole('tab', { name: 'Compact', exact: true }).click()
      await page.getByRole('button', { name: 'Compact', exact: true }).click()
      await result.waitFor()
    },
  }
}

/** Opens the example session by its button. */
export async function openExample(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open the example' }).click()
  await strip(page).waitFor()
}

export const strip = (page: Page) => page.getByRole('slider', { name: 'Session, entry by entry' })

/** Pastes a session, as a user does. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.getByLabel('Or paste it here').focus()
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', ${JSON.stringify(text)})
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  }`)
}

/** Waits until a text of the page matches: it is drawn a moment after what the user does. */
export async function matches(t: Test, read: () => Promise<string | null>, pattern: RegExp): Promise<void> {
  for (let tries = 0; tries < 200 && !pattern.test((await read()) ?? ''); tries++) await setTimeout(50)
  t.match(await read(), pattern)
}

/** Moves the control with a name to its beginning. */
export async function setToLeast(page: Page, name: string): Promise<void> {
  await page.getByRole('slider', { name }).focus()
  await page.keyboard.press('Home')
}

export const BUDGET = 'Tokens that the summary is written from'

/** Opens the page with the example session. */
export async function showExample(t: Test, options?: PageOptions) {
  const opened = await openPage(t, options)
  await openExample(opened.page)
  return opened
}

/** Opens the page with the example session, and compacts it: if it is to be short, with a budget at which errors are lost. */
export async function showResult(t: Test, { isShort = false, ...options }: PageOptions & { isShort?: boolean } = {}) {
  const opened = await showExample(t, options)
  if (isShort) await setToLeast(opened.page, BUDGET)
  await opened.compact()
  return opened
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
}

/** Returns what axe finds wrong with the page as it is now: all rules in light colours, and the contrast of dark ones too. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })")
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await page.evaluate<AxeResults>("axe.run({ runOnly: ['color-contrast'], resultTypes: ['violations'] })")
  await page.emulateMedia({ colorScheme: 'light' })
  return [light, dark].flatMap(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`)),
  )
}
