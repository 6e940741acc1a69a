import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from 'playwright-core'
import { describeMachine } from './support/describe-machine.ts'
import { printTable } from './support/print-table.ts'
import { largeBody } from './support/sessions.ts'
import { spawnService } from './support/spawn-service.ts'

/**
 * Measures the page at `/` in Chromium: the size of its script, the time until it can be used, the time of a plan, which decides
 * whether controls plan while they are moved, and the longest task while a session of 60 MB is opened, scrolled and searched.
 */
const ROUNDS = 5
const LARGE_MEGABYTES = 60

// This builds the page too.
const service = await spawnService({})
const DIST = fileURLToPath(new URL('../dist/page/', import.meta.url))
// The reference at `/docs` has a script of its own.
const scripts = readdirSync(DIST).filter((name) => /^(?!reference-).*\.js$/.test(name))
const scriptBytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(DIST, name))).length, 0)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const folder = mkdtempSync(join(tmpdir(), 'precis-page-'))
try {
  const interactiveMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) interactiveMs.push((await openPage()).interactiveMs)
  const { page } = await openPage()
  const exampleMs = await openSession(page, fileURLToPath(new URL('../examples/session.jsonl', import.meta.url)))
  const large = await measureLarge()
  console.log(`${describeMachine()}, Chromium ${browser.version()}\n`)
  printTable(
    ['what', 'value'],
    [
      ['script, compressed with gzip', `${(scriptBytes / 1024).toFixed(1)} KiB`],
      ['interactive, median', `${Math.round(medianOf(interactiveMs))} ms`],
      ['the example is opened and planned', `${Math.round(exampleMs)} ms`],
      [`a session of ${LARGE_MEGABYTES} MB is opened and planned`, `${Math.round(large.openMs)} ms`],
      ['its entries', String(large.entries)],
      ['longest task while it is opened', `${Math.round(large.openTaskMs)} ms`],
      ['longest task while it is scrolled, and walked through by keys', `${Math.round(large.scrollTaskMs)} ms`],
      ['a search in it, from Enter to its passages', `${Math.round(large.searchMs)} ms`],
      ['a passage of it is shown in its entry', `${Math.round(large.shownMs)} ms`],
      ['longest task meanwhile', `${Math.round(large.searchTaskMs)} ms`],
    ],
  )
} finally {
  rmSync(folder, { recursive: true })
  await browser.close()
  await service.terminate()
}

async function openPage(): Promise<{ page: Page; interactiveMs: number }> {
  const page = await (await browser.newContext()).newPage()
  await page.addInitScript(`
    globalThis.longTasks = []
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((task) => task.duration)))
      .observe({ type: 'longtask', buffered: true })
  `)
  await page.goto(service.url)
  await page.getByRole('button', { name: 'Open the example' }).waitFor()
  return { page, interactiveMs: await page.evaluate<number>('performance.now()') }
}

/** @returns how long it took until the strip was there, in milliseconds */
async function openSession(page: Page, path: string): Promise<number> {
  const startedAt = performance.now()
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByRole('slider', { name: 'Session, entry by entry' }).waitFor({ timeout: 300_000 })
  return performance.now() - startedAt
}

async function measureLarge() {
  const path = join(folder, 'large.jsonl')
  const { entries } = JSON.parse(largeBody(LARGE_MEGABYTES)) as { entries: unknown[] }
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  const { page } = await openPage()
  await longestTask(page)
  const openMs = await openSession(page, path)
  await page.waitForTimeout(1000)
  const openTaskMs = await longestTask(page)
  for (let step = 1; step <= 50; step++) {
    await page.evaluate(`{
      const rows = document.querySelector('.rows')
      rows.scrollTop = rows.scrollHeight * ${step / 50}
    }`)
    await page.waitForTimeout(20)
  }
  await page.getByRole('slider', { name: 'Session, entry by entry' }).focus()
  for (let step = 0; step < 50; step++) await page.keyboard.press(step % 10 === 9 ? 'PageDown' : 'ArrowRight')
  const scrollTaskMs = await longestTask(page)
  const { searchMs, shownMs } = await measureSearch(page)
  return {
    ...{ openMs, openTaskMs, scrollTaskMs, searchMs, shownMs, searchTaskMs: await longestTask(page) },
    entries: entries.length,
  }
}

/** Returns how long a search takes from Enter until its passages are listed, and from a click until a passage is shown in its entry. */
async function measureSearch(page: Page) {
  const field = page.getByRole('searchbox')
  await field.fill('invoice period')
  const searchMs = await timeOf(async () => {
    await field.press('Enter')
    await page.locator('.passage').first().waitFor({ timeout: 60_000 })
  })
  const shownMs = await timeOf(async () => {
    await page.locator('.passage-head button').nth(1).click()
    await page.locator('.detail pre mark').waitFor()
  })
  return { searchMs, shownMs }
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Returns the longest task since the last call, in milliseconds; tasks under 50 ms count as 0. */
function longestTask(page: Page): Promise<number> {
  return page.evaluate<number>('Math.max(0, ...globalThis.longTasks.splice(0))')
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
