/** A short conversation of a coding agent, in the format of OpenAI's chat completions. */
export const conversation = [
  { role: 'user' as const, content: 'The test of src/calc.ts fails. Fix it, and never touch test/calc.test.ts.' },
  {
    role: 'assistant' as const,
    content: 'add() in src/calc.ts returned a - b. It returns a + b now, and the test passes.',
  },
  { role: 'user' as const, content: 'Why did nobody notice?' },
  { role: 'assistant' as const, content: 'The test ran only in the nightly build, and its report went to nobody.' },
]

export const question = { role: 'user' as const, content: 'Summarize our conversation, so that you can go on from it.' }
