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

/** Places of passwords, where words with a number are secret too. */
const WITH_MEMORABLE: Record<string, readonly string[]> = {
  'settings with a password': [
    'jdbc.pwd:*\n',
    'ansible_ssh_pass=*\n',
    'DB_PASSWORD=*\n',
    '  password: *\n',
    '{"password": "*"}',
    '<password>*</password>',
    'rootpw --plaintext *\n',
    'bindpw *\n',
    'ldap_default_authtok = *\n',
    'NEO4J_AUTH=neo4j/*\n',
    'auth_basic = joe:*\n',
    '{"credentials": ["joe", "*"]}',
  ],
  'commands with a password': [
    'clickhouse-client --password *',
    'terraform apply -var "db_password=*"',
    'argocd login cd.example.test --username joe --password *',
    'curl -E cert.pem:* https://x.example.test',
    'grafana-cli admin reset-admin-password *',
    'lftp -e "open -u joe,* h"',
    'ftp -n h <<E\nuser joe *\nE',
    'echo * | passwd --stdin joe',
    'curl sip:joe:*@pbx.example.test',
  ],
  'sentences with a password': [
    'The password for the server is *.',
    'Use "*" as the passphrase.',
    'db password (prod) -> *',
    'Please rotate *, that password was posted.',
    'Nimm * als Passwort.',
    'Le mot de passe du serveur est *',
    'He cambiado la contraseña de root a * ayer.',
    'Usa * come password.',
    'Użyj * jako hasła do bazy.',
    'Учётные данные: joe / *',
    'Lösenordet till servern är *',
  ],
  'calls with a password': [
    'new NetworkCredential("joe", "*")',
    "create_superuser('joe', 'j@x.example', '*')",
    "password: \"{{ '*' | password_hash('sha512') }}\"",
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

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Words with a number, as people choose them. */
const MEMORABLE: readonly ((r: Random) => string)[] = [
  (r) => `${capital(wordOf(SECOND, r))}.${wordOf(FIRST, r)}${r.digits(2)}`,
  (r) => `${wordOf(FIRST, r)}.${wordOf(SECOND, r)}${r.digits(2)}`,
  (r) => `${capital(wordOf(FIRST, r))}19${r.digits(2)}${r.letters(1)}`,
  (r) => `${capital(wordOf(FIRST, r))}_${capital(wordOf(SECOND, r))}${r.digits(2)}`,
  (r) => `${wordOf(FIRST, r)}-${wordOf(SECOND, r)}-${r.digits(3)}`,
  (r) => `${wordOf(FIRST, r)}${capital(wordOf(SECOND, r))}${r.digits(3)}`,
]

/** Places with values of several kinds. */
export const CHOSEN_PLACES: Record<string, (r: Random) => [string, string][]> = Object.fromEntries(
  [
    ...Object.entries(WITH_VALUE).map(([family, texts]) => ({ family, texts, makers: CHOSEN })),
    ...Object.entries(WITH_MEMORABLE).map(([family, texts]) => ({ family, texts, makers: MEMORABLE })),
  ].map(({ family, texts, makers }) => [
    family,
    (r: Random) => texts.flatMap((text) => makers.map((make): [string, string] => withValue(text, make(r)))),
  ]),
)

const withValue = (text: string, value: string): [string, string] => [text.replaceAll('*', value), value]

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
  'var _password = default!;',
  'SET password_encryption = "scram-sha-256";',
  'password: config.db57,',
  'const password = settings.primary57',
  'const password = row.primary57',
  'if (password === user.field12) return',
  'log.info("password", user.name42)',
  'The password rules are in chapter12.',
  'the password of user57 was changed to lower case',
  'user joined at 12:30',
  'use sips: or sip: as the scheme',
  'password_hash: str | None',
  'open -u is an option',
  "create_user('joe', 'joe@x.example', 'admin')",
  'https://hook.eu1.make.com/ is the host',
  'NEO4J_AUTH=none',
]
