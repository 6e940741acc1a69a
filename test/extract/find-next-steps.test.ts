import t from 'tap'
import { findIntentions, findNextSteps } from '../../src/extract/find-next-steps.ts'

const lists: [name: string, text: string, steps: string[]][] = [
  ['the list under a heading', 'Done.\n\nNext steps:\n- Run it\n- Read it\n\nBye.', ['Run it', 'Read it']],
  ['the list under a Markdown heading', '## TODO\n1. Run it\n2. Read it', ['Run it', 'Read it']],
  ['open boxes, wherever they stand', '- [x] Done\n- [ ] Open', ['Open']],
  ['no list', 'I will run it.', []],
  ['a list under another heading', 'Changes:\n- Ran it', []],
]

for (const [name, text, steps] of lists)
  t.test(`steps: ${name}`, async (t) => {
    t.strictSame(findNextSteps(text), steps)
  })

const words: [text: string, intentions: string[]][] = [
  ['It works. Let me run the tests now.', ['Let me run the tests now.']],
  ['Next, the lexer.', ['Next, the lexer.']],
  ['接下来修改解析器。', ['接下来修改解析器。']],
  ['Next steps:', []],
  ['It works.', []],
]

for (const [text, intentions] of words)
  t.test(`intentions: ${text}`, async (t) => {
    t.strictSame(findIntentions(text), intentions)
  })
