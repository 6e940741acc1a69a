import type { Random } from './random.ts'

/** Sentences, tables and settings with a value as `*`: it looks like no word. */
export const SPOKEN: Record<string, readonly string[]> = {
  'columns and rows': [
    '  id | name | password \n----+------+----------\n  1 | jo   | *',
    '+----+------+----------+\n| id | name | password |\n+----+------+----------+\n|  1 | jo   | * |\n',
    '| id | api_token |\n|----|-----------|\n| 1  | * |',
    'id,name,password\n1,jo,*\n',
    '"id";"api key"\n"1";"*"\n',
    'name\tpassword\njo\t*\n',
    '-[ RECORD 1 ]\nname     | jo\npassword | *',
    'COPY users (id, name, password) FROM stdin;\n1\tjo\t*\n',
    '<tr><th>Password</th><td>*</td></tr>',
    '<tr><th>id</th><th>password</th></tr>\n<tr><td>1</td><td>*</td></tr>',
  ],
  'longer sentences': [
    'The password for the staging server is *.',
    'my pw is *, please log in',
    'Use * as the password.',
    'user admin, password *',
    'the admin password was changed to * yesterday',
    'credentials: admin / *',
    'our API key is *',
    'the token is `*`',
    'try the password * first',
    'root / * (password for the box)',
    'Secret key -> *',
    'password:\n\n    *\n',
    'passphrase for the key: *',
    'the API key for the billing service is *',
    'it works with the access token * now',
    'The password for the server *\n',
  ],
  'longer sentences in other languages': [
    'Das neue Kennwort für die Datenbank heißt *.',
    'Nimm * als Passwort.',
    'Der API-Schlüssel ist *',
    'Le mot de passe du serveur est « * »',
    'clé API : *',
    'identifiant admin, mot de passe *',
    'Usa * como contraseña.',
    'clave de API: *',
    'La chiave API è *',
    'chave da API: *',
    'usuário root, senha *',
    'Hasło do serwera to *.',
    'пароль от сервера *',
  ],
  'values near the word': [
    'After the reset the admin password of the box now reads *',
    'Both servers share the password *, as before.',
    'Here is the password:\n\n```\n*\n```',
    'The keystore password (it was * before) is lost.',
    'You need a password; take * for now.',
    'Credentials for the box: anna and *',
    'Zugangsdaten vom Server: karl mit *',
  ],
}

/** Positions whose values have no name. */
export const POSITIONS: Record<string, readonly string[]> = {
  'positional arguments': [
    'client.login("jo@example.test", "*")',
    'requests.get(u, auth=("admin", "*"))',
    'mysqli_connect("localhost", "root", "*", "shop");',
    'config.set_secret("stripe", "*")',
    "SELECT pgp_sym_decrypt(data, '*') FROM t;",
    'npm config set _auth=*',
    'aws ssm put-parameter --name /db/password --type SecureString --value *',
    'rclone config create r sftp pass *',
    'codecov -t *',
    'printf %s * > /run/secrets/db_password',
    'spawn ssh root@h\nexpect "password:"\nsend "*\\r"\n',
    '::add-mask::*\n',
    '{"question":"What is the sudo password?","answer":"*"}',
    'ServerSecret *\n',
  ],
  'values of sessions': [
    '.example.test\tTRUE\t/\tTRUE\t1799999999\tsessionid\t*',
    'cookies = {"sid": "*"}',
    'SESSIONID=*\n',
    'AUTH=*\n',
  ],
}

/** Webhooks, keys and phrases of certain forms. */
export const FORMS = (r: Random): [string, ...string[]][] => {
  const [hook, key, id, ethereum] = [`${r.lower(24)}7a`, r.base64url(22), r.alnum(10), `0x${r.hex(64)}`]
  const [d, inverse] = [`${r.base64(80)}=`, `${r.base64(80)}=`]
  const words = `ocean velvet candy river maple orbit tunnel gather pistol shove legend ${id.length > 3 ? 'quiz' : ''}`
  const discord = `MTc9${r.alnum(20)}.G${r.alnum(5)}.${r.alnum(38)}`
  const asana = `2/${r.digits(16)}/${r.digits(16)}:${r.hex(32)}`
  const telegram = `9${r.digits(9)}:AA${r.alnum(33)}`
  const make = `${r.lower(30)}7a`
  const yandex = `t1.${r.alnum(60)}.${r.alnum(86)}`
  return [
    [`https://mattermost.example.test/hooks/${hook}`, hook],
    [`https://hook.eu1.make.com/${make}`, make],
    [`https://maker.ifttt.com/trigger/x/with/key/${key}`, key],
    [`https://hooks.slack-gov.com/services/T${r.upper(9)}/B${r.upper(9)}/${r.alnum(24)}`],
    [`deployer private key ${ethereum} (test funds only)`, ethereum],
    [`<RSAKeyValue><Modulus>AbCd</Modulus><D>${d}</D><InverseQ>${inverse}</InverseQ>`, d, inverse],
    [`wallet seed phrase: ${words}`, words],
    [`bot: ${discord}`, discord],
    [`see ${asana}`, asana],
    [`log-2026-${telegram}`, telegram],
    [`yc: ${yandex}`, yandex],
    [`hf_${id}4${r.alnum(23)}`],
  ].map(([text = '', ...secrets]) => [text, ...(secrets.length > 0 ? secrets : [text.slice(-24)])])
}

/** Sentences and tables in which such words mean no secret. */
export const SPOKEN_HARMLESS = [
  '| Option | Token | Default |\n|---|---|---|\n| a | string2 | none |\n',
  'name,token_type,password\njo,bearer2,required\n',
  'The password for the staging server is required in version2.',
  'Use bcrypt2 as the password hash.',
  'password for user2 is not set',
  'The token is valid until 2026-11-23.',
  'Das Passwort für den Server ist abgelaufen.',
  'credentials: admin / password',
  'The secret is stored in config2.yaml',
  'client.login("jo@example.test", "en-US")',
  'auth=("admin", "password")',
  'connect("localhost", "app_db_2")',
  'echo done > build/token',
  'sid="main"',
  'auth: "oauth2"',
  'codecov -t unit',
  'Use the form as password2 does.',
  "The password changed, it's in vault2 now.",
  'Replace the password with a hash of sha256sum.',
  'enable secret scanning on main2',
  'docs[3]:12 user:token',
  "jwt.sign({ id: 1 }, privateKey2, { algorithm: 'RS256' })",
  "crypto.createHmac('sha256', 'hex-key-1')",
  'set_password(form.cleaned_data["password1"])',
  'The client secret for app2 is required.',
  'mnemonic: a word that helps to remember',
  'The password for user2024 is not set.',
  'Passwords are hashed with argon2id.',
  'The check of the password was added in commit 3fa9c1d2b4e6.',
  'credentials are read from config/app-2024.yaml',
  'The password prompt appears on windows2019 and on web01-prod.example.test',
  'password reset mail goes to anna2024@example.test',
  'The password field shows errorCode1045',
  'create secret generic web-7d4b9c6f5-x2x9z',
  'The passwords table was made by migration_20240102',
]
