import t from 'tap'
import { readKeptMessages } from '../../src/agents/shared/bracket-labels.ts'
import { readTranscript } from '../../src/agents/transcripts/read.ts'
import { textOf, toolCallsOf } from '../../src/session/message.ts'

/** The same three steps, as oh-my-pi 18.2.3 serializes them for each family of models. */
const TRANSCRIPTS: [family: string, transcript: string][] = [
  [
    'Anthropic',
    'Human: Fix it.\n\nAssistant: Looking.<function_calls>\n<invoke name="read"><parameter name="path">"a.ts"</parameter></invoke>\n</function_calls>\n\nHuman: <function_results>\n<result>\n<tool_name>read</tool_name>\n<stdout>text</stdout>\n</result>\n</function_results>\n\nAssistant: Done.',
  ],
  [
    'others',
    'Human: Fix it.\n\nAssistant: <thinking>\nhm\n</thinking>Looking.<invoke name="read"><parameter name="path">"a.ts"</parameter></invoke>\n\nHuman: <tool_response>\ntext\n</tool_response>\n\nAssistant: Done.',
  ],
  [
    'ChatML',
    '<|im_start|>user\nFix it.<|im_end|>\n<|im_start|>assistant\n<think>\nhm\n</think>Looking.<tool_call>\n{"name":"read","arguments":{"path":"a.ts"}}\n</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\ntext\n</tool_response><|im_end|>\n<|im_start|>assistant\nDone.<|im_end|>',
  ],
  [
    'Harmony',
    '<\\|start\\|>user<\\|message\\|>Fix it.<\\|end\\|><\\|start\\|>assistant<\\|channel\\|>analysis<\\|message\\|>hm<\\|end\\|><\\|start\\|>assistant<\\|channel\\|>final<\\|message\\|>Looking.<\\|end\\|><\\|start\\|>assistant<\\|channel\\|>commentary to=functions.read<\\|message\\|>{"path":"a.ts"}<\\|call\\|><\\|start\\|>functions.read to=assistant<\\|channel\\|>commentary<\\|message\\|>text<\\|end\\|><\\|start\\|>assistant<\\|channel\\|>final<\\|message\\|>Done.<\\|end\\|>',
  ],
  [
    'Gemini',
    '<bos><start_of_turn>user\nFix it.<end_of_turn>\n<start_of_turn>model\n```thinking\nhm\n```\nLooking.```tool_code\ndefault_api.read(path="a.ts")\n```<end_of_turn>\n<start_of_turn>user\n```tool_outputs\ntext\n```<end_of_turn>\n<start_of_turn>model\nDone.<end_of_turn>',
  ],
  [
    'DeepSeek',
    '<｜begin▁of▁sentence｜><｜User｜>Fix it.<｜Assistant｜><think>\nhm\n</think>Looking.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{"path":"a.ts"}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜><｜tool▁output▁begin｜>text<｜tool▁output▁end｜><｜Assistant｜>Done.<｜end▁of▁sentence｜>',
  ],
  [
    'Kimi',
    '<|im_user|>user<|im_middle|>Fix it.<|im_end|><|im_assistant|>assistant<|im_middle|><think>\nhm\n</think>Looking.<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path":"a.ts"}<|tool_call_end|><|tool_calls_section_end|><|im_end|><|im_system|>read<|im_middle|>text<|im_end|><|im_assistant|>assistant<|im_middle|>Done.<|im_end|>',
  ],
]

for (const [family, transcript] of TRANSCRIPTS)
  t.test(
    `the transcript for ${family} models is read: the speakers, the call and its result, without the thinking`,
    async (t) => {
      const messages = readTranscript(transcript)
      const said = messages.map((message) => [
        message.role,
        'content' in message ? textOf(message.content).replace(/\s+/g, ' ') : '',
      ])
      t.same(
        said.filter(([, text]) => text !== ''),
        [
          ['user', 'Fix it.'],
          ['assistant', 'Looking.'],
          ['toolResult', 'text'],
          ['assistant', 'Done.'],
        ],
      )
      t.same(
        messages.flatMap(toolCallsOf).map(({ name, arguments: values }) => [name, values]),
        [['read', { path: 'a.ts' }]],
      )
    },
  )

const SYSTEM_PROMPTS: [family: string, prompt: string, request: string][] = [
  ['ChatML', '<|im_start|>system\nBe brief.<|im_end|>\n', '<|im_start|>user\nFix it.<|im_end|>\n'],
  [
    'Harmony',
    '<|start|>system<|message|>Be brief.<|end|><|start|>developer<|message|>Be kind.<|end|>',
    '<|start|>user<|message|>Fix it.<|end|>',
  ],
  ['DeepSeek', '<｜System｜>Be brief.', '<｜User｜>Fix it.'],
  ['Kimi', '<|im_system|>system<|im_middle|>Be brief.<|im_end|>', '<|im_user|>user<|im_middle|>Fix it.<|im_end|>'],
  [
    'Llama',
    '<|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>',
    '<|start_header_id|>user<|end_header_id|>\n\nFix it.<|eot_id|>',
  ],
]

for (const [family, prompt, request] of SYSTEM_PROMPTS)
  t.test(`a system prompt for ${family} models is left out: it is no result of a tool`, async (t) => {
    t.strictSame(readTranscript(prompt + request), [{ role: 'user', content: [{ type: 'text', text: 'Fix it.' }] }])
  })

t.test('text without a speaker is one user message', async (t) => {
  t.strictSame(readTranscript('Just words.'), [{ role: 'user', content: [{ type: 'text', text: 'Just words.' }] }])
  t.strictSame(readTranscript(' '), [])
})

t.test(
  'what opencode 2 keeps as text is read by its labels, and only words behind a label of the user are his',
  (t) => {
    const kept = [
      'end of an older message',
      '[User]: Fix it.',
      '[System update]: Today is Monday.',
      '[Synthetic context]: Never push.',
      '[Assistant]: Looking.\n[Assistant tool call]: bash({"command":"ls"})\n[Tool result]: a.ts',
      '[Shell]: npm test\nall passed',
      '[Assistant]: Done.',
    ]
    t.strictSame(
      readKeptMessages(kept.join('\n\n')).map((message) => [
        message.role,
        'content' in message && textOf(message.content),
      ]),
      [
        ['custom', 'end of an older message'],
        ['user', 'Fix it.'],
        ['custom', 'Today is Monday.'],
        ['custom', 'Never push.'],
        ['assistant', 'Looking.'],
        ['toolResult', 'a.ts'],
        ['custom', 'npm test\nall passed'],
        ['assistant', 'Done.'],
      ],
    )
    t.strictSame(readKeptMessages('Never push.'), [
      { role: 'custom', content: [{ type: 'text', text: 'Never push.' }] },
    ])
    t.strictSame(readKeptMessages(''), [])
    t.end()
  },
)
