import type { Random } from './random.ts'
import { capital, from, generated, pick, type Written } from './written.ts'

/** A word with a number, and a word in the other case; and a word, some letters of which are digits, before another. */
const otherCase = (r: Random): string => `${pick(r)}7${r.digits(2)}.${pick(r).toUpperCase()}`
const withDigits = (r: Random): string => `${capital(pick(r))}gr0v3_${capital(pick(r))}`
const phrase = (r: Random): string => `${pick(r)}-velvet-thistle-gravel`
const signed = (r: Random): string => `${capital(pick(r))}#7${r.digits(3)}`
const title = (r: Random): string => `${capital(pick(r))} ${capital(pick(r))} 7${r.digits(1)}`

/** Letters of both cases in no order, with signs, and without a digit. */
const withoutDigits = (r: Random): string => `vYq${r.letters(3)}%Kwhq${r.letters(3)}#Xz`

const base32 = (r: Random): string =>
  r.hex(32).toUpperCase().replaceAll('0', 'Q').replaceAll('1', 'W').replaceAll('8', 'H').replaceAll('9', 'Z')

/** A token of GitHub in two texts that a program joins. */
const joined = (r: Random): Written[] =>
  [' +\n  ', ' . ', '\n    '].map((between) => {
    const [head, rest] = [`ghp_${r.alnum(18)}4`, `${r.alnum(16)}7x`]
    return [`token = ("${head}"${between}"${rest}")`, head, rest]
  })

/** A token of the web in three lines, one for each part. */
const partsOfJwt = (r: Random): Written => {
  const [head, body, rest] = [`eyJhbGciOiJIUzI1NiIs${r.alnum(16)}`, `eyJzdWIiOiI${r.alnum(40)}`, r.alnum(43)]
  return [`The parts:\n${head}.\n${body}.\n${rest}`, head, body, rest]
}

/** Secrets that tests type into pages, that sentences state in other ways, and others that the fifth blind corpus had. */
export const TYPED_PLACES: Record<string, (r: Random) => Written[]> = {
  'passwords in tests of pages': from(
    [
      'await userEvent.type(passwordInput, "*")',
      'await passwordInput.fill("*")',
      'passwordField.sendKeys("*")',
      'fireEvent.change(passwordInput, { target: { value: "*" } })',
      'await user.type(screen.getByLabelText(/password/i), "*")',
      'page.fill("input[type=\'password\']", "*")',
      'cy.get("[name=password]").type("*{enter}")',
      'find("#user_password").set("*")',
      'fill_in "Password", with: "*"',
      'await bcrypt.hash("*", 10)',
    ],
    signed,
  ),
  'a word with a number before one in the other case': from(
    [
      'storePassword=*\nkeyAlias=upload',
      'use "*" as the passphrase when ssh asks',
      'page.fill("#password", "*")',
      'btw sudo password on that box is *',
    ],
    otherCase,
  ),
  'words whose letters are digits': from(
    ['the root pw is *', 'usuario admin, contraseña *', 'login("joe", "*")'],
    withDigits,
  ),
  'passwords in sentences, further forms': (r) => [
    ...from(
      [
        'The admin login is admin / *, please check.',
        'ログイン情報は admin／* です',
        'its password? *. Do not commit it.',
        'mot de passe ? *',
        'sudo pass on staging: *',
        'unlock the keychain with *',
        'mot_de_passe = *\n',
      ],
      signed,
    )(r),
    ...from(['the passphrase of the key is "*"', 'Das Passwort lautet "*".'], title)(r),
    ...from(['My wifi key is *', 'the password is *'], withoutDigits)(r),
  ],
  'words in files of users': (r) => [
    ...['\t', ' '].map((blank): Written => {
      const secret = phrase(r)
      return [`"joe"${blank}*${blank}"${secret}"${blank}*\n`, secret]
    }),
    ...from(
      [
        'user = "joe:*"\n',
        'host h.example\nuser joe@x.example\npassword *\n',
        'The password is reset.\nNew value: *\n',
      ],
      phrase,
    )(r),
  ],
  'names of keys, headers and cells, further ones': (r) => [
    ...from(['ldSdkKey := "*"'], () => `api-${r.uuid()}`)(r),
    ...from(['| user | kind | value |\n|---|---|---|\n| admin | password | * |\n'], generated)(r),
    ...from(['X-Jenkins-Crumb: *', 'X-Indexer-Key: *', 'https://x.example/reset/*'], () => r.hex(40))(r),
  ],
  'cookies of objects and calls': from(
    [
      'requests.get(u, cookies={"li_at": "*"})',
      'cookies = {\n  "theme": "dark",\n  "PHPSESSID": "*"\n}',
      "context.addCookies([{ name: 'sid', value: '*', url }])",
      'cy.setCookie("session_id", "*")',
      'jar.set("sessionid", "*", domain="x.example")',
      'http.Cookie{Name:"session", Value:"*"}',
    ],
    (r) => `q4${r.alnum(30)}`,
  ),
  'codes and seeds, further labels': (r) => [
    ...from(['Cannot scan it? Use this code: *', 'secret (base32): *', 'totp seed *'], base32)(r),
    ['Your setup key: k3st mq54 rlks 3eqi 4pp3 shbg', 'k3st mq54 rlks 3eqi 4pp3 shbg'],
    ['backup codes for it: 38472910, 48291038', '38472910, 48291038'],
    [
      'my metamask phrase is artist gorilla claw elbow cluster lemon hedgehog bracket chicken fatigue infant kangaroo',
      'artist gorilla claw elbow cluster lemon hedgehog bracket chicken fatigue infant kangaroo',
    ],
  ],
  'tokens in parts and behind words': (r) => [
    ...joined(r),
    partsOfJwt(r),
    ...from(['try `*` instead'], () => `sl.u.${r.base64url(130)}x4`)(r),
    ...from(['release_*'], () => `${'A'.repeat(22)}r4${r.alnum(24)}%3D${r.alnum(40)}`)(r),
    ...from(['key*'], () => `aio_x4${r.alnum(26)}`)(r),
  ],
}

/** Texts that look as if they had such secrets, and have none. */
export const TYPED_HARMLESS = [
  'did:key:z6MkYy3eOZiHki2t0f7f8IIp0aehkY2E2qDldPvUyFWupe69',
  'await userEvent.type(passwordInput, "short")',
  'passwordInput.getAttribute("aria-describedby")',
  'password = sha256.HEX',
  'password=user123.NAME',
  '"cookie": "^0.7.1",\n"cookie-parser": "~1.4.6"',
  'cookies={"lang": "en-US", "theme": "dark2"}',
  "'NSHTTPCookie', 'VNFaceLandmarks2D', 'VNFaceObservation3D'",
  '| body | password | string |',
  '| name | token | string1 |',
  'login is required, issue#123 says so',
  'The login is broken, test42 fails.',
  'Forgot your password? reset-link-here now',
  'the password is "Windows Server 2019"',
  'backup codes: 20251129, 20261130',
  'user walrus\npassword is required',
  'unlock the door with key2go',
  'decrypt it with AES256-GCM',
  'X-Cache-Key: a6df00a393750fb0fcc7cd813a35fd7cbc4c95bb',
  'https://github.example/joe/webhooks/commit/a6df00a393750fb0fcc7cd813a35fd7cbc4c95bb',
  'a("ghp_", "walnut4821heronmaple")',
  'All tests pass on staging: 48/48',
  'Scan it, then open "JBSWYABCD".',
]
