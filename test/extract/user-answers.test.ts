import t from 'tap'
import { readUserAnswers } from '../../src/extract/user-answers.ts'
import type { ToolResultMessage } from '../../src/session/message.ts'
import { call } from '../support/build-entries.ts'

const result = (toolName: string, text: string, fields: Partial<ToolResultMessage> = {}): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId: 'c',
  toolName,
  content: [{ type: 'text', text }],
  isError: false,
  isPruned: false,
  ...fields,
})

const ASKED = call('c', 'any', { questions: [{ id: 'color', question: 'Which color?' }] })

const CASES: [agent: string, tool: string, text: string, answers: [question: string, answer: string][]][] = [
  [
    'Claude Code 2.1.39',
    'AskUserQuestion',
    `User has answered your questions: "How?"="main was clean; fix it". You can now continue with the user's answers in mind.`,
    [['How?', 'main was clean; fix it']],
  ],
  [
    'Claude Code 2.1.330',
    'AskUserQuestion',
    'Your questions have been answered: "A or "B"?"="B", "And C?"="no, "C", "D" never". You can now continue with these answers in mind.',
    [
      ['A or "B"?', 'B'],
      ['And C?', 'no, "C", "D" never'],
    ],
  ],
  [
    'opencode',
    'question',
    `User has answered your questions: "A?"="Yes", "B?"="Unanswered". You can now continue with the user's answers in mind.`,
    [['A?', 'Yes']],
  ],
  [
    'Codex',
    'request_user_input',
    '{"answers":{"color":{"answers":["Blue","user_note: dark"]}}}',
    [['Which color?', 'Blue; user_note: dark']],
  ],
  ['Gemini CLI', 'ask_user', '{"answers":{"0":"Blue"}}', [['Which color?', 'Blue']]],
  [
    'Qwen Code',
    'ask_user_question',
    'User has provided the following answers:\n\n**Color**: Blue\nor green\n**Size**: 3',
    [
      ['Color', 'Blue\nor green'],
      ['Size', '3'],
    ],
  ],
  ['Cline', 'ask_followup_question', '<answer>\nUse Blue.\n</answer>', [['Which color?', 'Use Blue.']]],
  ['pi', 'ask', 'User selected: Blue', [['Which color?', 'Blue']]],
  ['another agent', 'ask_user', 'Blue, please', [['Which color?', 'Blue, please']]],
  ['a question without an answer', 'ask_user_question', 'User declined to answer the questions.', []],
  ['another tool', 'read', 'User selected: Blue', []],
  [
    'a file that quotes a refusal',
    'read',
    "The user doesn't want to proceed. To tell you how to proceed, the user said:\nDelete it.",
    [],
  ],
]

for (const [agent, tool, text, answers] of CASES)
  t.test(`the user's answers to a question of the agent: ${agent}`, async (t) => {
    t.strictSame(
      readUserAnswers(result(tool, text), ASKED),
      answers.map(([question, answer]) => ({ question, answer })),
    )
  })

const REFUSALS: [agent: string, text: string, fields: Partial<ToolResultMessage>, answer: string | undefined][] = [
  [
    'Claude Code',
    "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nKeep the branch.",
    { isError: true },
    'Keep the branch.',
  ],
  [
    'Cline',
    'The user denied this operation and provided the following feedback:\n<feedback>\nKeep the branch.\n</feedback>',
    { isUnmarked: true },
    'Keep the branch.',
  ],
  [
    'opencode',
    'The user rejected permission to use this specific tool call with the following feedback: Keep the branch.',
    { isError: true },
    'Keep the branch.',
  ],
  ['without words', "The user doesn't want to proceed with this tool use.", { isError: true }, undefined],
]

for (const [agent, text, fields, answer] of REFUSALS)
  t.test(`the words with which the user refused a call: ${agent}`, async (t) => {
    t.strictSame(readUserAnswers(result('bash', text, fields)), answer === undefined ? [] : [{ question: '', answer }])
  })
