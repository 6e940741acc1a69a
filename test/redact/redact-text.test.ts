import fc from 'fast-check'
import t from 'tap'
import { redactText } from '../../src/redact/redact-text.ts'
import { casesOf } from '../support/random-cases.ts'

const BASE = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'
const LONG = `${BASE}${BASE}`
const B64 = `${LONG}+/${BASE}`

/** Secrets by kind. They are put together here, so that no scanner takes this file for a leak. */
const SECRETS: [kind: string, secret: string][] = [
  ['openai-key', `sk-${BASE}`],
  ['openai-key', `sk-proj-${BASE}_${BASE}`],
  ['openai-key', `sk-svcacct-${BASE}`],
  ['anthropic-key', `sk-ant-api03-${BASE}-AA`],
  ['github-token', `ghp_${BASE}abcd`],
  ['github-token', `gho_${BASE}abcd`],
  ['github-token', `github_pat_11ABCDEFG_${BASE}`],
  ['gitlab-token', `glpat-${BASE.slice(0, 20)}`],
  ['aws-access-key', 'AKIA' + 'IOSFODNN7EXAMPLE'],
  ['aws-access-key', 'ASIA' + 'Y34FZKBOKMUTVV7A'],
  ['google-key', `AIza${LONG.slice(0, 35)}`],
  ['google-key', `GOCSPX-${BASE.slice(0, 28)}`],
  ['azure-secret', `abc8Q~${BASE}z`],
  ['slack-token', `xoxb-123456789012-${BASE}`],
  ['slack-token', `xapp-1-A012345-${BASE}`],
  ['stripe-key', `sk_live_${BASE.slice(0, 24)}`],
  ['stripe-key', `rk_test_${BASE.slice(0, 24)}`],
  ['npm-token', `npm_${BASE}abcd`],
  ['jwt', `eyJ${BASE}.eyJ${BASE}.${BASE}`],
  ['service-token', `gsk_${LONG}`],
  ['service-token', `SG.${BASE.slice(0, 22)}.${BASE}`],
]

/** Where a token may stand. */
const PLACES: [name: string, write: (secret: string) => string][] = [
  ['alone', (secret) => secret],
  ['in a sentence', (secret) => `Use ${secret}, please.`],
  ['in backticks', (secret) => `The key is \`${secret}\`.`],
  ['in quotes', (secret) => `{"x": "${secret}"}`],
  ['in escaped JSON', (secret) => `{\\"x\\":\\"${secret}\\"}`],
  ['in a shell export', (secret) => `export X=${secret}\nnpm test`],
  ['in Chinese', (secret) => `密钥是${secret}，不要泄露。`],
  ['in a header', (secret) => `curl -H "X-Thing: ${secret}" https://example.com`],
]

for (const [kind, secret] of SECRETS)
  t.test(`${kind}: ${secret.slice(0, 8)}...`, async (t) => {
    for (const [name, write] of PLACES) {
      const { text, redactions } = redactText(write(secret))
      t.strictSame({ text, redactions }, { text: write(`[redacted:${kind}]`), redactions: 1 }, name)
    }
  })

/** Texts with secrets that only their place tells, and what is left of them. */
const IN_PLACE: [text: string, redacted: string][] = [
  [`Authorization: Bearer ${BASE}`, 'Authorization: Bearer [redacted:authorization]'],
  [`curl -H 'authorization: bearer ${BASE}' x`, `curl -H 'authorization: bearer [redacted:authorization]' x`],
  [`Authorization: Basic dXNlcjpwYXNzd29yZDEy`, 'Authorization: Basic [redacted:authorization]'],
  ['postgres://app:hunter2@db:5432/x', 'postgres://app:[redacted:url-password]@db:5432/x'],
  ['redis://:s3cret-pass@cache:6379', 'redis://:[redacted:url-password]@cache:6379'],
  ['https://x:TOKEN123@host/compaction', 'https://x:[redacted:url-password]@host/compaction'],
  ['DB_PASSWORD=hunter2\nPORT=1', 'DB_PASSWORD=[redacted:password]\nPORT=1'],
  ['password: "correcthorse"', 'password: "[redacted:password]"'],
  [`"client_secret": "${BASE}"`, '"client_secret": "[redacted:secret]"'],
  [`api_key = '${BASE}'`, `api_key = '[redacted:secret]'`],
  [`STRIPE_KEY=${BASE}`, 'STRIPE_KEY=[redacted:secret]'],
  [`mytool --token ${BASE} --all`, 'mytool --token [redacted:secret] --all'],
  [`GOOGLE_CREDENTIALS_TOKEN=${LONG.repeat(40)}). end`, 'GOOGLE_CREDENTIALS_TOKEN=[redacted:secret]). end'],
  [`password="${'x1-'.repeat(300)}" end`, 'password="[redacted:password]" end'],
  [`mysql --password=hunter22 db`, 'mysql --password=[redacted:password] db'],
  [
    'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/' + 'bPxRfiCYEXAMPLEKEY',
    'aws_secret_access_key = [redacted:aws-secret-key]',
  ],
  [
    '"SecretAccessKey": "wJalrXUtnFEMI/K7MDENG/' + 'bPxRfiCYEXAMPLEKEY"',
    '"SecretAccessKey": "[redacted:aws-secret-key]"',
  ],
  [
    `AccountName=x;AccountKey=${B64.slice(0, 86)}==;EndpointSuffix=y`,
    'AccountName=x;AccountKey=[redacted:azure-secret];EndpointSuffix=y',
  ],
  [`//registry.example/:_authToken=${BASE}`, '//registry.example/:_authToken=[redacted:npm-token]'],
  [`https://hooks.slack.com/services/T000/B000/${BASE}`, 'https://hooks.slack.com/services/[redacted:slack-token]'],
  [`-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\nend`, '[redacted:private-key]\nend'],
  [`-----BEGIN OPENSSH PRIVATE KEY-----\n${LONG}\n-----END OPENSSH PRIVATE KEY-----`, '[redacted:private-key]'],
  [`"-----BEGIN EC PRIVATE KEY-----\\n${LONG}\\n-----END EC PRIVATE KEY-----\\n"`, '"[redacted:private-key]\\n"'],
  [`-----BEGIN RSA PRIVATE KEY-----\n${LONG}\n${LONG}\n\nThen it was cut.`, '[redacted:private-key], it was cut.'],
]

for (const [text, redacted] of IN_PLACE)
  t.test(redacted.slice(0, 70), async (t) => {
    if (text.includes('Then it')) {
      // A key that was cut off ends where its signs do, or a little behind: never before.
      t.notOk(redactText(text).text.includes(BASE))
      t.equal(redactText(text).redactions, 1)
    } else t.strictSame(redactText(text), { text: redacted, redactions: 1 })
  })

/** Texts in which nothing is secret. */
const HARMLESS = [
  'src/redact/find-secrets.ts:42 and ./task-list/disk-usage.md, sk-SK, risk-based',
  'commit 3f2a1bc9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3 in 123e4567-e89b-12d3-a456-426614174000',
  '"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
  'toolu_01A09q90qw90lq917835lq9 call_e24d3ceb22090ee9 msg_abc chatcmpl-123 fc_4711aa',
  'password: string; token?: Token; apiKey: process.env.OPENAI_API_KEY; secret = getSecret()',
  'const token = req.headers.authorization; password=$PASSWORD; password: ${{ secrets.DB }}; pwd=/work/main',
  'maxTokens: 512, tokens: 100, "total_tokens": 123456, tokenBefore=39132',
  'password: <password>, api_key: "your-api-key-here", token: ***, secret: null, passwd: true',
  'Enter your password: then press return. The token: it expires. A secret is kept.',
  'https://example.com:8080/path@2x.png and http://127.0.0.1:3000/a:b user@host.example',
  'import { token } from "./token.ts"; <input type="password" name="password">',
  'Basic authentication and Bearer tokens are both taken.',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
]

for (const text of HARMLESS)
  t.test(`no secret: ${text.slice(0, 60)}`, async (t) => {
    t.strictSame(redactText(text), { text, redactions: 0 })
  })

const noise = fc.string({ unit: fc.constantFrom(...Array.from('ab1 \n"\'=:/@.,-_密é')), maxLength: 60 })

t.test('whatever stands around it, no part of a token is left, and the same again changes nothing', async () => {
  fc.assert(
    fc.property(fc.constantFrom(...SECRETS), noise, noise, ([, secret], before, after) => {
      const { text, redactions } = redactText(`${before} ${secret} ${after}`)
      return redactions >= 1 && !text.includes(secret) && redactText(text).redactions === 0
    }),
    { seed: 20261121, numRuns: casesOf(500) },
  )
})

t.test('a text without an end takes linear time', async (t) => {
  for (const part of [
    'password=',
    '://a:',
    '-----BEGIN PRIVATE KEY-----',
    'eyJaaaaaaaaa.',
    'bearer ',
    '--token ',
    'sk-',
    '-: -----BEGIN PRIVATE KEY-----\n',
    `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(100)}`,
    `${'token='.repeat(8)}${')'.repeat(450)}x `,
    'token=$token=',
  ])
    t.ok(redactText(part.repeat(400_000 / part.length)).text.length > 0, part)
})

t.test('a mention of the label of a private key deletes nothing', async (t) => {
  const requests = Array.from({ length: 60 }, (_, index) => `[User]: Please add test ${index} for the parser.`).join(
    '\n\n',
  )
  const before = "<conversation>\n[User]: if (pem.startsWith('-----BEGIN PRIVATE KEY-----')) return 'pem'\n\n"
  const after = '\n</conversation>\n<previous-summary>keys end with -----END PRIVATE KEY-----</previous-summary>'
  const text = before + requests + after
  t.strictSame(redactText(text), { text, redactions: 0 })
})

t.test('of a private key that was cut, only its own text is replaced', async (t) => {
  for (const [text, redacted] of [
    [
      `-----BEGIN RSA PRIVATE KEY-----\n${LONG}\n${LONG}\n\nThen it was cut.`,
      '[redacted:private-key]\n\nThen it was cut.',
    ],
    [
      `a\n 1→-----BEGIN EC PRIVATE KEY-----\n 2→${LONG}\n 3→done = true`,
      'a\n 1→[redacted:private-key]\n 3→done = true',
    ],
    [
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${LONG}\n\n[User]: Next, please.`,
      '[redacted:private-key]\n\n[User]: Next, please.',
    ],
    [`x="-----BEGIN PRIVATE KEY-----\\n${LONG}\\n" # cut`, 'x="[redacted:private-key]\\n" # cut'],
  ] as const)
    t.strictSame(redactText(text), { text: redacted, redactions: 1 })
})

t.test('of two secrets that overlap, the end of the longer one is replaced too', async (t) => {
  for (const [text, redacted] of [
    [`DB_PASSWORD="ghp_${BASE}!more-Tail9xQ"`, 'DB_PASSWORD="[redacted:password]"'],
    [`DB_PASSWORD=ghp_${BASE}!more-Tail9xQ end`, 'DB_PASSWORD=[redacted:github-token] end'],
    [`Authorization: Bearer sk-ant-${BASE}/more.Tail9xQ end`, 'Authorization: Bearer [redacted:anthropic-key] end'],
  ] as const) {
    const { text: left, redactions } = redactText(text)
    t.equal(left.replace(/:[a-z-]+\]/, ']'), redacted.replace(/:[a-z-]+\]/, ']'))
    t.equal(redactions, 1)
  }
})
