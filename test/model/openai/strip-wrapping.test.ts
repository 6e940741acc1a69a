import t from 'tap'
import { stripWrapping } from '../../../src/model/openai/strip-wrapping.ts'

const SUMMARY = '## Goal\nMend the parser.\n\n## Next Steps\n1. Run the tests.'

/** A model's text, and the summary in it. */
const WRITTEN: [name: string, text: string, summary: string][] = [
  ['nothing around it', SUMMARY, SUMMARY],
  ['white space', `\n  ${SUMMARY}\n\n`, SUMMARY],
  ['thinking before it', `<think>\nFirst the goal.\n</think>\n\n${SUMMARY}`, SUMMARY],
  ['thinking on the same line', `<think>hm</think>${SUMMARY}`, SUMMARY],
  ['thinking under its longer name', `<thinking>hm</thinking>\n${SUMMARY}`, SUMMARY],
  ['thinking in capitals', `<THINK>hm</Think>\n${SUMMARY}`, SUMMARY],
  ['thinking twice', `<think>a</think>\n<think>b</think>\n${SUMMARY}`, SUMMARY],
  ['thinking with tags in it', `<think>a <think> b</think> c</think>\n${SUMMARY}`, SUMMARY],
  [
    'thinking between two sections',
    '## Goal\nA\n<think>hm</think>\n## Next Steps\nB',
    '## Goal\nA\n\n## Next Steps\nB',
  ],
  ['empty thinking', `<think>\n\n</think>\n\n${SUMMARY}`, SUMMARY],
  ['thinking whose opening tag was part of the prompt', `First the goal.\n</think>\n\n${SUMMARY}`, SUMMARY],
  ['the same on one line', `First the goal.</think>${SUMMARY}`, SUMMARY],
  ['the same with headings', `Draft:\n## Goal\nA\n</think>\n\n${SUMMARY}`, SUMMARY],
  ['a lone closing tag', `</think>\n\n${SUMMARY}`, SUMMARY],
  ['thinking that never ends', `<think>First the goal. ${SUMMARY}`, ''],
  ['thinking and nothing else', '<think>hm</think>', ''],
  ['a fence around the whole', `\`\`\`markdown\n${SUMMARY}\n\`\`\``, SUMMARY],
  ['a fence without a language', `\`\`\`\n${SUMMARY}\n\`\`\``, SUMMARY],
  ['a fence of tildes', `~~~~\n${SUMMARY}\n~~~~`, SUMMARY],
  ['a fence with carriage returns', '```\r\n## Goal\r\nA\r\n```', '## Goal\nA'],
  ['a fence around fences', '```md\nA\n```js\nb()\n```\nC\n```', 'A\n```js\nb()\n```\nC'],
  ['thinking before a fence', `<think>hm</think>\n\`\`\`\n${SUMMARY}\n\`\`\``, SUMMARY],
  ['a tool call after it', `${SUMMARY}\n<tool_call>\n{"name": "read"}\n</tool_call>`, SUMMARY],
  ['a tool call on the same line', `${SUMMARY} <tool_call>{"name": "read"}</tool_call>`, SUMMARY],
  ['a tool call between', 'A\n<tool_call>{"name": "read"}</tool_call>\nB', 'A\n\nB'],
  [
    "Anthropic's calls",
    `${SUMMARY}\n<function_calls>\n<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>\n</function_calls>`,
    SUMMARY,
  ],
  ['an invoke block alone', '<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>', ''],
  ['a call that was stopped at its end', `${SUMMARY}\n<tool_call>\n{"name": "read"}`, SUMMARY],
  ["GLM's call", `${SUMMARY}\n<tool_call>read\n<arg_key>path</arg_key>\n</tool_call>`, SUMMARY],
  ["Mistral's calls", `${SUMMARY}\n[TOOL_CALLS][{"name": "read", "arguments": {}}]`, SUMMARY],
  ["Mistral's newer calls", '[TOOL_CALLS]read[ARGS]{"path": "a"}', ''],
  ["Kimi's calls", `${SUMMARY}<|tool_calls_section_begin|>x<|tool_calls_section_end|>`, SUMMARY],
  ["DeepSeek's calls", `${SUMMARY}<｜tool▁calls▁begin｜>x<｜tool▁calls▁end｜>`, SUMMARY],
  ['a fence around a tool call', '```\n<tool_call>{"name": "read"}</tool_call>\n```', ''],
]

for (const [name, text, summary] of WRITTEN)
  t.test(`${name}: the summary is what remains`, async (t) => {
    t.equal(stripWrapping(text), summary)
  })

/** Texts that mention the tags, because the session is about them. */
const LEFT_ALONE: [name: string, text: string][] = [
  ['tags between backticks', 'Strip `<think>` up to `</think>`, `<tool_call>{}</tool_call>` and `[TOOL_CALLS]{` too.'],
  ['a pair named in a line', '## Goal\nStrip <think> and </think> from answers.'],
  ['a closing tag named in a line', '## Goal\nThe </think> tag was missing.'],
  ['tags of calls named in a line', '## Goal\nEscape <tool_call> and <invoke> and [TOOL_CALLS] in prompts.'],
  ['one fence among others', '```js\na()\n```\nthen\n```js\nb()\n```'],
  ['one fence without a language among others', '```\na()\n```\nthen\n```\nb()\n```'],
  ['a fence whose end closes another', '```\nA\n```js\nb()\n```'],
  ['a fence that is not closed', '```js\na()'],
  ['a fence at the end', 'Run:\n```\nnpm test\n```'],
]

for (const [name, text] of LEFT_ALONE)
  t.test(`${name} is left alone`, async (t) => {
    t.equal(stripWrapping(text), text)
  })

t.test('thinking is stripped from a text that is longer in lower case', async (t) => {
  t.equal(stripWrapping('<think>İİİİ</think>İyi.'), 'İyi.')
})

t.test('many tags without an end take linear time', async (t) => {
  t.equal(stripWrapping('<think>x\n'.repeat(200_000)), '')
})
