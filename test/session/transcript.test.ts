import t from 'tap'
import { splitTranscript } from '../../src/session/transcript.ts'

t.test('each label opens a block, with the offsets of its text', async (t) => {
  const transcript = [
    '[User]: Hi',
    '[Assistant thinking]: Hm',
    '[Assistant]: Yes',
    '[Assistant tool calls]: ls()',
    '[Tool result]: a.ts',
  ].join('\n\n')
  t.strictSame(
    [...splitTranscript(transcript)],
    [
      { kind: 'user', text: 'Hi', start: 0, end: 10 },
      { kind: 'thinking', text: 'Hm', start: 12, end: 36 },
      { kind: 'assistant', text: 'Yes', start: 38, end: 54 },
      { kind: 'toolCalls', text: 'ls()', start: 56, end: 84 },
      { kind: 'toolResult', text: 'a.ts', start: 86, end: 105 },
    ],
  )
})

const kindsAndTexts = (transcript: string): [string, string][] =>
  [...splitTranscript(transcript)].map(({ kind, text }) => [kind, text])

t.test('a label counts after a blank line only, and paragraphs without one belong to the block before', async (t) => {
  t.strictSame(
    kindsAndTexts('[User]: a\n[Assistant]: b\n\nmore [Assistant]: c\n\n  [Assistant]: d\n\n[Assistant]: e'),
    [
      ['user', 'a\n[Assistant]: b\n\nmore [Assistant]: c\n\n  [Assistant]: d'],
      ['assistant', 'e'],
    ],
  )
})

t.test('a line of white space is blank, with any line end', async (t) => {
  t.strictSame(kindsAndTexts('[User]: a\r\n\r\n[Assistant]: b\n \t\n[User]: c\n\n\n\n[User]: d\n\n'), [
    ['user', 'a'],
    ['assistant', 'b'],
    ['user', 'c'],
    ['user', 'd'],
  ])
})

t.test('other line ends than a line feed part no blocks', async (t) => {
  for (const end of ['\r\r', '\n\r', '\u2028\u2028']) {
    t.strictSame(kindsAndTexts(`[User]: a${end}[Assistant]: b`), [['user', `a${end}[Assistant]: b`]])
  }
})

t.test('only the exact labels count', async (t) => {
  for (const label of ['[user]: ', '[User] : ', '[System]: ', '[User]:x', '\\[User]: ', 'User: ', '[Tool result] ']) {
    t.strictSame(kindsAndTexts(`[Assistant]: a\n\n${label}b`), [['assistant', `a\n\n${label}b`]])
  }
})

t.test('the space after a label may be missing at the end of its line', async (t) => {
  t.strictSame(kindsAndTexts('[Tool result]:\nb\n\n[Tool result]:\n\n[Tool result]:'), [
    ['toolResult', '\nb'],
    ['toolResult', ''],
    ['toolResult', ''],
  ])
})

t.test('text before the first label, or without any, is from the user', async (t) => {
  t.strictSame(
    [...splitTranscript('Some text.\n\n[Note]: more\n')],
    [{ kind: 'user', text: 'Some text.\n\n[Note]: more', start: 0, end: 24 }],
  )
  t.strictSame(kindsAndTexts('Before\n\n[Assistant]: a'), [
    ['user', 'Before'],
    ['assistant', 'a'],
  ])
  t.strictSame([...splitTranscript('\n \n[User]: a')], [{ kind: 'user', text: 'a', start: 3, end: 12 }])
})

t.test('a blank transcript has no blocks', async (t) => {
  t.strictSame([...splitTranscript('')], [])
  t.strictSame([...splitTranscript(' \n\n\t')], [])
})
