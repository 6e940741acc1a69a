import t from 'tap'
import { casesOf } from '../support/random-cases.ts'
import { redactMessages } from '../support/redact-messages.ts'
import { redactText, RULES } from '../../src/redact/redact-text.ts'
import type { Rule } from '../../src/redact/rule.ts'
import type { Message } from '../../src/session/message.ts'
import { harmlessTexts } from './corpus/harmless.ts'
import { countFamilies, secretCases, type SecretCase } from './corpus/secrets.ts'

const inTranscript = (text: string): string =>
  `[User]: Look.\n\n[Assistant tool calls]: write(path="a.txt", content=${JSON.stringify(text)})\n\n[User]: Go on.`

/** A result of a tool, and the same text as an argument. */
const asMessages = (text: string): Message[] => [
  {
    role: 'assistant',
    content: [{ type: 'toolCall', id: 'c', name: 'write', arguments: { path: 'a.txt', content: text } }],
  },
  {
    role: 'toolResult',
    toolCallId: 'c',
    toolName: 'read',
    content: [{ type: 'text', text }],
    isError: false,
    isPruned: false,
  },
]

/** What the model would see of a text, by the ways in which it can come. */
const WAYS: Record<string, (text: string) => string> = {
  'as text': (text) => redactText(text).text,
  'in a transcript': (text) => redactText(inTranscript(text)).text,
  'in messages': (text) => JSON.stringify(redactMessages(asMessages(text)).messages),
}

/** The number of characters in a row that count as a leak. */
const LEAK = 6

/** Whether a part of a secret is left in a text. */
function isLeaked(secret: string, seen: string): boolean {
  const text = seen.replaceAll(/\[redacted:[a-z-]+\]/g, '')
  const forms = [secret, JSON.stringify(secret).slice(1, -1)]
  return forms.some((form) => {
    const size = Math.min(LEAK, form.length)
    for (let at = 0; at + size <= form.length; at++) if (text.includes(form.slice(at, at + size))) return true
    return false
  })
}

function missed(cases: SecretCase[]): string[] {
  return cases.flatMap(({ family, text, secrets }) =>
    Object.entries(WAYS).flatMap(([way, see]) => {
      const seen = see(text)
      return secrets.some((secret) => isLeaked(secret, seen)) ? [`${family}, ${way}: ${text}`] : []
    }),
  )
}

/** Secrets that reach the model, with the reason why. */
const KNOWN: Record<string, string> = {
  '  password: sommerregen': 'a word without a digit, as types, labels and answers are: `password: string`',
  '| joe | ': 'a cell of a table, whose heading is far away',
  'auth=(': 'an argument without a name',
  'SESSION_SECRET=': 'words with a number, as in labels; only names of passwords take them',
  mnemonic: 'words',
}

t.test('the corpus is large enough', async (t) => {
  const cases = secretCases()
  t.ok(cases.length >= 300, String(cases.length))
  t.ok(countFamilies() >= 30)
  t.ok(harmlessTexts().length >= 150)
  t.same(
    cases.filter(({ text, secrets }) => !secrets.every((secret) => secret !== '' && isLeaked(secret, text))),
    [],
    'every secret stands in its text',
  )
})

/** Whether a rule finds something in a text. */
function findsIn(text: string, { hints, isAnyCase, find }: Rule): boolean {
  const searched = isAnyCase ? text.toLowerCase() : text
  return hints.some((hint) => {
    const word = isAnyCase ? hint.toLowerCase() : hint
    for (let at = searched.indexOf(word); at >= 0; at = searched.indexOf(word, at + 1))
      if (find(text, at, 0).length > 0) return true
    return false
  })
}

t.test('each rule finds a secret of the corpus: no rule is without an example', async (t) => {
  const texts = secretCases().map(({ text }) => text)
  const untested = RULES.filter((rule) => !texts.some((text) => findsIn(text, rule)))
  t.same(
    untested.map(({ hints }) => hints),
    [],
  )
})

t.test('no part of a secret reaches the model, except of those that are known', async (t) => {
  const lines = missed(secretCases())
  for (const known of Object.keys(KNOWN))
    t.ok(
      lines.some((line) => line.includes(known)),
      `still missed: ${known}`,
    )
  const unknown = lines.filter((line) => !Object.keys(KNOWN).some((known) => line.includes(known)))
  t.same(unknown, [])
})

t.test('with other random values, at most one secret in fifty is missed', async (t) => {
  for (const seed of ['a', 'b', 'c', 'd'].slice(0, casesOf(4))) {
    const cases = secretCases(seed)
    const lines = missed(cases)
    t.ok(
      lines.length <= (cases.length * Object.keys(WAYS).length) / 50,
      `${seed}: ${lines.length} missed\n${lines.join('\n')}`,
    )
  }
})

for (const [way, see] of Object.entries(WAYS))
  t.test(`nothing harmless is changed ${way}`, async (t) => {
    for (const text of harmlessTexts()) {
      const seen = see(text)
      const whole =
        way === 'in messages' ? JSON.stringify(asMessages(text)) : way === 'as text' ? text : inTranscript(text)
      if (seen !== whole) t.equal(seen, whole)
    }
  })

t.test('redacting twice changes nothing', async (t) => {
  for (const { text } of secretCases()) {
    const once = redactText(text).text
    const twice = redactText(once)
    if (twice.redactions > 0) t.equal(twice.text, once)
  }
})
