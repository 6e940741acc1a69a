import t from 'tap'
import { redactMessages } from '../support/redact-messages.ts'
import type { Message } from '../../src/session/message.ts'

const KEY = 'sk-proj-' + 'aB3dE5fG7hJ9kL1mN2pQ'
const GONE = '[redacted:openai-key]'
const text = (words: string) => ({ type: 'text' as const, text: words })

const answered = (answer: string): Message => ({
  role: 'toolResult',
  toolCallId: 'c',
  toolName: 'ask',
  content: [],
  isError: false,
  isPruned: false,
  userAnswers: [{ question: '', answer }],
})

t.test('every text of a message is redacted, and counted', async (t) => {
  const messages: Message[] = [
    { role: 'user', content: [text(`Use ${KEY}`)] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: `They gave ${KEY}` },
        {
          type: 'toolCall',
          id: 'c',
          name: 'bash',
          arguments: { command: `export K=${KEY}`, env: { DB_PASSWORD: 'hunter2', n: 1 } },
        },
      ],
      errorMessage: `bad ${KEY}`,
    },
    { role: 'bashExecution', command: `echo ${KEY}`, output: `${KEY}\n`, cancelled: false },
    answered(`Use ${KEY}`),
    { role: 'compactionSummary', summary: `The key ${KEY}` },
  ]
  const { messages: redacted, redactions } = redactMessages(messages)
  t.equal(redactions, 9)
  t.strictSame(redacted, [
    { role: 'user', content: [text(`Use ${GONE}`)] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: `They gave ${GONE}` },
        {
          type: 'toolCall',
          id: 'c',
          name: 'bash',
          arguments: { command: `export K=${GONE}`, env: { DB_PASSWORD: '[redacted:password]', n: 1 } },
        },
      ],
      errorMessage: `bad ${GONE}`,
    },
    { role: 'bashExecution', command: `echo ${GONE}`, output: `${GONE}\n`, cancelled: false },
    answered(`Use ${GONE}`),
    { role: 'compactionSummary', summary: `The key ${GONE}` },
  ])
})

t.test('messages without a secret are handed back as they are', async (t) => {
  const messages: Message[] = [
    { role: 'user', content: [text('Fix it.'), { type: 'image', mimeType: 'image/png' } as never] },
    { role: 'toolResult', toolCallId: KEY, toolName: 'read', content: [text('ok')], isError: false, isPruned: false },
  ]
  const { messages: same, redactions } = redactMessages(messages)
  t.equal(same, messages)
  t.equal(redactions, 0)
  const [first, second] = redactMessages([...messages, { role: 'user', content: [text(KEY)] }]).messages
  t.equal(first, messages[0])
  t.equal(second, messages[1])
})

/** Arguments whose secret only a neighbour names, and those in which a neighbour speaks of a secret and none is there. */
const NAMED: [argument: Record<string, unknown>, isSecret: boolean][] = [
  [{ field: 'Password', input: '*' }, true],
  [{ id: 'passwordField', keys: '*' }, true],
  [{ locator: 'input[type=password]', text: '*' }, true],
  [{ type: 'input', target: 'password', value: '*' }, true],
  [{ question: 'What is the password?', answers: ['*'] }, true],
  [{ prompt: 'Enter sudo password', response: '*' }, true],
  [{ text: '*', description: 'type the password' }, true],
  [{ description: 'Fix the password form', content: 'submit' }, false],
  [{ title: 'Reset of a token', text: 'Sommer' }, false],
]

t.test('a neighbour in the same object names a secret', async (t) => {
  for (const value of ['Orange2943!', 'basil-ember-yonder-zephyr', 'aB3dE5fG7hJ9kL1mN2pQ'])
    for (const [argument, isSecret] of NAMED) {
      const written = JSON.parse(JSON.stringify(argument).replace('*', value)) as unknown
      const { messages } = redactMessages([
        { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'x', arguments: written }] },
      ])
      t.equal(JSON.stringify(messages).includes('[redacted:'), isSecret, JSON.stringify(written))
    }
})

t.test('arguments of any depth do not overflow the stack', async (t) => {
  let nested: unknown = KEY
  for (let depth = 0; depth < 10_000; depth++) nested = { nested }
  const { messages } = redactMessages([
    { role: 'user', content: [text(KEY)] },
    { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'x', arguments: nested }] },
  ])
  t.notOk(JSON.stringify(messages).includes(KEY))
})

t.test('names of tools and keys of arguments are redacted, and calls keep their results', async (t) => {
  const other = `${KEY}2`
  const { messages, redactions } = redactMessages([
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: KEY, name: `run_ ${KEY}`, arguments: { [KEY]: 1, deep: [{ [other]: 2 }] } }],
    },
    {
      role: 'toolResult',
      toolCallId: KEY,
      toolName: `run_ ${KEY}`,
      content: [text('ok')],
      isError: false,
      isPruned: false,
    },
  ])
  t.equal(redactions, 4)
  t.strictSame(messages, [
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: KEY, name: `run_ ${GONE}`, arguments: { [GONE]: 1, deep: [{ [GONE]: 2 }] } }],
    },
    {
      role: 'toolResult',
      toolCallId: KEY,
      toolName: `run_ ${GONE}`,
      content: [text('ok')],
      isError: false,
      isPruned: false,
    },
  ])
})

/** The arguments of a call after the redaction. */
function redactArguments(values: unknown): unknown {
  const { messages } = redactMessages([
    { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'x', arguments: values }] },
  ])
  const [message] = messages
  const [block] = message?.role === 'assistant' ? message.content : []
  return block?.type === 'toolCall' ? block.arguments : undefined
}

t.test('two keys that are secrets keep their values apart', async (t) => {
  t.strictSame(redactArguments({ [KEY]: 1, [`${KEY}2`]: 2, [`${KEY}3`]: 3 }), {
    [GONE]: 1,
    [`${GONE} (2)`]: 2,
    [`${GONE} (3)`]: 3,
  })
})

t.test('a key that has the number of a replaced key keeps its own value', async (t) => {
  t.strictSame(redactArguments({ [`${GONE} (2)`]: 1, [KEY]: 2, [`${KEY}2`]: 3, [`${GONE} (3)`]: 4 }), {
    [`${GONE} (2)`]: 1,
    [GONE]: 2,
    [`${GONE} (3)`]: 3,
    [`${GONE} (3) (2)`]: 4,
  })
})

t.test('an argument whose name says that it is a secret is replaced whole', async (t) => {
  t.strictSame(
    redactArguments({
      password: 'pa"ss, w0rd;x',
      nested: { passphrase: 'blue horse staple battery' },
      env: [{ name: 'DB_PASSWORD', value: '@dm1n"2024' }],
      headers: { Cookie: 'sid=aB3dE5fG7hJ9kL1mN2pQ; theme=dark', 'X-Auth-Key': 'aB3dE5fG7hJ9kL1mN2pQ' },
      key: 'ArrowDown2',
      token: 'identifier',
    }),
    {
      password: '[redacted:password]',
      nested: { passphrase: '[redacted:password]' },
      env: [{ name: 'DB_PASSWORD', value: '[redacted:password]' }],
      headers: { Cookie: 'sid=[redacted:cookie]; theme=dark', 'X-Auth-Key': '[redacted:secret]' },
      key: 'ArrowDown2',
      token: 'identifier',
    },
  )
})

t.test('an argument is replaced whose name stands above it, beside it, or before it in a list', async (t) => {
  const secret = 'hunter2-Very-Secret'
  const gone = '[redacted:password]'
  for (const write of [
    (value: string) => ({ password: { value } }),
    (value: string) => ({ Name: 'DB_PASSWORD', Value: value }),
    (value: string) => ({ element: 'Password field', text: value }),
    (value: string) => ({ argv: ['mysql', '--password', value, '-v'] }),
    (value: string) => ['curl', '-u', `joe:${value}`],
    (value: string) => ({ env: [['DB_PASSWORD', value]] }),
    (value: string) => ({ auth: ['joe', value] }),
    (value: string) => ({ password: [value] }),
  ])
    t.strictSame(redactArguments(write(secret)), write(gone))
  const token = 'Token hunter2hunter2'
  t.strictSame(redactArguments({ h: [['Authorization', token]] }), {
    h: [['Authorization', 'Token [redacted:authorization]']],
  })
})

t.test('the lines of a private key are replaced where each is an element of a list', async (t) => {
  const lines = [
    '-----BEGIN EC PRIVATE KEY-----',
    'c2hvcnQ4bGluZTEyMzQ1Njc4OTA=',
    'bGFzdA==',
    '-----END EC PRIVATE KEY-----',
  ]
  const argumentsOf = (value: unknown) => {
    const [message] = redactMessages([
      { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'w', arguments: { value } }] },
    ]).messages
    const [block] = message?.role === 'assistant' ? message.content : []
    return block?.type === 'toolCall' ? block.arguments : undefined
  }
  const redacted = [lines[0], '[redacted:private-key]', '[redacted:private-key]', lines[3]]
  t.strictSame(argumentsOf([...lines, 'c2hvcnQ4bGluZTEyMzQ=']), { value: [...redacted, 'c2hvcnQ4bGluZTEyMzQ='] })
  t.strictSame(argumentsOf(lines.map((text, n) => ({ n, text }))), { value: redacted.map((text, n) => ({ n, text })) })
})

t.test('the arguments of a command are judged with the command beside them', async (t) => {
  const content = [
    { type: 'toolCall' as const, id: 'c', name: 'run', arguments: { cmd: 'curl', args: ['-u', 'joe:f7XqWr2k'] } },
  ]
  const [message] = redactMessages([{ role: 'assistant', content }]).messages
  t.match(JSON.stringify(message), /"cmd":"curl","args":\["-u","joe:\[redacted:password\]"\]/)
})

t.test('the arguments of a command are judged whatever the order of the keys, as a list and as a line', async (t) => {
  const gone = '[redacted:password]'
  for (const [given, expected] of [
    [
      { args: ['-p', 'f7XqWr2k'], command: 'mysql' },
      { args: ['-p', gone], command: 'mysql' },
    ],
    [
      { args: ['-pf7XqWr2k', 'app'], command: 'mysql' },
      { args: [`-p${gone}`, 'app'], command: 'mysql' },
    ],
    [
      { command: 'mysql', args: '-u root -pf7XqWr2k' },
      { command: 'mysql', args: `-u root -p${gone}` },
    ],
    [
      { entrypoint: ['mysqladmin'], command: ['ping', '-pf7XqWr2k'] },
      { entrypoint: ['mysqladmin'], command: ['ping', `-p${gone}`] },
    ],
    [
      { argv: ['npm', 'config', 'set', '//r/:_authToken', 'hunter2hunter2'] },
      { argv: ['npm', 'config', 'set', '//r/:_authToken', '[redacted:secret]'] },
    ],
    [
      { command: 'docker', args: ['run', '-p', '8080:80', 3] },
      { command: 'docker', args: ['run', '-p', '8080:80', 3] },
    ],
  ])
    t.strictSame(redactArguments(given), expected)
})

t.test('a value is judged by the name beside it, whatever the keys are called and in either order', async (t) => {
  const gone = '[redacted:password]'
  t.strictSame(
    redactArguments({
      list: [
        { ParameterKey: 'DBPassword', ParameterValue: 'f7XqWr2k' },
        { option_value: 'f7XqWr2k', option_name: 'db_password' },
        { name: 'Authorization', value: 'hunter2hunter2' },
        { id: 'user_pin', value: '482913' },
        { name: 'username', value: 'joe2' },
      ],
      password: { id: 'one2', value: 'f7XqWr2k' },
    }),
    {
      list: [
        { ParameterKey: 'DBPassword', ParameterValue: gone },
        { option_value: gone, option_name: 'db_password' },
        { name: 'Authorization', value: '[redacted:authorization]' },
        { id: 'user_pin', value: gone },
        { name: 'username', value: 'joe2' },
      ],
      password: { id: 'one2', value: gone },
    },
  )
})
