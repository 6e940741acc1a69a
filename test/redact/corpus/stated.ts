import type { Random } from './random.ts'
import { from, type Written } from './written.ts'

const FIRST = 'velvet thistle gravel badger'.split(' ')
const SECOND = 'lantern piano comet willow'.split(' ')
const OF_PROGRAMS = 'server cache table queue'.split(' ')
const pick = (words: readonly string[], r: Random): string => words[Number(`0x${r.hex(2)}`) % words.length] ?? ''

/** Four words with dots between them; in the second one, a word of programs is among them. */
const dotted = (r: Random): string => `${pick(FIRST, r)}.${pick(SECOND, r)}.meadow.umbrella`
const mixed = (mark: string) => (r: Random) =>
  [pick(FIRST, r), pick(OF_PROGRAMS, r), pick(SECOND, r), 'umbrella'].join(mark)
const numbered = (r: Random): string => `${pick([...OF_PROGRAMS, 'python'], r)}7${r.digits(2)}`

/** Letters in no order, of which some are capitals. */
const letters = (r: Random): string => `zQx${r.letters(3).toLowerCase()}vKhwq${r.letters(3).toLowerCase()}`

const SETTINGS = [
  '  password: *\n',
  'passwd = *\n',
  'mysqldump --password=* shop',
  'web1 ansible_ssh_pass=*',
  '<password>*</password>',
  'spring.mail.password = *\n',
]
const SENTENCES = [
  'the password is *',
  'пароль: *',
  'Das Passwort lautet *, damit geht es.',
  'la contraseña es *',
  'The database password was changed to *',
]

/** Passwords that look like members of an object, names of resources or of classes, where the text says what they are. */
export const STATED_PLACES: Record<string, (r: Random) => Written[]> = {
  'words with dots between them': from([...SETTINGS, ...SENTENCES, 'mdp *'], dotted),
  'words, one of which is of programs': (r) =>
    ['.', '-', '_'].flatMap((mark) => from([...SETTINGS, ...SENTENCES], mixed(mark))(r)),
  'a word of programs and a number': from([...SETTINGS, ...SENTENCES.slice(0, 4)], numbered),
  'a password in a task': (r) =>
    [
      dotted,
      (one: Random) => `q7${one.lower(6)}X4-${one.lower(7)}`,
      (one: Random) => `thistle${one.digits(1)}31`,
    ].flatMap((make) =>
      from(
        [
          'use root:* to ssh into 192.0.2.20',
          'you can unlock the zip with "*"',
          'Decrypt the backup with `*` first.',
          'Der WLAN-Schlüssel ist *',
          'nimm als passwort einfach * für den admin',
          'Take as the password *',
        ],
        make,
      )(r),
    ),
  'letters in no order, in sentences': from(SENTENCES.slice(0, 4), letters),
}

/** Texts that look as if they had such secrets, and have none. */
export const STATED_HARMLESS = [
  'STRIPE_PUBLISHABLE_KEY=pk_live_51HEfoybKA3fvIERDua7xOQho2atFzP6p0Wlx6Z5yPzES7q7eYHdjPG7qe1Wq9s6UpgO8',
  'PublicKey = +8ihXvu5L5vDzCrp5sbLTOyOVCwS4piYD2WycQlxhSU=\n',
  'password: form.values.user.pass,',
  'const password = request.body.account.login',
  '  password: acme-web-server-tls\n',
  '  password: data.user.credentials.password\n',
  'if (password === wizard.account.inner.field) return',
  'password: i18n.labels.account.password\n',
  'the password is server-side-only-state',
  'the password is caseInsensitiveComparable',
  'The password is on page404.',
  'the password is version2024',
  'The password form-of-the-page is broken.',
  'use http:server2 to log in',
  'use git:credential-store to log in',
  'decrypt the file with `aes-256-cbc`',
  'unlock the door with "the-red-button"',
  'open the file with "utf-8"',
  'open the file with `vim9`',
  'als passwort password2',
  'The wifi-key is a-z0-9 with 8 letters',
  'Passwort auf server253 geändert',
  'The password to server253 is in the vault.',
]
