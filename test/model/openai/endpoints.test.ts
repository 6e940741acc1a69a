import t from 'tap'
import { createOpenAiSummarizer } from '../../../src/model/openai/openai-summarizer.ts'
import { candidates, openBudget, outcomeOf, TASK } from '../../support/start-summarizer.ts'

interface Sent {
  url: string
  key: string | null
  model: string
}

/** Returns a fetch of which only one host answers. */
function fetchOf(working: string): { fetch: typeof fetch; sent: Sent[] } {
  const sent: Sent[] = []
  const answer = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input)
    const { model } = JSON.parse(init?.body as string) as { model: string }
    sent.push({ url: url.href, key: new Headers(init?.headers).get('authorization'), model })
    if (url.host !== working) return Response.json({ error: { message: 'bad key' } }, { status: 401 })
    return Response.json({ choices: [{ message: { content: 'The summary.' }, finish_reason: 'stop' }] })
  }
  return { fetch: answer, sent }
}

const OPTIONS = {
  baseUrl: 'http://own.example/v1',
  apiKey: 'k-own',
  presetKeys: { anthropic: 'k-anthropic', gemini: 'k-gemini' },
  candidates: candidates('anthropic:claude-haiku-4-5', 'qwen3:8b', 'gemini:gemini-2.5-flash'),
  maxSummaryTokens: 1000,
  concurrency: 4,
  brevityDemand: 'Be shorter.',
}

t.test('each candidate is asked on its own server, with its own key and the name that this server knows', async (t) => {
  const { fetch, sent } = fetchOf('generativelanguage.googleapis.com')
  const summarizer = createOpenAiSummarizer({ ...OPTIONS, fetch })
  const draft = await summarizer.summarize(TASK, openBudget())
  t.same([draft.text, draft.model, draft.calls], ['The summary.', 'gemini:gemini-2.5-flash', 3])
  t.strictSame(sent, [
    { url: 'https://api.anthropic.com/v1/chat/completions', key: 'Bearer k-anthropic', model: 'claude-haiku-4-5' },
    { url: 'http://own.example/v1/chat/completions', key: 'Bearer k-own', model: 'qwen3:8b' },
    {
      url: 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions',
      key: 'Bearer k-gemini',
      model: 'gemini-2.5-flash',
    },
  ])
  t.same(summarizer.candidates, ['anthropic:claude-haiku-4-5', 'qwen3:8b', 'gemini:gemini-2.5-flash'])
})

t.test('a request can choose one candidate by its name with the server, and a failure names it so', async (t) => {
  const { fetch, sent } = fetchOf('nobody.example')
  const only = createOpenAiSummarizer({ ...OPTIONS, fetch }).only?.('anthropic:claude-haiku-4-5')
  t.same(only === undefined ? undefined : await outcomeOf(only.summarize(TASK, openBudget())), {
    type: 'model-misconfigured',
    detail:
      'anthropic:claude-haiku-4-5: the model server rejected the API key (HTTP 401). Check the API key and the model ' +
      'names in the configuration of the service.',
  })
  t.equal(sent.length, 1)
})
