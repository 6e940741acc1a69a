import t from 'tap'
import { startApp } from '../support/start-app.ts'

const user = (content: string) => ({ role: 'user', content })
const node = (id: string, parentId: string | null, content: string) => ({
  type: 'message',
  id,
  parentId,
  message: user(content),
})
const label = (id: string, parentId: string) => ({ type: 'label', id, parentId })
const compaction = { type: 'compaction', id: 'c', parentId: 'a', summary: 'Done.', firstKeptEntryId: 'x' }
const EMPTY = 'The session is empty: it has no entries and no messages. Send a session with messages.'
const NONE = 'but none with a message that can be summarized. Send messages of the user or the assistant.'
const SHORT = 'there is nothing to compact yet. Compact later.'
const hint = (names: string) => ` Ignored, because their names are unknown: ${names}.`

const causes: [cause: string, url: string, payload: object, detail: string][] = [
  ['an empty list of messages', '/compaction', { messages: [] }, EMPTY],
  ['an empty list of entries', '/compaction', { entries: [] }, EMPTY],
  ['an empty list', '/handoff', { entries: [] }, EMPTY],
  [
    'an empty transcript',
    '/compaction',
    { conversation: ' ' },
    '`conversation` contains no messages, so there is nothing to compact. Send a transcript.',
  ],
  [
    'a transcript with a summary alone',
    '/compaction',
    { conversation: '[User]: Context summary:\n\n## Goal\nShip.' },
    '`conversation` contains only the summary of an earlier compaction, so there is nothing to compact. Send what follows it.',
  ],
  [
    'a short session',
    '/compaction',
    { messages: [user('hi')] },
    '`keepRecentTokens` is 20000 (the default), and the whole session has 1 token: there is nothing to compact yet. Compact later.',
  ],
  [
    'a short session with a setting of its own',
    '/compaction',
    { messages: [user('word '.repeat(2000)), user('hi')], settings: { keepRecentTokens: 9000 } },
    '`keepRecentTokens` is 9000, and the whole session has 2,035 tokens: there is nothing to compact yet. Lower it, to 1000 for example, or compact later.',
  ],
  [
    'a short transcript',
    '/compaction',
    { conversation: '[User]: hi', settings: { keepRecentTokens: 9 } },
    '`keepRecentTokens` is 9, and the whole transcript has 1 token: there is nothing to compact yet. Compact later.',
  ],
  [
    'few messages since the last compaction',
    '/compaction',
    { entries: [node('a', null, 'hi'), compaction, node('d', 'c', 'hi')] },
    '`keepRecentTokens` is 20000 (the default), and the messages after the last compaction have 1 token: there is nothing to compact yet. Compact later.',
  ],
  [
    'no message since the last compaction',
    '/compaction',
    { entries: [node('a', null, 'hi'), compaction] },
    'The session has no messages after its last compaction, so there is nothing to compact yet. Compact later.',
  ],
  [
    'one long message',
    '/compaction',
    { messages: [user('hello')], settings: { keepRecentTokens: 0 } },
    'Although the whole session has 1 token, there is nothing to compact yet: the newest message stays whatever its size, a tool call stays with its results, and no message is before them. Compact later.',
  ],
  [
    'a misspelt field',
    '/compaction',
    { messages: [user('hello')], customInstruction: 'parser' },
    `\`keepRecentTokens\` is 20000 (the default), and the whole session has 1 token: ${SHORT}${hint('1 field (`customInstruction`)')}`,
  ],
  [
    'unknown roles and settings',
    '/compaction',
    { messages: [{ role: 'robot' }, { role: 'system', content: 's' }, { role: 'ai' }], settings: { keepRecent: 1 } },
    `\`keepRecentTokens\` is 20000 (the default), and the whole session has 0 tokens: ${SHORT}${hint('1 setting (`keepRecent`); 2 roles (`robot`, `ai`)')}`,
  ],
  [
    'unknown types',
    '/handoff',
    { entries: [{ type: 'x' }, { type: 'label' }, { type: 'y' }] },
    `The session has 3 entries, ${NONE}${hint('2 entry types (`x`, `y`)')}`,
  ],
  [
    'many unknown names, one of them a secret, one with several lines',
    '/compaction',
    { messages: [user('hi')], 'a\nb': 1, ghp_16C7e42F292c6912E7710c838347Ae178B4a: 1, c: 1, d: 1, e: 1, f: 1 },
    `\`keepRecentTokens\` is 20000 (the default), and the whole session has 1 token: ${SHORT}${hint(
      '6 fields (`a b`, `[redacted:github-token]`, `c`, `d`, `e`, ...)',
    )}`,
  ],
  [
    'only instructions',
    '/compaction',
    { messages: [{ role: 'system', content: 's' }] },
    `The session has 1 entry, ${NONE}`,
  ],
  [
    'a branch without messages',
    '/compaction',
    { entries: [{ type: 'label', id: 'l', parentId: null }, node('a', null, 'hi')], leafId: 'l' },
    'The branch up to `leafId` has 1 entry, none with a message, so there is nothing to compact. Name another leaf.',
  ],
  [
    'a leaf on the same branch',
    '/branch-summary',
    { entries: [node('a', null, 'hi'), node('b', 'a', 'hi')], fromId: 'a', targetId: 'b' },
    'The agent leaves nothing behind: the entry `fromId` is on the branch of `targetId`. Check the two ids.',
  ],
  [
    'entries without messages that are left behind',
    '/branch-summary',
    { entries: [node('a', null, 'hi'), label('b', 'a'), label('c', 'b')], fromId: 'c', targetId: 'a' },
    'The agent leaves 2 entries behind, none with a message, so there is nothing to summarize.',
  ],
]

for (const [cause, url, payload, detail] of causes)
  t.test(`${cause}: POST ${url} names the cause`, async (t) => {
    const { app } = await startApp(t)
    const response = await app.inject({ method: 'POST', url, payload })
    t.same(response.json(), {
      type: 'urn:precis:problem:nothing-to-compact',
      title: 'Nothing to compact',
      status: 422,
      detail,
    })
  })
