import type { Random } from './random.ts'
import { from, password, type Written } from './written.ts'

const letters = (r: Random, length: number): string => r.letters(length).toLowerCase()
const named = (r: Random): string => `Sommer-${letters(r, 7)}4${r.digits(3)}`

const bcrypt = (r: Random): string => `$2b$12$${r.alnum(53)}`

const wrappedToken = (r: Random): Written[] => {
  const [head, body] = [
    { alg: 'HS256', typ: 'JWT' },
    { sub: r.digits(8), name: letters(r, 30), iat: 1764008147 },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const lines = `${head}.${body}.${r.alnum(43)}`.match(/.{1,60}/g) ?? []
  return [[`The token:\n${lines.join('\n')}\n`, ...lines.slice(1, -1)]]
}

/** Secrets as programs store them, and others that only the text around them shows. */
export const STORED_PLACES: Record<string, (r: Random) => Written[]> = {
  'hashes of passwords': (r) => [
    ...from(
      [
        'password_hash: *',
        'anna:*',
        "INSERT INTO users VALUES (1,'a@x.example','*');",
        'COPY public.users (id, email, password_hash) FROM stdin;\n1\ta@x.example\t*\n',
        '{"user": "joe", "passwordHash": "*"}',
      ],
      bcrypt,
    )(r),
    ...from(['root:*:19700:0:99999:7:::'], () => `$6$${r.alnum(16)}$${r.alnum(86)}`)(r),
    ...from(['labels:\n  - "users=admin:$*"'], () => `$apr1$$${r.alnum(8)}$$${r.alnum(22)}`)(r),
    ...from(['hash="*"'], () => `$argon2id$v=19$m=65536,t=3,p=4$${r.alnum(22)}$${r.alnum(43)}`)(r),
    ...from(["password = 'pbkdf2_sha256$*'"], () => `600000$${r.alnum(22)}$${r.alnum(43)}=`)(r),
    ...from(['anna@x.example:{PLAIN}*:1000:1000::/home/a', 'joe:{SHA}*='], () => r.alnum(27))(r),
    ...from(['userPassword:: *='], () => `e1NTSEF9${r.alnum(40)}`)(r),
  ],
  'maps of passwords': from(
    [
      'passwords:\n  anna: *\n  bob: other\n',
      '     1→passwords:\n     2→  anna: *\n',
      'secrets:\n  - name: db\n    value: *!x\n',
    ],
    password,
  ),
  'names with a part before or behind': from(
    ['wp config create --dbpass=*', 'SMTP_PASS=*', '{"password_confirmation":"*"}', '"passwordAgain": "*"'],
    password,
  ),
  'personal access tokens': from(['AZURE_DEVOPS_EXT_PAT=*\n', 'GITHUB_PAT: "*"'], (r) => `a1${r.alnum(50)}`),
  'wrapped tokens': wrappedToken,
  'signatures of addresses': from(
    [
      'https://x.example/invoke?sp=%2Ftriggers&sv=1.0&sig=*',
      'https://x.example/api/f?code=*==',
      'https://x.example/auth/magic/*',
    ],
    (r) => `iG7_${r.alnum(20)}-${r.alnum(18)}`,
  ),
  'private numbers of keys': (r) => {
    const lines = Array.from({ length: 3 }, () => (r.hex(30).match(/../g) ?? []).join(':'))
    return [[`Private-Key: (256 bit)\npriv:\n    ${lines.join(':\n    ')}\npub:\n    04:9f`, ...lines]]
  },
  'rows without columns': from(["INSERT INTO users VALUES (1, 'joe', '*', 'admin');"], named),
  'tokens of PASETO, K3s and OAuth': (r) => [
    ...[1, 2, 3, 4].flatMap((version) => from([`session v${version}.local.*`], () => r.base64url(90))(r)),
    ...from(['code 4/0A*'], () => r.base64url(60))(r),
  ],
  'values before their word': from(['The old one (*) no longer works as a password'], named),
  'words that are said to be the password': from(
    ['The root password is "*".', 'Das Passwort lautet „x“, nein: das Passwort ist `*`'],
    (r) => `Winter${letters(r, 7)}`,
  ),
  'words with a number': from(
    [
      'ds.setPassword("*");',
      "storePassword '*'\nkeyAlias 'rel'",
      'sudo -S -k ls <<< "*"',
      'printf %s * > secrets/db_password.txt',
    ],
    named,
  ),
  'settings of routers and programs': from(
    [
      'username admin privilege 15 secret 0 *',
      'user admin insecure-password *',
      'createUser mon SHA "*" AES',
      'Password for the [elastic] user successfully reset.\nNew value: *',
      'SSID: Office\nWPA2 key: *',
      'redis-cli ACL SETUSER joe on ">*" ~* +@all',
      'rar a -hp* b.rar d',
    ],
    password,
  ),
  'outputs of commands that print a secret': from(
    [
      '$ pass show db/prod\n*\nuser: joe\n',
      '$ aws ssm get-parameter --name /x --with-decryption\n{\n  "Value": "*"\n}\n',
    ],
    password,
  ),
  'keys that gzip has made smaller': from(['server.key.gz: H4sIA*', '{"id_rsa.gz": "H4sIA*"}'], (r) => r.base64(200)),
  'keys of clouds': (r) => [
    ...from(['{"username": "anna", "key": "*"}'], () => r.hex(32))(r),
    ...from(['[{"keyName": "key1", "value": "*=="}]'], () => `aB3${r.base64(83)}`)(r),
    ...from(['K10*'], () => `${r.hex(64)}::server:${r.hex(32)}`)(r),
  ],
  'lists of codes': (r) => {
    const codes = Array.from({ length: 3 }, () => `${r.lower(4)}4-${r.lower(5)}`)
    return [[`Your recovery codes:\n  ${codes.join('\n  ')}\n`, ...codes]]
  },
  'protocols that log in': (r) => {
    const base64 = (text: string): string => Buffer.from(text).toString('base64').replaceAll('=', '')
    const [plain, reply] = [base64(`\0joe\0${password(r)}`), base64(password(r))]
    return [
      ...from(
        [
          '127.0.0.1:6379> AUTH joe *\nOK\n',
          'HELLO 3 AUTH joe *\n',
          '1700000000.123 [0 127.0.0.1:1] "AUTH" "joe" "*"',
          'a1 LOGIN joe *\na1 OK\n',
          'USER joe\n+OK\nPASS *\n+OK\n',
          '/msg NickServ IDENTIFY *',
        ],
        password,
      )(r),
      [`AUTH PLAIN ${plain}\r\n235 ok`, plain],
      [`> AUTH PLAIN\n< 334\n> ${plain}\n< 235 ok`, plain],
      [`AUTH LOGIN\r\n334 VXNlcm5hbWU6\r\nam9l\r\n334 UGFzc3dvcmQ6\r\n${reply}\r\n`, reply],
    ]
  },
  'signatures of presigned addresses': (r) => [
    ...from(
      ['https://d1.cloudfront.net/x?Expires=1&Signature=*__&Key-Pair-Id=K2'],
      () => `${r.alnum(90)}~${r.alnum(90)}`,
    )(r),
    ...from(['https://b.s3.amazonaws.com/x?X-Amz-Expires=3600&X-Amz-Signature=*'], () => r.hex(64))(r),
  ],
  'sentences on how to log in': from(
    [
      'Use * to log in.',
      'log in with joe / *',
      'You can sign in as joe with *.',
      'Type * when it asks for the password.',
      'The bot logs in with * every night.',
      'Melde dich mit joe / * an.',
    ],
    password,
  ),
}

/** Texts that look as if they had such secrets, and have none. */
export const STORED_HARMLESS = [
  'AUTH is required',
  '250-AUTH PLAIN LOGIN CRAM-MD5',
  'AUTH failed2 for user',
  'The AUTH type md5-hash2 is old.',
  'a1 LOGIN failed2',
  'Signature=base64(hmac-sha1(key))',
  'Use OAuth2 to log in.',
  'Use the2nd form to log in.',
  'Use port 8080 to log in.',
  'Use example.com/login2 to log in.',
  'log in with alice / bob2',
  'log in with ssh2 / v1.2.3',
  'authenticate with oauth2client',
  'connect as postgres with psql16',
  'Type y1 when it asks for the password.',
  'layer.tar.gz: H4sIAAAAAAAAA8vMKynKz0tJLUpVSMrPSy1WyE0sSS0uUShJLS5RqMxMVcjJz8ksVijJLE4FAHYzD0kuAAAA',
  'The hash $2b$12$ is the prefix of bcrypt, and $argon2id$ that of Argon2.',
  'const isBcrypt = /^\\$2[aby]\\$/.test(hash)',
  'passwords:\n  min: 8\n  rules: strict\n',
  'secrets:\n  db_password:\n    file: ./db_password.txt\n',
  'secrets:\n  token: ${{ secrets.DEPLOY_TOKEN }}\n',
  'secrets: inherit\njobs:\n  build:\n    name: build-image-2024\n',
  '"passwordConfirmation": "string"',
  'passwordConfirm: z.string().min(8)',
  'bypass: production2024x',
  'compass=north-2024-route',
  'const PATH_PAT = /[a-z]+/',
  'https://x.example/callback?code=200&state=ok',
  'private-network/basic.ics',
  "INSERT INTO users VALUES (1, 'joe', 'joe@x.example', '2024-01-01');",
  "INSERT INTO pages VALUES (1, 'index', 'Sommer-tigger5369');",
  'The password is "required".',
  'The password is "hidden" in the form.',
  'Das Passwort ist `verschlüsselt` gespeichert.',
  'The new module (parser-2024) is used as the default',
  'coefficient: 0.75\nprime1: 7\n',
  'recovery codes: see the page',
  'eyJhbGciOiJub25lIn0 is not a token.\nIt has one part only.',
  'New value: 200\nOld value: 100',
  '{"username": "anna", "key": "value"}',
]
