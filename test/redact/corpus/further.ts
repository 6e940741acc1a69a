import type { Random } from './random.ts'
import { from, password, type Written } from './written.ts'

const signed = (r: Random): string => `Falke%2${r.digits(3)}`
const numbered = (r: Random): string => `winter_herbst${r.digits(3)}`
const base58 = (r: Random, length: number): string => `4${r.alnum(length - 1).replaceAll(/[0OIl]/g, 'x')}`

const WORDS = 'abandon ability able about above absent absorb abstract absurd abuse access accident'
const MORE_WORDS = `${WORDS} account accuse achieve acid acoustic acquire across act action actor actress actual`

/** Secrets that were found missing by texts written without a look at the rules. */
export const FURTHER_PLACES: Record<string, (r: Random) => Written[]> = {
  'keys without another word': from(['Key: *', 'SSID: Sonnenhof\nKey: *\n', 'key = *', 'Mein Passwort war *'], signed),
  'generated keys without another word': from(['Key: *\n', 'key=*'], (r) => `aB3x${r.alnum(12)}K9z`),
  'tokens of Langfuse and OpenAI behind a letter': (r) => [
    ...from(['xsk-lf-*', 'my_sk-lf-*.json'], ({ uuid }) => uuid())(r),
    ...from(['xsk-*', 'my_sk-*'], () => `a8K${r.alnum(45)}`)(r),
    ...from(['xfc-*', 'crawl_fc-*'], () => `a8${r.hex(30)}`)(r),
  ],
  'relative addresses': from(
    ['build?token=*', 'GET /job/x/build?token=*&delay=0', '<a href="download?secret=*">'],
    numbered,
  ),
  'keys of relative addresses': from(['trigger?key=*'], (r) => `a8K${r.alnum(13)}`),
  'input of a command that logs in': from(
    [
      'echo * | docker login -u joe --password-stdin',
      'echo "*" | su - joe',
      'Write-Output * | helm registry login --password-stdin r.example',
      'docker login --password-stdin <<EOF\n*\nEOF',
      'docker login --password-stdin <<< "*"',
      'run(["docker", "login", "--password-stdin"], input=b"*")',
      "execFileSync('docker', ['login', '--password-stdin'], { input: '*' })",
      '{"command":"docker login --password-stdin","stdin":"*"}',
    ],
    () => 'S3cret',
  ),
  'arguments of commands that may be words with a number': from(
    [
      'login -t *',
      'aws ssm put-parameter --name /prod/db --type SecureString --value *',
      'aws ssm put-parameter --value "*" --name x --type SecureString',
    ],
    () => 'Otter@5728',
  ),
  'keys as arguments': from(['wandb login *'], (r) => `a8${r.hex(38)}`),
  'shares of Windows': from(
    [
      'net use \\\\nas\\share /user:joe *',
      'NET USE Z: \\\\srv01\\c$ * /user:corp\\joe',
      'net use //files/share "*" /persistent:yes',
    ],
    password,
  ),
  'settings of rclone': from(
    ['[nas]\ntype = sftp\nuser = joe\npass = *\n'],
    (r) => `7${r.letters(3)}4xB${r.alnum(14)}_Kd2`,
  ),
  'settings of rclone without a digit': from(['user = joe\npass = *'], () => 'WTYkXwGeIPNSgQP-jxawRA'),
  'words of a wallet in code': from(
    [
      'MNEMONIC="*"',
      'SEED_PHRASE=*',
      '{"seedPhrase": "*"}',
      'mnemonic (12 words): *',
      'Wallet.fromMnemonic("*")',
      'Die Seed-Phrase lautet: *',
      'my seed phrase is *',
      'backup phrase: *',
      'new HDWalletProvider(["*"]) // test wallet',
    ],
    () => WORDS,
  ),
  'lines of words of a wallet': () => [
    [`Mnemonic:\n\n${WORDS.replaceAll(' ', '\n')}\n`, ...WORDS.split(' ').slice(3)],
    [`{"seed": "${MORE_WORDS}"}`, MORE_WORDS],
  ],
  'keys of Bitcoin': from(['Paid from *.', 'sweep *\n', '`*`'], (r) => `5K${base58(r, 49)}`),
  'compressed keys of Bitcoin': from(['Paid from *.', 'key=*'], (r) => `Kx${base58(r, 50)}`),
  'keys of Laravel': from(["'key'   => 'base64:*=',", '"key" => "base64:*="'], (r) => `a8K${r.base64(40)}`),
  'signatures as members': from(['{"sig": "*"}', 'params = {"sig": "*%3D"}'], (r) => `a8K${r.base64(40)}`),
  'schemes without their header': (r) => [
    ...from(['use bearer * here'], () => `a8K${r.alnum(20)}`)(r),
    ...from(['it sends basic * then'], () => Buffer.from(`joe:${r.alnum(9)}`).toString('base64'))(r),
  ],
  'defaults of variables': from(["env('X', '*')", "os.environ.get('DB_PASS', '*')"], password),
  'sentences in further languages': (r) => [
    ...from(['密码改成了*', 'Le mot de passe de l’admin est *', 'A senha do servidor é *'], () => 'Castle@2540')(r),
    ...from(
      ['数据库密码是*。', 'パスワードは * です', '비밀번호는 * 입니다', '用户名joe,密码*', 'Parola este *'],
      password,
    )(r),
  ],
}

/** Texts that look as if they had such secrets, and have none. */
export const FURTHER_HARMLESS = [
  'key: user#42',
  'Key: dashboard-2024',
  'Cache key: 5d41402abc4b2a76b9719d911017c592',
  'key: "V1StGXR8Z5jdHi6B"',
  'task-aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz5Kq8Rn3Tb6Wm1X',
  'build?token=test1234',
  '/list?page=2&key=created_at&token=next',
  'net use Z: /delete',
  'echo done | tee log.txt',
  'cat <<EOF\nhello2024x\nEOF',
  'aws ssm put-parameter --name /prod/limit --type String --value 300',
  'The seed of the generator is 42, and the words are taken from a list that we have in the repository now',
  "env('APP_ENV', 'production')",
  "env('CACHE_DRIVER', 'redis6')",
  'It was Kx9 and then L1 of the cache',
  '密码长度至少为8个字符',
]
