import type { Random } from './random.ts'

/** Texts with a value as `*`, by the kind of their place; people choose such values. */
const WITH_VALUE: Record<string, readonly string[]> = {
  'names with a suffix': [
    'DB_PASSWORD_2=*\n',
    'DB_PASSWORD_NEW: *\n',
    'export GITHUB_TOKEN_PROD="*"',
    'STRIPE_SECRET_KEY_LIVE=*\n',
    '{"JWT_SECRET_V2":"*"}',
    'passwordAdmin=*\n',
    'password.prod=*\n',
    'ADMIN_TOKEN=*\n',
    'BACKEND_TOKEN="*"',
    '{"value":"*","name":"API_KEY_TEST"}',
  ],
  'other forms of settings': [
    'password: # from the vault\n  *\n',
    '? password\n: *\n',
    'vault_db_password: !vault_plain *\n',
    '&lt;password&gt;*&lt;/password&gt;',
    '<a data-x="password=&quot;*&quot;">',
    '<Variable Name="DB_PWD">*</Variable>',
    '<setting name="DbPassword"><value>*</value></setting>',
    '<key>apiSecret</key>\n<string>*</string>',
  ],
}

const FIRST = ['basil', 'velvet', 'copper', 'lantern', 'marble', 'nectar', 'willow', 'saddle']
const SECOND = ['ember', 'harbor', 'tiger', 'yonder', 'kettle', 'orchid', 'ginger', 'falcon']

const wordOf = (words: readonly string[], r: Random): string => words[Number(r.digits(1)) % words.length] ?? ''

/** Returns four different words with hyphens between them. */
const phrase = (r: Random): string => `${wordOf(FIRST, r)}-${wordOf(SECOND, r)}-quartz-umbrella`

const CHOSEN: readonly ((r: Random) => string)[] = [
  phrase,
  (r) => `${r.alnum(6)}4${r.letters(5)}7${r.alnum(7)}`,
  (r) => `Sommer${r.digits(4)}!${r.letters(1)}`,
]

/** Places with values of several kinds. */
export const CHOSEN_PLACES: Record<string, (r: Random) => [string, string][]> = Object.fromEntries(
  Object.entries(WITH_VALUE).map(([family, texts]) => [
    family,
    (r: Random) => texts.flatMap((text) => CHOSEN.map((make): [string, string] => withValue(text, make(r)))),
  ]),
)

const withValue = (text: string, value: string): [string, string] => [text.replace('*', value), value]

/** Lines in which such names and words mean no secret. */
export const CHOSEN_HARMLESS = [
  'MIN_TOKEN=1000',
  'MAX_TOKENS_TEST=100000',
  'nextToken: "page-two-of-the-list"',
  'secret: acme-web-tls-prod',
  '{"secretName":"acme-shop-tls-cert"}',
  'CACHE_KEY="user-profile-avatar-small"',
  'password_test: passing',
  'const isStrong = password.test(value)',
  'STORAGE_KEY_V2 = "app-settings-theme-dark"',
  'password: # the new one\n  required: true\n',
  '&lt;password&gt;&lt;/password&gt;',
  'tokenType: "urn-oauth-token-type"',
]
