import type { Random } from './random.ts'
import { capital, from, generated, pick, type Written } from './written.ts'

const number = (r: Random): number => Number(r.digits(3)) + 1000

/** A number between two words, with and without marks, before one, and behind two with capitals. */
const between = (r: Random): string => `${pick(r)}${String(number(r))}${pick(r)}`
const marked = (r: Random): string => `${pick(r)}-${String(number(r))}-${pick(r)}`
const before = (r: Random): string => `${String(number(r))}${pick(r)}`
const capitals = (r: Random): string => `${capital(pick(r))}-${capital(pick(r))}-7`
const named = (r: Random): string => `${capital(pick(r))}${capital(pick(r))}${String(number(r))}`
const signed = (r: Random): string => `4${r.letters(3)}+Xr~5Cr*ru8=${r.letters(3)}9`

const SENTENCES = [
  'The password for the staging box is *, please log in.',
  'use * as the password for the new database user',
  'Bitte melde dich mit dem Kennwort * an.',
  'Connecte-toi avec le mot de passe « * »',
  'логин admin, пароль *',
]

/** Secrets in places that name them, in the forms that people choose, and those of devices and services. */
export const BETWEEN_PLACES: Record<string, (r: Random) => Written[]> = {
  'a number between two words': from(
    [
      ...SENTENCES,
      'host mail.example\nuser x\npassword *',
      '====== Data ======\nKey         Value\n---         -----\npassword    *\nusername    app',
      'r = requests.get(url, auth=("joe", "*"))',
      "$pdo = new PDO('mysql:host=db1;dbname=x', 'root', '*');",
      'mysqli_connect("db1", "root", "*", "x");',
      "'smtp_password' => env('X', '*'),",
      '[Assistant]: What is the password for the database?\n\n[User]: *',
    ],
    between,
  ),
  'a number between two words with marks': from(SENTENCES, marked),
  'a number before a word': from(SENTENCES, before),
  'words with capitals and a digit': from(SENTENCES, capitals),
  'a name that is set to a value': from(
    ['set STRIPE_SECRET to * in the deployment', 'Please set `DB_PASSWORD` to `*`.', 'set api.token to * and restart'],
    generated,
  ),
  'texts of Bash with a dollar': from(["DB_PASSWORD=$'*'\nPPID=3", "export API_TOKEN=$'*'"], generated),
  'signs within a value': (r) => [
    ...from(
      [
        'Passwort: *',
        'Mot de passe : *',
        'identifiant : admin, mdp : *',
        'user admin\npassword *\n',
        'service\tuser\tpassword\nvpn\tjoe\t*',
      ],
      signed,
    )(r),
    ...from(['Password: *'], (one) => `G${one.letters(1)}7(tR2)x${one.letters(1)}x`)(r),
  ],
  'what more commands print': from(
    [
      '$ argocd admin initial-password -n argocd\n*\n\n This password must be only used for first time login.',
      '$ op item get x --fields password --reveal\n*',
      '$ cat config/master.key\n*',
      '$ heroku auth:token\n*',
    ],
    generated,
  ),
  'keys of storage accounts': (r) => [
    ...from(['key1       FULL          *', 'key2  Full  *'], () => `${r.alnum(84)}Q4==`)(r),
    ...from(
      ['[\n  {\n    "keyName": "key1",\n    "permissions": "FULL",\n    "value": "*"\n  }\n]'],
      () => `${r.alnum(42)}4=`,
    )(r),
  ],
  'keys of services by their names': (r) => [
    ...from(['[core]\nfernet_key = *', '{"encrypt": "*", "datacenter": "dc1"}'], () => `4a${r.alnum(41)}=`)(r),
    ...from(
      ['- routing_key: *', "require('twilio')('ACadbf55206cf24b2e9371f341c69502ac', '*')"],
      () => `3a${r.hex(28)}d7`,
    )(r),
    ...from(['AccessorID: x\nSecretID: *'], () => r.uuid())(r),
  ],
  'keys of network devices': from(
    [
      'crypto isakmp key * address 0.0.0.0',
      'set security ike policy P pre-shared-key ascii-text "*"',
      'tacacs-server key *',
      'radius-server host 10.0.0.1 auth-port 1812 acct-port 1813 key 7 *',
      'radius server R1\n address ipv4 10.0.0.1\n key *',
      'snmpget -v2c -c * 10.0.0.1 sysName.0',
    ],
    named,
  ),
}

/** What looks like them. */
export const BETWEEN_HARMLESS = [
  'The password field is described in curve25519dalek and sha256sum.',
  'The password is hashed with argon2013custom',
  'The token is encoded as windows1252encoding here',
  'password dialog, see feature-1234-dialog',
  'The password page is in fix-1234-typo now',
  'The secret is read by 1024iterations of the loop',
  'the token limit is 2000characters',
  'The password is at Section-Title-7',
  'set max_tokens to 4096 in the settings',
  'set cache_key to v2-linux in the workflow',
  'set secret to null',
  'Set the token to the value of the header.',
  'echo "a=$\'b\'"',
  'password: validate(pw2)(x)',
  'const password = read2(file)',
  'Password: string(255) not null',
  'password match a=b',
  'token name=value',
  'routing_key: orders.created.v2',
  'routing_key = "user.signup"',
  '"encrypt": true',
  '{"encrypt": "aes-256-gcm"}',
  '{"permissions": "FULL", "value": "read"}',
  'access level FULL access for all users',
  'radius-server timeout 10',
  'tacacs-server host 10.0.0.1',
  'crypto isakmp policy 10',
  'snmpget -v2c -c public 10.0.0.1 sysName.0',
  '$ heroku apps\nmy-app-1',
  '$ cat config/master.yml\nhost: x',
  "env('APP_NAME', 'forge')",
  "env('DB_CHARSET', 'utf8mb4')",
  '[Assistant]: Which password file do you mean?\n\n[User]: the second one',
]
