import type { Test } from 'tap'
import { REQUIRED_SECTIONS } from '../../src/prompt/templates.ts'
import { createOpenAiSummarizer } from '../../src/model/openai/openai-summarizer.ts'
import { errorReply } from '../support/model-replies.ts'
import { startModelServer, type RecordedRequest, type Script } from '../support/model-server.ts'
import { BUDGET, findAxeViolations, inBrowser, matches, openExample, openPage, setToLeast } from './browser.ts'

/** Opens the page of a service with a model server on loopback. */
async function openWithModel(t: Test, script: Script, windows: Readonly<Record<string, number>>) {
  const server = await startModelServer(t, script)
  const candidates = Object.entries(windows).map(([model, contextWindow]) => ({ model, contextWindow }))
  const summarizer = createOpenAiSummarizer({
    baseUrl: server.url,
    apiKey: 'sk-page-test',
    candidates,
    maxSummaryTokens: 1000,
    concurrency: 4,
    brevityDemand: 'Be shorter.',
    wait: async () => undefined,
  })
  const settings = { model: { candidates, baseUrl: server.url }, maxSummaryTokens: 1000 }
  return { ...(await openPage(t, { summarizer, settings })), server }
}

const promptOf = ({ body }: RecordedRequest): string => JSON.stringify(body['messages'])

/** A summary with all sections, which names some facts. */
const summaryOf = (request: RecordedRequest, facts: string): string => {
  const kind = promptOf(request).includes('## Context for Suffix') ? 'turn-prefix' : 'history'
  return REQUIRED_SECTIONS[kind].map((heading) => `${heading}\n- The import reads ${facts}.`).join('\n\n')
}

/** Something that a test opens: model calls wait for it. */
function createGate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

inBrowser('a compaction by a model shows its progress while the calls finish, and can be stopped', async (t) => {
  const [first, others] = [createGate(), createGate()]
  const { page, server, result, compact } = await openWithModel(
    t,
    (request, index) => ({
      text: summaryOf(request, '`src/money.ts`'),
      after: index === 0 ? first.opened : others.opened,
    }),
    { small: 64_000 },
  )
  await openExample(page)
  await page.getByRole('button', { name: 'Compact this session' }).click()
  const progress = () => page.locator('.running').innerText()
  await matches(t, progress, /^Writing the summary, 0 of 2 calls done/)
  t.same(await findAxeViolations(page), [], 'running')
  first.open()
  await matches(t, progress, /^Writing the summary, 1 of 2 calls done/)
  t.equal(await page.getByRole('progressbar').getAttribute('value'), '1')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.locator('.running').waitFor({ state: 'detached' })
  t.equal(await result.count(), 0)
  const stoppedAt = server.requests.length
  others.open()
  await compact()
  const text = await result.innerText()
  const [, calls = ''] = /Written by small in .*, with (\d+) model calls \(/.exec(text) ?? []
  t.equal(calls, '2')
  t.ok(server.requests.length > stoppedAt)
})

inBrowser('the page says where a session is sent, and what of a summary the model wrote', async (t) => {
  const embedded = await openPage(t)
  const hint = 'The session is sent to this service only, which sends it to no model and does not store it.'
  await embedded.page.getByText(hint).waitFor()
  const { page, compact } = await openWithModel(t, (request) => summaryOf(request, '`src/money.ts`'), {
    large: 128_000,
  })
  await page.getByText('Compacting also sends its text to the model large;').waitFor()
  t.equal(await page.getByText('this service only, which sends it to no model').count(), 0)
  await openExample(page)
  await compact()
  await matches(
    t,
    () => page.getByRole('list', { name: 'Checks' }).innerText(),
    /The model wrote [\d,]+ of at most [\d,]+ tokens; with what code added, the summary has [\d,]+/,
  )
})

inBrowser('what a model invents is marked, and what it was not shown is named', async (t) => {
  const { page, result, compact } = await openWithModel(
    t,
    (request) => summaryOf(request, '`src/money.ts` and `src/invented/file.ts`'),
    {
      large: 128_000,
    },
  )
  await openExample(page)
  await setToLeast(page, BUDGET)
  await page.getByText(/A model would read \d,\d{3} tokens/).waitFor()
  await compact()
  t.match(await result.locator('.summary-text mark.unknown').allInnerTexts(), ['src/invented/file.ts'])
  t.match(
    await result.getByRole('list', { name: 'Checks' }).textContent(),
    /Not in the session: src\/invented\/file\.ts/,
  )
  await matches(
    t,
    () => result.locator('.card-lost').innerText(),
    /Left out of what the model read: [\d,]+ characters of long texts, in \d+ places./,
  )
  t.match(await result.locator('.card-lost').innerText(), /2 of 3 requests missing, 7 of 7 decisions missing/)
  await result.getByText('Requests: 2 of 3 are not in the summary').click()
  t.equal(await result.locator('.losses details[open] li').count(), 2)
  await page.getByRole('tab', { name: 'What the model reads' }).click()
  const next = page.getByRole('button', { name: /marked place/ }).first()
  await next.click()
  await matches(t, () => next.innerText(), /^Next marked place \(1 of \d+\)$/)
  t.equal(await page.locator('mark.is-current').count(), 1)
  t.same(await findAxeViolations(page), [], 'prompts with marks')
})

inBrowser('the results of two models are compared, and the facts that only one has are marked', async (t) => {
  const fact = { first: '`roundCents`', second: '`test/fixtures/march.csv`' } as Record<string, string>
  const { page, server, source, compact } = await openWithModel(
    t,
    (request) => summaryOf(request, fact[String(request.body['model'])] ?? ''),
    { first: 128_000, second: 128_000 },
  )
  await openExample(page)
  await compact()
  await page.getByRole('tab', { name: 'Another version' }).click()
  t.equal(
    await page.getByRole('form', { name: 'Another version' }).getByLabel('Written by').inputValue(),
    'second',
    'another model is proposed',
  )
  await page.getByLabel('Budget in tokens').fill('30000')
  await page.getByLabel('What the other summary should pay attention to').fill('the bookkeepers')
  await page.getByRole('button', { name: 'Write it' }).click()
  const columns = [
    page.getByRole('region', { name: 'First result' }),
    page.getByRole('region', { name: 'Second result' }),
  ]
  const texts = await Promise.all(columns.map((column) => column.innerText()))
  t.match(texts, [
    /Written by first in .*, with 2 model calls/,
    /Written by second in .* Budget: 30,000\. Attention to: the bookkeepers\./,
  ])
  const marked = await Promise.all(columns.map((column) => column.locator('a.is-own').allInnerTexts()))
  t.match(
    marked.map((all) => [...new Set(all)]),
    [[/^roundCents/], [/^test\/fixtures\/march\.csv/]],
  )
  t.equal(await source.count(), 0, 'before a fact is chosen')
  await columns[1]?.locator('a.is-own').first().click()
  await matches(t, () => source.innerText(), /test\/fixtures\/march\.csv: place 1 of \d+/)
  t.same(await findAxeViolations(page), [], 'comparison')
  const asked = server.requests.filter(({ body }) => body['model'] === 'second')
  // The two calls run at the same time, so either may come first.
  const prompts = asked.map(promptOf)
  for (const part of [/Additional focus: the bookkeepers/, /Context for Suffix/])
    t.equal(prompts.filter((prompt) => part.test(prompt)).length, 1, String(part))
})

inBrowser('a model that fails is explained, and the page goes on', async (t) => {
  const { page, result } = await openWithModel(t, [errorReply(401, 'Incorrect API key provided.')], { only: 128_000 })
  await openExample(page)
  await page.getByRole('button', { name: 'Compact this session' }).click()
  const problem = page.getByRole('alert')
  t.match(await problem.innerText(), /only: the model server rejected the API key \(HTTP 401\)\. Check the API key/)
  t.same(await findAxeViolations(page), [], 'problem')
  await problem.getByRole('button', { name: 'Close' }).click()
  t.equal(await problem.count(), 0)
  await page.getByLabel('Written by').selectOption('the embedded summarizer')
  await page.getByRole('button', { name: 'Compact', exact: true }).click()
  await result.getByText(/Written by the embedded summarizer in .*, with 0 model calls\./).waitFor()
})
