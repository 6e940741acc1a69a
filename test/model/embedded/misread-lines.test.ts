import t from 'tap'
import { pairMessages } from '../../../src/extract/runs.ts'
import { writeExtract } from '../../../src/model/embedded/write-extract.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import type { SummaryKind } from '../../../src/prompt/task.ts'
import type { Message } from '../../../src/session/message.ts'
import { extractShortSummary } from '../../../src/summary/draft.ts'
import { getSection, parseSections } from '../../../src/text/sections.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../../support/build-entries.ts'

const messagesOf = (drafts: EntryDraft[]): Message[] => buildEntries(drafts).map(({ message }) => message!)

const summaryOf = (messages: Message[], previousSummary?: string, kind: SummaryKind = 'history'): string => {
  const source = sourceOf(pairMessages(messages), previousSummary)
  return extractShortSummary(writeExtract({ kind, maxTokens: 13_107, source })).text
}

const section = (summary: string, heading: string): string =>
  getSection(parseSections(summary), heading).join('\n').trim()

const FAILING = messagesOf([
  user('Commit the parser, please.'),
  assistant('', [call('c1', 'bash', { command: 'git commit -m parser' })]),
  result('c1', 'fatal: the hook has failed', { isError: true }),
])

const FOREIGN = `1. Primary Request and Intent:
   Write a parser.
2. Key Technical Concepts:
   - Tables
3. Problem Solving:
   - The cache was the cause.
   - **Unsolved/Blocking**: the lexer is slow.
4. All User Messages:
   - "Write a parser"
5. Current Work:
   Measuring.`

t.test(
  'what code adds never stands below a label of an earlier summary, not after ten compactions either',
  async (t) => {
    const labelled = `Key Technical Concepts:
- Tables

Problem Solving:
- The cache was the cause.
- **Unsolved/Blocking**: the lexer is slow.

All User Messages:
- "Write a parser"`
    let text = FOREIGN
    for (let round = 0; round < 10; round++) {
      text = summaryOf(FAILING, text)
      t.equal(section(text, '## Critical Context'), `- \`git commit -m parser\`: failed (error)\n\n${labelled}`)
      t.match(section(text, '## Next Steps'), '- fatal: the hook has failed')
    }
  },
)

t.test('a rule that an earlier summary has written in its own words holds after ten compactions too', async (t) => {
  const rules = `- Don't guess a file's format from its content: the caller names the profile
- An amount such as \`1.234\` is rejected, with "ambiguous" in the reason`
  let text = `## Goal\nRead invoices.\n\n## Constraints & Preferences\n${rules}\n\n## Progress\n\n### Done\n(none)\n\n## Next Steps\n(none)`
  for (let round = 0; round < 10; round++) {
    text = summaryOf(FAILING, text)
    t.equal(section(text, '## Constraints & Preferences'), rules)
  }
})

t.test('problems that an earlier summary calls unsolved are not done', async (t) => {
  t.equal(section(summaryOf(FAILING, FOREIGN), '### Done'), '(none)')
})

t.test(
  'what Codex writes into each context, and that the user interrupted, is not in the words of the agent',
  async (t) => {
    const context: Message = {
      role: 'custom',
      content: [
        {
          type: 'text',
          text: '# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\n# Rules\nAnswer in English.\n</INSTRUCTIONS>',
        },
        { type: 'text', text: '<environment_context>\n  <cwd>/p</cwd>\n</environment_context>' },
      ],
    }
    const skill: Message = {
      role: 'custom',
      content: [{ type: 'text', text: 'The skill `review` needs two readers.' }],
    }
    const interrupted: Message = {
      role: 'custom',
      content: [{ type: 'text', text: '[Request interrupted by user for tool use]' }],
    }
    const [request, answer] = messagesOf([user('Explain the fix, please.'), assistant('It reads all lines now.')])
    const filler = messagesOf([user('Thanks.'), assistant('Words without weight. '.repeat(900))])
    const text = summaryOf([filler[0]!, interrupted, filler[1]!, request!, skill, answer!, context])
    t.equal(section(text, '### Done'), '- Explain the fix, please. => It reads all lines now (answered)')
    t.equal(section(text, '## Critical Context'), '- Added by the client: The skill `review` needs two readers.')
  },
)

t.test('a plan without open items is done', async (t) => {
  const planned = messagesOf([
    user('Write the parser.'),
    assistant('', [call('p', 'todowrite', { todos: [{ content: 'Parse', status: 'completed' }] })]),
    result('p', 'ok'),
    assistant('It is written.'),
  ])
  t.match(section(summaryOf(planned), '## Next Steps'), /^- The newest request is answered\. .*"It is written\."$/)
})

t.test(
  'work without words is named by its files, and the next compaction does not take that for a request',
  async (t) => {
    const edits = messagesOf([
      user('Write the parser.'),
      assistant('', [call('e', 'edit', { path: 'src/a.ts', oldText: 'a', newText: 'b' })]),
      result('e', 'ok'),
    ])
    const prefix = summaryOf(edits, undefined, 'turn-prefix')
    t.equal(
      section(prefix, '## Early Progress'),
      '- [ ] Changed files: [src/a.ts]\n- Last tool call: `edit` of src/a.ts: ok',
    )
    const later = summaryOf(messagesOf([assistant('The parser is written.')]), prefix)
    t.equal(
      section(later, '## Progress'),
      '### Done\n- [x] The parser is written [src/a.ts] (said to be done)\n\n### In Progress\n(none)\n\n### Blocked\n(none)',
    )
  },
)

t.test('the error of an edit has no tags of the client, and a look at a file that is not there is none', async (t) => {
  const use = (id: string, name: string, path: string, text: string, isError: boolean): EntryDraft[] => [
    assistant('', [call(id, name, { file_path: path, old_string: 'a', new_string: 'b' })]),
    result(id, text, { isError }),
  ]
  const tagged = '<tool_use_error>File does not exist.</tool_use_error>'
  const drafts = [
    user('Edit the files of the parser.'),
    ...use('r1', 'Edit', '/p/a.ts', tagged, true),
    ...use('r2', 'Edit', '/p/b.ts', tagged, true),
    ...use('r3', 'Read', '/p/c.ts', 'File not found: /p/c.ts', true),
    ...use('r4', 'Edit', '/p/a.ts', 'ok', false),
  ]
  t.equal(section(summaryOf(messagesOf(drafts)), '## Critical Context'), '- Error: Edit /p/b.ts: File does not exist.')
})

t.test('the failure of a call of the model is an error until the next call of a tool', async (t) => {
  const failed = [user('Write the parser.'), assistant('', [], { stopReason: 'error', errorMessage: 'terminated' })]
  const looked = [assistant('', [call('r', 'Read', { file_path: '/p/a.ts' })]), result('r', 'export const a = 1')]
  t.equal(section(summaryOf(messagesOf(failed)), '## Critical Context'), '- Error: terminated')
  t.equal(section(summaryOf(messagesOf([...failed, ...looked])), '## Critical Context'), '(none)')
})
