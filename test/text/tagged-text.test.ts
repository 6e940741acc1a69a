import t from 'tap'
import { readAnthropicBlocks } from '../../src/agents/apis/anthropic-blocks.ts'
import { readCallOutput } from '../../src/agents/shared/call-output.ts'
import { readClineText } from '../../src/agents/apis/cline-messages.ts'
import { CallNames, readGeminiParts } from '../../src/agents/apis/gemini-parts.ts'
import { readParts } from '../../src/agents/apis/responses-parts.ts'
import { stripTag, textIn } from '../../src/text/tagged-text.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'
import { readDocument } from '../support/read-document.ts'

t.test('the elements of a tag are removed, and an open one stays', async (t) => {
  t.equal(stripTag('a<x>b</x>c<x>d</x>e<x>f', 'x'), 'ace<x>f')
  t.equal(stripTag('plain', 'x'), 'plain')
  t.equal(textIn('a<x>b</x><x>c</x>', 'x'), 'b')
  t.equal(textIn('a<x>b', 'x'), undefined)
})

/** Functions that search text of a session, each with a text that is slow if they are not linear. */
const SEARCHES: Record<string, [work: (text: string) => unknown, unit: string]> = {
  'open tags': [(text) => stripTag(text, 'x'), '<x>'],
  'tags of Cline': [readClineText, '<user_input <environment_details>'],
  'results of old versions of Cline': [(text) => readClineText(`[read_file for ${text}`), '] Result'],
  'outputs of Codex': [(output) => readCallOutput({ output }), 'Process exited with code 1 \n'],
  'outputs of Gemini CLI': [
    (output) => readGeminiParts([{ functionResponse: { response: { output } } }], new CallNames()),
    'Exit Code: 1 \n',
  ],
  'outputs of Claude Code': [
    (content) => readAnthropicBlocks([{ type: 'tool_result', is_error: true, content }], () => undefined),
    'Error: Exit code ',
  ],
  'histories of Aider': [
    (text) => readDocument(`# aider chat started at x\n#### Fix it\n${text.slice(0, text.length / 10)}`),
    '> Added a to the chat\n#### /run x\n> Applied edit to ',
  ],
  'a line of Aider': [
    (text) => readDocument(`# aider chat started at x\n#### Fix it\n> Added ${text}`),
    ' to the chat',
  ],
  'calls in texts of Cline': [
    (text) => readDocument([{ role: 'assistant', ts: 1, content: text }], { query: { format: 'cline-legacy' } }),
    '<read_file><path>',
  ],
  'outputs of SWE-agent': [
    (text) => readDocument([{ role: 'tool', message_type: 'observation', content: text }]),
    'Old environment output: (1',
  ],
  'messages of GenCode': [
    (text) => readDocument({ messages: [{ role: 'system', content: text }], metadata: {}, summaries: [] }),
    '[Earlier conversation - 1',
  ],
  'tags of images': [(text) => readParts([{ type: 'input_text', text: `<image ${text}` }]), '<image '],
}

for (const [name, [work, unit]] of Object.entries(SEARCHES))
  t.test(`the time to search ${name} grows with the length of the text`, async (t) => {
    const [short, long] = [unit.repeat(10_000), unit.repeat(40_000)]
    const growth = growthOf({ work, short, long, longest: () => unit.repeat(160_000), measurableMs: 20 })
    t.ok(growth <= MAX_GROWTH, `four times the length takes ${growth.toFixed(1)} times as long`)
  })
