import t from 'tap'
import { findProjectRules, isProjectRule, projectFilesIn } from '../../src/extract/project-rules.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'

const rulesOf = (text: string, path = '/p/CLAUDE.md'): string[] => findProjectRules([{ path, text }], String)

t.test(
  'the rules of a file are its items with the lines below them, and sentences that demand something',
  async (t) => {
    const text = [
      '# kilnplan',
      'A planner for kilns. Never edit legacy/.',
      '- Commit messages: one line,',
      '  at most 60 characters.',
      '- Style:',
      '  - two spaces',
      '  - no semicolons',
      '1. A change of behaviour has a test.',
      '- Commands:',
      '',
      '```sh',
      '- must not be read',
      '```',
      'The server reads files.',
    ].join('\n')
    t.strictSame(rulesOf(text), [
      'Never edit legacy/. (rule of CLAUDE.md)',
      'Commit messages: one line, at most 60 characters. (rule of CLAUDE.md)',
      'Style: two spaces; no semicolons (rule of CLAUDE.md)',
      'A change of behaviour has a test. (rule of CLAUDE.md)',
    ])
  },
)

t.test('each rule is there once, of the newest text of each file', async (t) => {
  const files = [
    { path: '/p/CLAUDE.md', text: '- Use tabs' },
    { path: '/p/web/CLAUDE.local.md', text: '- Use npm\n- use spaces' },
    { path: '/p/CLAUDE.md', text: '- Use spaces' },
  ]
  t.strictSame(findProjectRules(files, String), [
    'use spaces (rule of CLAUDE.local.md)',
    'Use npm (rule of CLAUDE.local.md)',
  ])
})

t.test('of many rules, those that demand are chosen, as far as there is room', async (t) => {
  const items = Array.from({ length: 200 }, (_, at) => `- src/part${at}/ has part ${at}\n- Never touch part ${at}`)
  const rules = rulesOf(items.join('\n'))
  t.ok(rules.every((rule) => rule.startsWith('Never touch ')))
  t.equal(rules[0], 'Never touch part 0 (rule of CLAUDE.md)')
  const tokens = estimateTextTokens(rules.join('\n'))
  t.ok(tokens > 250 && tokens < 320, `${tokens} tokens`)
})

t.test('the file that Codex shows is read, and no message of the user that looks like it', async (t) => {
  const text = '# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\n- Answer in English.\n</INSTRUCTIONS>'
  const filesOf = (role: 'custom' | 'user') =>
    projectFilesIn([
      {
        id: 'a',
        parentId: null,
        type: 'message',
        index: 0,
        range: { start: 0, end: 1 },
        message: { role, content: [{ type: 'text', text }] },
      },
    ])
  t.strictSame(filesOf('user'), [])
  t.strictSame(filesOf('custom'), [{ path: 'AGENTS.md', text: '\n- Answer in English.\n' }])
})

t.test('a rule of a file is recognized in a summary', async (t) => {
  t.ok(isProjectRule('- Use tabs (rule of CLAUDE.md)'))
  t.notOk(isProjectRule('- Use tabs'))
  t.ok(rulesOf('- Use tabs', '/p/my (own) rules.md').every(isProjectRule))
})
