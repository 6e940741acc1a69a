import type { Random } from './random.ts'
import { from, type Written } from './written.ts'

const ACCOUNT = `AC${'0a1b2c3d'.repeat(4)}`
const hex = (length: number) => (r: Random) => `3a${r.hex(length - 4)}d7`
const session = (r: Random): string => `18jr4rfeo87s${r.lower(8)}kww3k7`

/** A generated password with a sign that ends other values. */
const signed = (r: Random): string => `X2${r.digits(1)}8~LH=Yy4#${r.letters(2)}+9`

/** Secrets that one label, one call or one format shows. */
export const LABEL_PLACES: Record<string, (r: Random) => Written[]> = {
  'keys of sessions': (r) => [
    ...from(
      ['export BW_SESSION="*"', 'BW_SESSION=*\n', '$env:BW_SESSION="*"', 'bw list items --session *'],
      () => `aB3dE5fG7hJ9${r.base64(74)}==`,
    )(r),
    ...from(['cookies={"session": "*"}', '{"cookies": {"theme": "dark", "session": "*"}}'], session)(r),
    ...from(['session: *', '{"session":"*"}'], session)(r),
  ],
  'keys of services by their labels': (r) => [
    ...from(['{"id":"VuaCfGcBCdbkQm","encoded":"*"}', '{"encoded": "*"}'], () =>
      Buffer.from(`VuaCfGcB${r.alnum(12)}:ui2lp2ax${r.alnum(14)}`).toString('base64'),
    )(r),
    ...from(['https://api.example.com/data/2.5/weather?q=Bern&appid=*'], hex(32))(r),
    ...from(
      ['Accessor ID  = 3573b5df\nSecret ID    = *\nName = x', 'secret_id = *', 'secret_id: *', '{"secret_id": "*"}'],
      (one) => one.uuid(),
    )(r),
  ],
  'arguments of calls of SDKs': (r) => [
    ...from([`client = Client("${ACCOUNT}", "*")`], hex(32))(r),
    ...from(["const client = algoliasearch('HKH38YOWBN', '*');"], hex(32))(r),
    ...from(['const wallet = new ethers.Wallet("*", provider);', 'w3.eth.account.from_key("*")'], hex(64))(r),
    ...from(["const account = privateKeyToAccount('0x*')"], hex(64))(r),
  ],
  'rows and lists of keys': (r) => [
    ...from(['AKIARXYC55JQY1DQJHNF,*'], () => `wK${r.alnum(16)}4aK/${r.alnum(18)}`)(r),
    ...from(['Private Keys\n==================\n(0) 0x*\n', '(0) 0x* (Private Keys)'], hex(64))(r),
  ],
  'passwords with a sign that ends other values': from(
    [
      'auth=("admin", "*")',
      "$db = new PDO($dsn, 'root', '*');",
      'net user svc * /add',
      'db.internal:5432:app:app:*\n',
      'send "*\\r"  # expect "password:"',
    ],
    signed,
  ),
}

/** Texts that look as if they had such secrets, and have none. */
export const LABEL_HARMLESS = [
  'session: 01JDX0Q3ZK5W8Y7V6T5S4R3Q2P',
  'session=3a9f0b1c2d3e4f5a6b7c8d9e0f1a2b3c',
  '{"session": "ses_4a7f0b1c2d3e4f5a6b7c8d9e"}',
  'LAST_SESSION=sessions/2026-11-28',
  '{"encoded":"aGVsbG8gd29ybGQsIGhvdyBhcmUgeW91IHRvZGF5"}',
  'appid=440',
  'Accessor ID  = 3573b5df-4efe-455c-beda-86c55d29d8cc',
  'secret_id = data.vault.role.secret_id',
  "hash('MD5SUM0001', 'sha256')",
  'new Client("localhost", "shop2")',
  'new Wallet(privateKey, provider)',
  'Available Accounts\n(0) 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed (100 ETH)',
  'send "yes\\r"  # the host is new',
  'curl -d "a=1&b=2&c=3" https://x.example',
  'auth=("joe", "a=1&b=2&c=3&d=4")',
]
