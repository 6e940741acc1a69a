import type { Random } from './random.ts'
import { capital, from, generated, pick, type Written } from './written.ts'

/** Passwords as people choose them, and as programs generate them. */
const phrase = (r: Random): string => `${pick(r)}-${pick(r)}-${pick(r)}-${Number(r.digits(1)) + 1}`
const numbered = (r: Random): string => `${capital(pick(r))}${pick(r)}${Number(r.digits(3)) + 100}`
const signed = (r: Random): string => `${capital(pick(r))}${Number(r.digits(2)) + 10}!`
const lower = (r: Random): string => `q7${r.lower(6)}x4${r.lower(7)}`
const hex = (r: Random): string => `3a${r.hex(28)}d7`

/** Letters in no order: of each word, some follow each other as in none. */
const letters = (r: Random): string => `Zqx${r.letters(4).toLowerCase()}vkHwq${r.letters(4).toLowerCase()}`
const lowerLetters = (r: Random): string => `zqx${r.letters(5).toLowerCase()}vkhwq${r.letters(4).toLowerCase()}`

/** Secrets of kinds that a corpus by somebody who did not know the rules showed to be missing. */
export const WIDER_PLACES: Record<string, (r: Random) => Written[]> = {
  'more services': (r) => [
    ...from(['call SSWS * now'], () => `00${r.alnum(10)}4aK${r.alnum(28)}`)(r),
    ...from(['run apify_api_* now', 'old_apify_api_*'], () => `${r.alnum(20)}4aK${r.alnum(13)}`)(r),
    ...from(['psql as npg_*', '60,admin,npg_*,active'], () => `${r.alnum(5)}4aK${r.alnum(4)}`)(r),
    ...from(['avn service AVNS_*', 'feature/AVNS_*'], () => `${r.alnum(8)}4aK${r.alnum(8)}`)(r),
    ...from(['dbt with dbtc_*', 'dbt with dbtu_*'], () => `${r.alnum(20)}4aK${r.alnum(16)}`)(r),
    ...from(['backup-cio*.txt'], () => `Ab4${r.alnum(29)}`)(r),
  ],
  'letters in no order, in JSON': from(
    ['{"secret":"*"}', '{"api_key":"*"}', '{"client_secret":"*"}', '{"auth_token":"*"}', '{"access_key": "*", "a": 1}'],
    letters,
  ),
  'letters in no order, in settings': from(['api_key=*', 'SESSION_SECRET=*', 'auth_token=*', 'secret=*'], lowerLetters),
  columns: (r) => [
    ...from(
      [
        'Name                 Value\n----                 -----\nREDIS_PASSWORD       *\nOS                   Windows_NT',
        'RABBITMQ_DEFAULT_PASS\t*\t2026-05-01T10:00:00Z',
        'AUTH_TOKEN                         *\n',
        '[Assistant]: What is the password of the database?\n\n[User]: use *\n\n[Assistant]: Thanks.',
        'joe|secret_token|*',
      ],
      generated,
    )(r),
    ...from(['MYSQL_ROOT_PASSWORD    *\n'], phrase)(r),
  ],
  'files of some programs': (r) => [
    ...from(['"joe" "*"', '"app" "*"\n"web" ""'], generated)(r),
    ...[generated(r)].map((secret): Written => [`joe * ${secret} *`, secret]),
    ...from(['{"github-oauth":{"github.com":"*"}}', '{"username":"joe","key":"*"}'], hex)(r),
    ...from(['pass = *', 'user=joe,pass=*,ssl=true', 'User: joe, Pass: *'], () => `3x${lower(r)}`)(r),
    ...from(['10.0.0.1 %any : PSK "*"', 'setenv KEYCLOAK_ADMIN_PASSWORD *'], numbered)(r),
    ...from(['orchid.api_key: *'], () => `pktmyhm4f75d${lower(r)}`)(r),
  ],
  'words with a number as keys': from(
    [
      "define( 'AUTH_KEY', '*' );",
      'const key = process.env.API_KEY ?? "*";',
      '(def api-key "*")',
      'secret_key_base: *\n',
      'secret_key = *\n',
      'variable "api_token" {\n  description = "token of the API"\n  default     = "*"\n}',
      'token = *',
    ],
    (r) => `${numbered(r)}!`,
  ),
  'calls and pages': (r) => [
    ...from(
      [
        'client.get(url).bearer_auth("*")',
        'Authorization = new AuthenticationHeaderValue("Bearer", "*");',
        "await page.fill('input[name=password]', '*')",
        'cy.get("#password").type("*")',
        'new NetworkCredential("joe", "*")',
      ],
      hex,
    )(r),
    ...from(['.bearer_auth("*")', 'new NetworkCredential("joe", "*")'], (one) => one.uuid())(r),
    ...from(['smtp.PlainAuth("", "joe", "*", "mail.example")'], lower)(r),
    ...from(
      ['--boundary\nContent-Disposition: form-data; name="password"\n\n*\n--boundary--'],
      (one) => `${capital(pick(one))}ember265`,
    )(r),
    ...from(
      ['https://x.example/cb#access_token=*&token_type=bearer'],
      () => `c1963448922${r.digits(8)}b19547d7${r.hex(6)}`,
    )(r),
    ...from(['<add value="*" key="ApiKey" />', "<add value='*' name='DbPassword'/>"], hex)(r),
  ],
  'values on the next line': from(
    ['db:\n  secretKey:\n    *\n  port: 1', 'apiKey:\n  *\n', 'client_secret:\n  *\nid: x'],
    (r) => r.uuid(),
  ),
  'more arguments of commands': (r) => [
    ...from(
      [
        'wscat -c wss://x.example --auth joe:*',
        "ansible-vault encrypt_string '*' --name db_password",
        "printf '%s=%s\\n' OAUTH_CLIENT_SECRET * >> .env",
        "sed -i 's/^APP_BIND_PASSWORD=.*/APP_BIND_PASSWORD=*/' .env",
        "sed -i 's/DB_PASSWORD=*/DB_PASSWORD=new/' .env",
        "restic -r x --password-command 'echo *' snapshots",
      ],
      generated,
    )(r),
  ],
  'marks around names and values': (r) => [
    ...from(['\u001b]8;;http://x\u0007password\u001b]8;;\u0007=*', 'auth_token: [-*-]{+changed+}'], generated)(r),
    ...from(['auth_token: [-changed-]{+*+}'], generated)(r),
    ...from(['{"password":"{*}"}'], () => `a4${r.alnum(14)}Kb9Z`)(r),
  ],
  'secrets of one-time passwords in sentences': from(
    ['The 2FA secret of the test account is *, please add it.', 'my TOTP seed for the box is *'],
    () => 'DIHWR3MZEFYWRRQA',
  ),
  'words and a number with a mark, in sentences': from(
    [
      'Use the password * for the staging box.',
      'The DB password has changed to *. Please update .env.',
      'Das Datenbankpasswort ist jetzt *.',
      'PW: *',
      'Passwort: *',
      'La contraseña es *',
      'A senha é *',
      'Connecte-toi avec le mot de passe « * ».',
      'Gebruik het wachtwoord *.',
      'Użyj hasła * do serwera.',
      'Używaj hasła: *',
      'Используй пароль * для сервера.',
      'пароль от базы *',
      'Парола: *',
      'Лозинка: *',
      'Mật khẩu là *',
      'Zugangsdaten: joe / *',
      'credentials for gw19.ember.corp: joe:*',
      'basic auth joe:*',
    ],
    phrase,
  ),
  'keys in sentences of more languages': (r) => [
    ...from(
      [
        "Le jeton d'accès est *",
        'La phrase secrète est *',
        'Mein Zugangstoken: *',
        'Das Geheimnis für den Webhook ist *',
        'Токен: *',
        'Вот токен доступа: *',
        '令牌：*',
        '密钥: *',
        'APIキー: *',
        'アクセストークン: *',
        '토큰: *',
        'The secret for the webhook should be *.',
        'I rotated the client secret, it is now *',
      ],
      signed,
    )(r),
    ...from(["Le jeton d'accès est *", 'Токен: *', '密钥: *', '토큰: *', 'APIキー: *', '令牌：*'], phrase)(r),
    ...from(['Here is the access token you asked for:\n*'], (one) => `h4rbor-${pick(one)}85!`)(r),
    ...from(['my key: *'], () => `ed32i0wqgdf1${r.lower(4)}nky6g8`)(r),
  ],
  'letters and digits in no order, in sentences': from(
    ["It's password *, I think.", 'Setze das Admin-Passwort auf "*".', 'Login: joe / *', 'пароль от базы *'],
    () => 'gkmvsscpycnzhduo7',
  ),
  'passwords that programs print': from(
    ['Password for the elastic user (reset with bin/elasticsearch-reset-password): *', 'New value: *'],
    (r) => `${capital(pick(r))}${pick(r)}43`,
  ),
}

/** Texts that look as if they had such secrets, and have none. */
export const WIDER_HARMLESS = [
  'password: ENC[AES256_GCM,data:abc,iv:def,tag:x,type:str]',
  'password: vault:secret/data/db#password',
  "'password' => 'required|min:8|confirmed',",
  'token: MyXmlHttpRequestHandler',
  '{"secret":"KubernetesOpaqueSecret"}',
  '{"token":"NumericLiteralExpression"}',
  '{"api_key":"applicationIdentifier"}',
  '"token": "StringLiteralToken"',
  '{"auth_token":"authorizationbearer"}',
  'DB_PASSWORD      The password of the database',
  'API_KEY\trequired\tstring',
  'SECRET_KEY     mandatory',
  'ACCESS_TOKEN   see2below for more',
  '"left" "right"',
  '"joe" "Joe Smith"',
  'name * size2 *',
  '{"username":"joe","key":"value1"}',
  'secretName:\n  my-app-tls-secret\n',
  'apiKey:\n  type: string\n',
  'token:\n  description: the token\n',
  'const key = process.env.API_KEY ?? "unset";',
  "await page.fill('input[name=user]', 'joe')",
  '{"password":"{db_password2}"}',
  'Das Geheimnis guter Tests ist einfach: wenige2 davon.',
  'Токен: обязателен',
  '令牌：必填',
  'The secret of good tests is: few of them.',
  "sed -i 's/^APP_MODE=.*/APP_MODE=prod/' .env",
  '[Assistant]: Which token parser should I use?\n\n[User]: parser2\n',
  '[Assistant]: Please send me the name of the token file.\n\n[User]: src/token2.ts\n',
  '[Assistant]: The secret is found now.\n\n[User]: thanks2\n',
  'npg_dump_all_tables',
  'dbtc_models',
  'pod blue-whale-cluster-2 is up, and the password is in the vault',
]
