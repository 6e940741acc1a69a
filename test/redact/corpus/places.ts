import type { Random } from './random.ts'
import { FORMS, POSITIONS, SPOKEN } from './spoken.ts'

/** Texts with a password as `*`, by the kind of their place. */
const WITH_PASSWORD: Record<string, readonly string[]> = {
  'sentences in other languages': [
    'Passwort: *',
    'Das Passwort lautet: *',
    'Das Kennwort ist *.',
    'mot de passe : *',
    'contraseña: *',
    'La contraseña es `*`',
    'senha: *',
    'wachtwoord is *',
    'пароль: *',
    '密码：*',
    '密码是*。',
    'パスワード: *',
    '비밀번호: *',
  ],
  'sentences with verbs': [
    'set the password to *',
    'I forgot: the admin pass is *',
    'db pass -> *',
    'pw: *',
    'Password for user joe: *\n',
    'A temporary password is generated for root@localhost: *\n',
  ],
  SQL: [
    "INSERT INTO users (name, password) VALUES ('joe', '*');",
    "insert into `users` (`id`, `api_token`) values (1, '*'), (2, null)",
    "ALTER USER 'root'@'localhost' IDENTIFIED WITH mysql_native_password BY '*';",
    'CREATE USER scott IDENTIFIED BY *;',
    'INSERT INTO users (email, password) VALUES ("a@b.example", "*");',
    "CREATE LOGIN app WITH PASSWORD = N'*';",
    "PRAGMA key = '*';",
    "ATTACH DATABASE 'x' AS x KEY '*';",
  ],
  'values on other lines': [
    '<property name="password">\n  <value>*</value>\n</property>',
    '     1→<Password>\n     2→  <Value>*</Value>\n     3→</Password>',
    'Parameters:\n  DBPassword:\n    Type: String\n    Default: *\n',
    '{"admin_password": {\n    "sensitive": true,\n    "type": "string",\n    "value": "*"\n  }}',
    '     1→passwords:\n     2→  - *\n     3→  - other\n',
    '["password"]=>\n  string(12) "*"',
    '#cloud-config\nchpasswd:\n  list: |\n    root:*\n',
  ],
  'second arguments': [
    "await page.getByLabel('Password').fill('*')",
    "cy.get('[name=password]').type('*')",
    'curl_easy_setopt(c, CURLOPT_PASSWORD, "*");',
    '-define(PASSWORD, "*").',
    'set(SIGN_PASSWORD "*")',
    '{password, "*"}',
    'p.add_argument("--password", default="*")',
    'env::var("DB_PASSWORD").unwrap_or("*".into())',
    "signingConfigs { release { storePassword '*' } }",
    'Input Password    id:password    *',
  ],
  'wrapped values': [
    'password => q(*),',
    'var dbPassword = []byte("*")',
    'password: SecretStr = SecretStr("*")',
    "@password ||= '*'",
    "password: <%= ENV['P'] || '*' %>",
    "const password = process.env.DB ?? '*'",
  ],
  'text that a shell passes on': [
    "passwd joe <<< $'*\\n*'",
    "gcloud secrets versions add db --data-file=<(echo -n '*')",
  ],
  'hashed values': ["update wp_users set user_pass = MD5('*') where ID = 1;", 'password = generate_password_hash("*")'],
  'routers, brokers and mail': [
    'enable secret 0 *\n',
    'snmp-server community * RO\n',
    'Key Content            : *\n',
    'user default on >* +@all',
    '[smtp.example.com]:587 joe:*\n',
    '{"Jwt":{"Key":"*","Issuer":"x"}}',
    'bindpw *\n',
    'net use Z: //files/share * /user:joe',
  ],
  'arguments of calls for keys': [
    "jwt.sign({ id: 1 }, '*', { expiresIn: '1h' })",
    "crypto.createHmac('sha256', '*')",
    "Hash::make('*')",
    "require('stripe')('*')",
    "new Sequelize('shop', 'app', '*', { host: 'db' })",
    "EXEC sp_addlinkedsrvlogin 'x', 'false', NULL, 'sa', '*'",
    'getenv("DB_PASSWORD") ?: "*"',
    "UPDATE config SET value = '*' WHERE name = 'smtp_password';",
  ],
  'further sentences': [
    "the admin pw changed, it's * now",
    'It should be "*", that\'s the password.',
    'Replace the old password with * everywhere',
    'the client secret for the OAuth app is *',
    "j'ai changé le mot de passe en *",
    'Password\n--------\n*\n',
    '数据库密码是 *。',
    "the password's *",
    'use "*" as the admin password',
    'Does * work as a password?',
  ],
  'files of settings': [
    'account default\nhost smtp.example\nuser joe\npassword *\n',
    'default login anonymous password *',
    'jdbc:oracle:thin:scott/*@//ora:1521/XE',
    'SetEnv DB_PASS *',
    'ROOTPW=*',
    'pass_phrase=*\n',
    '"basicAuth": "joe:*"',
    '"bearer": "*"',
  ],
}

/** The same with a random key. */
const WITH_KEY: Record<string, readonly string[]> = {
  'keys in sentences': [
    'the api key is *',
    'my secret key is "*"',
    'API Key - *',
    'wifi key: *',
    '# TODO remove: api key is *',
    'Token created: *',
    'Unseal Key 1: *',
  ],
  'keys in addresses': [
    'https://x.example/?auth=*&y=1',
    'https://b.s3.amazonaws.com/o?AWSAccessKeyId=AKIAIOSFODNN7&Expires=1&Signature=*%3D',
    'https://storage.googleapis.com/o?X-Goog-Signature=*',
    'https://open.feishu.cn/open-apis/bot/v2/hook/*',
  ],
  'keys of tools': ["const jwk = {\n  kty: 'oct',\n  k: '*',\n}"],
}

type Written = [text: string, ...secrets: string[]]

const write = (groups: Record<string, readonly string[]>, make: (r: Random) => string) =>
  Object.fromEntries(
    Object.entries(groups).map(([family, texts]) => [
      family,
      (r: Random): Written[] =>
        texts.map((text) => {
          const secret = make(r)
          return [text.replace('*', secret), secret]
        }),
    ]),
  )

/** Secrets in sentences, statements, settings and code, and numbers that are secret. */
export const OTHER_PLACES: Record<string, (r: Random) => Written[]> = {
  ...write(WITH_PASSWORD, (r) => `${r.letters(1)}${r.alnum(6)}4${r.alnum(3)}7`),
  ...write({ ...SPOKEN, ...POSITIONS }, (r) => `${r.letters(1)}${r.alnum(6)}4${r.letters(1)}8${r.alnum(3)}7`),
  ...write(WITH_KEY, (r) => r.alnum(32)),
  'webhooks, keys and phrases by their form': FORMS,
  'keys of Django': (r) =>
    ['SECRET_KEY = "*"', 'SECRET_KEY=*\n', 'set -gx DJANGO_SECRET_KEY *'].map((text) => {
      const secret = `django-insecure-${r.lower(9)}1!x*${r.lower(6)}2(e${r.lower(8)}4#w+9${r.lower(8)}`
      return [text.replace('*', secret), secret]
    }),
  'Base64 that begins with a slash': (r) =>
    ['PrivateKey = *', 'API_TOKEN="*"', 'secret_key: *\n'].map((text) => {
      const secret = `/${r.base64(42)}=`
      return [text.replace('*', secret), secret]
    }),
  'codes and numbers': (r) => {
    const [pin, code, hash, otp] = [`4${r.digits(5)}`, `${r.lower(4)}4-${r.lower(5)}`, r.hex(40), `2${r.upper(20)}4QW7`]
    const base32 = otp.replaceAll(/[0189]/g, 'Z')
    return [
      [`The PIN is ${pin}.`, pin],
      [`{"card": "x", "pin": "${pin}"}`, pin],
      [`USER_PIN=${pin}`, pin],
      [`unlockPin: ${pin}`, pin],
      [`recovery code: ${code}`, code],
      [`sonar-scanner -Dsonar.login=${hash}`, hash],
      [`otpauth://totp/x:joe?secret=${base32}&issuer=x`, base32],
    ]
  },
  'static keys of OpenVPN': (r) => {
    const lines = Array.from({ length: 4 }, () => r.hex(32))
    return [
      [`-----BEGIN OpenVPN Static key V1-----\n${lines.join('\n')}\n-----END OpenVPN Static key V1-----`, ...lines],
    ]
  },
}
