import { gzipSync } from 'node:zlib'

/** A body that costs a service far more than it costs its sender. */
export interface HostileBody {
  name: string
  gzip: Buffer
}

const repeat = (text: string, characters: number): string => text.repeat(Math.floor(characters / text.length))

const list = <T>(length: number, item: (index: number) => T): T[] => Array.from({ length }, (_, index) => item(index))

const USER = '{"role":"user","content":"x"}'

const session = (messages: string): string =>
  `{"messages":[${USER},${messages},${USER}],"settings":{"keepRecentTokens":1}}`

const call = (values: string, name = 'read'): string =>
  `{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"${name}","arguments":${values}}]}`

const result = (text: string, id = 'c'): string =>
  `{"role":"toolResult","toolCallId":"${id}","toolName":"bash","isError":true,"content":"${text}"}`

const keys = (count: number): string => `{${list(count, (index) => `"k${index}":1`).join(',')}}`

/** Bodies whose values take many times the memory of their bytes. */
function memoryBodies(characters: number): Record<string, string> {
  const arrays = `[${repeat('[],', characters)}[]]`
  const objects = `[${repeat('{},', characters)}{}]`
  return {
    'turns of a transcript': `{"conversation":"${repeat('[User]: a\\n\\n', characters)}"}`,
    'arrays in an unknown field': `{"messages":[${USER}],"x":${arrays}}`,
    'objects in an unknown field': `{"messages":[${USER}],"x":${objects}}`,
    'arrays in preserveData': `{"messages":[${USER}],"preserveData":{"x":${arrays}}}`,
    'objects in preserveData': `{"messages":[${USER}],"preserveData":{"x":${objects}}}`,
    'arrays in arguments': session(call(`{"x":${arrays}}`)),
    'objects in arguments': session(call(`{"x":${objects}}`)),
    'many keys': `{"messages":[${USER}],"x":${keys(characters / 12)}}`,
  }
}

/** Bodies that took long, or overflowed a stack, in earlier versions. */
const timeBodies = (): Record<string, string> => ({
  'unclosed tags': `{"conversation":"[User]: ${repeat('<environment_context>x', 1e6)}"}`,
  'a line of calls': `{"conversation":"[User]: a\\n\\n[Assistant tool calls]: ${repeat('read(path=\\"a\\"); ', 10e6)}"}`,
  'calls in a prompt': `{"prompt":"<conversation>\\n[Assistant tool calls]: ${repeat('f(x=1); ', 2e6)}\\n</conversation>"}`,
  'arguments with 600,000 keys': session(call(keys(600_000))),
  '50,000 failing calls': session(
    list(50_000, (index) => `${call('{"command":"x"}', 'bash')},${result(`error ${index}`)}`).join(','),
  ),
  'the words PRIVATE KEY': session(result(`PRIVATE KEY ${repeat('lorem ipsum\\n', 10e6)}`)),
  passwords: `{"prompt":"${repeat('password=a1b2c3d4 ', 1.4e6)}"}`,
  '400,000 messages': session(list(400_000, () => USER).join(',')),
  'evidence of a previous summary': `{"conversation":"[User]: hi","previousSummary":"## Evidence\\n${list(100_000, (index) => `- deleted: \`f${index}\``).join('\\n')}"}`,
  commits: session(`${call('{"command":"git commit"}', 'bash')},${result(repeat('[main abcdef1] m\\n', 4e6))}`),
  'a long token': session(result(`sk-ant-${repeat('abcdefghij', 8e6)}`)),
  'long JWTs': session(result(repeat('eyJabcdefghij', 8e6))),
  'deep arguments': session(call(`${'['.repeat(500_000)}${']'.repeat(500_000)}`)),
})

/** Returns all kinds of hostile bodies, compressed. @param characters of the bodies that take memory */
export const hostileBodies = (characters: number): HostileBody[] =>
  Object.entries({ ...memoryBodies(characters), ...timeBodies() }).map(([name, text]) => ({
    name,
    gzip: gzipSync(text),
  }))
