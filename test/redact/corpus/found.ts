import type { Random } from './random.ts'
import { from, password, type Written } from './written.ts'

const base32 = (r: Random, length: number): string => `4${r.upper(length - 2).replaceAll(/[0189]/g, 'Q')}7`
const code = (r: Random): string => `${r.lower(4)}4-${r.lower(5)}`

const SEED = 'apple basket cradle dolphin ember fabric garden hammer island jungle kettle lumber'

/** Secrets of wallets, wireless networks and one-time passwords, and more places of the others. */
export const FOUND_PLACES: Record<string, (r: Random) => Written[]> = {
  'one-time passwords': from(
    [
      'pyotp.TOTP("*").now()',
      '"mfa_seed": "*"',
      '2FA setup key: *',
      'authenticator.generate("*")',
      '{"totp": {"seed": "*"}}',
    ],
    (r) => base32(r, 32),
  ),
  'one-time passwords of several accounts': from(
    ['otpauth-migration://offline?data=*%3D%3D'],
    (r) => `${r.alnum(40)}%2B${r.alnum(20)}`,
  ),
  'lists of recovery codes': (r) => {
    const [first, second, third, fourth] = [code(r), code(r), code(r), code(r)]
    return [
      [
        `GitHub two-factor recovery codes\n\n${first}   ${second}\n${third}   ${fourth}\n`,
        first,
        second,
        third,
        fourth,
      ],
      [`{"recovery_codes":["${first}","${second}"]}`, first, second],
      [`Wiederherstellungscodes:\n- ${first}\n- ${second}\n`, first, second],
      [`Your backup codes (each works once):\n1. ${first}\n2. ${second}\n`, first, second],
    ]
  },
  'words of a wallet': () => [
    [`Write this mnemonic phrase in a safe place.\n\n${SEED}`, SEED],
    [
      `Seed phrase:\n${SEED.split(' ')
        .map((word, index) => `${index + 1}. ${word}`)
        .join('\n')}`,
      'dolphin',
      'kettle',
    ],
  ],
  'keys of a wallet': (r) => [
    ...from(['bitcoin-cli importprivkey *', 'private key (WIF): *'], () => `L${r.alnum(51)}`)(r),
    ...from(['accounts: ["0x*"]'], () => r.hex(64))(r),
    ...from(['$ cat id.json\n[*]'], () => Array.from({ length: 64 }, () => String(1 + Number(r.digits(2)))).join(','))(
      r,
    ),
  ],
  'wireless networks': from(['WIFI:T:WPA;S:Home;P:*;;', "option key '*'", 'WiFi.begin("Home", "*");'], password),
  'a wireless network with a number': from(['WLAN-Schlüssel: *'], (r) => `4${r.digits(15)}`),
  'keys of signatures': from(['untrusted comment: minisign secret key\nRWRTY0Iy*', 'RWQAAEIy*', 'RWRCSwAAAA*'], (r) =>
    r.base64(140),
  ),
  'arguments of more calls': from(
    [
      'mysql_real_connect(c, "10.0.0.1", "joe", "*", "crm", 0, NULL, 0);',
      "DBI->connect($dsn, 'joe', '*');",
      'red:auth("*")',
      'smtp.PlainAuth("", "joe", "*", "mail.example")',
      'Credentials::new("joe".to_string(), "*".to_string())',
      '.basic_auth("joe", Some("*"))',
      "curl_setopt($ch, CURLOPT_USERPWD, 'joe:*');",
      'create_engine(f"postgresql://joe:*@{host}/orders")',
      'Fernet(b"*")',
    ],
    password,
  ),
  'commands of more programs': (r) => [
    ...from(
      [
        'ab -A joe:* https://a.example/',
        'nuget setapikey * -source acme',
        'az sql server create -n s -u joe -p *',
        'steamcmd +login joe * +quit',
        'tool login -t *',
        'passwordeval "echo *"',
        'bundle config set --global gems.example joe:*',
        'ctr images pull --user joe:* r.example/x',
        'echo -n * | base64',
        '$ wg genkey\n*\n',
        'rclone lsd :sftp: --sftp-pass -*',
        '["redis-server", "--requirepass", "*"]',
        'echo -e "old4pass\\n*" | passwd joe',
      ],
      password,
    )(r),
    ...from(['echo * | base64 -d'], () => Buffer.from(`ghp_${r.alnum(36)}`).toString('base64'))(r),
  ],
  'settings of more programs': (r) => [
    ...from(
      [
        'db_password = <<EOT\n*\nEOT\n',
        '{"passwords":["other4You", "*"]}',
        '#cloud-config\nchpasswd:\n  list: |\n    root:other4You\n    joe:*\n',
        '{"type":"random_password","name":"db","instances":[{"attributes":{"length":16,"result":"*"}}]}',
        'PASSWORD_HEX=*',
        'PWD_DB=*',
        'remotepass = *',
        '"password"\n:\n"*"',
      ],
      password,
    )(r),
    ...from(["define('SECURE_AUTH_SALT', '*');"], () => `k2]x@P!q9 v;${r.alnum(12)}Lm#4R<t7&w`)(r),
    ...from(['STRIPE_WEBHOOK_SIGNING=*'], () => `a8K${r.alnum(29)}`)(r),
    ...from(['encryption:\n    key: "*="', "'key' => 'base64:*=',"], () => `a8K${r.base64(40)}`)(r),
    ...from(['{"name":"session","value":"*","httpOnly":true}'], () => `a8K${r.alnum(40)}`)(r),
    ...from(['https://a.example/v.mp4?Expires=1&Signature=*&Key-Pair-Id=K2J'], () => `a8K${r.base64url(60)}`)(r),
    ...from(['ASANA_PAT=1/*'], () => `7977547996612799:${r.hex(32)}`)(r),
  ],
  'sentences in more languages': (r) => [
    ...from(
      [
        'パスワードは「*」です',
        'पासवर्ड * है',
        'Mật khẩu là *',
        'Passordet er *',
        'Lozinka je *',
        '암호는 * 입니다',
        'كلمة المرور هي *',
      ],
      password,
    )(r),
    ...from(['the pin for the door is *', 'Die PIN ist *'], () => r.digits(6))(r),
    ['Mein PW heißt „rubin panda birne winter 96“', 'rubin panda birne winter 96'],
  ],
}

/** Texts that look as if they had such secrets, and have none. */
export const FOUND_HARMLESS = [
  'recovery code-path for step1-of2',
  'The backup codes are described in rfc-6238.',
  'Authenticator: GOOGLEAUTHENTICATOR',
  'OTP (one-time password) is off',
  'The wallet is a part of the app that nobody has looked at for some weeks or months now',
  "option key 'id'",
  "const kind = ok ? 'pass'\n  : 'fail'",
  'user.password_hash = hash',
  'echo -n "$VALUE" | base64',
  'echo hello | base64',
  'tool login -t 30',
  'The password is "not stored in any file of ours"',
  '{"name":"session","value":"enabled"}',
  'the pin for the door is broken',
  '?key=%3Dvalue&token=%3Dvalue',
]
