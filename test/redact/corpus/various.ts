import type { Random } from './random.ts'
import { capital, from, generated, pick, type Written } from './written.ts'

const hex = (length: number) => (r: Random) => `3a${r.hex(length - 4)}d7`

/** A word, some letters of which are digits, and a number. */
const LEET = ['W4lnut', 'Lich3n', 'Junip3r', 'M4rble', 'orch1d']
const leet = (r: Random): string => `${LEET[Number(r.digits(1)) % LEET.length] ?? ''}.${Number(r.digits(3)) + 2000}`

/** Two words and a number, as people choose them. */
const chosen = (r: Random): string => `${pick(r)}-${pick(r)}-${Number(r.digits(3)) + 2000}`

const SEED = 'basket amused silk thrive planet soccer escape window upgrade hybrid bamboo lunar'.split(' ')
const seed = (write: (words: string[]) => string): Written => {
  const text = write(SEED)
  return [text, 'silk', 'thrive', 'lunar']
}

/** Secrets of many services, in the forms in which a stranger wrote them. */
export const VARIOUS_PLACES: Record<string, (r: Random) => Written[]> = {
  'tokens of hexadecimal and Base32': (r) => [
    ...from(['<input value="*">', 'the old one was *, please', 'mailgun,*,k.meier', 'PUT /hooks/*/run 204'], (one) => {
      return `3a${one.hex(30)}-${one.hex(8)}-${one.hex(8)}`
    })(r),
    ...from(
      ['$env:AZURE_DEVOPS_EXT_PAT = "*"', 'ADO_PAT=*\n'],
      (one) => `yyvxp36y${one.lower(40).replaceAll(/[0189]/g, 'k')}6l2c`,
    )(r),
    ...from(['copy_dapi*-2.txt'], hex(32))(r),
    ...from(['argument --sqa_* not known', 'my_squ_*'], hex(40))(r),
  ],
  'tokens behind an option of one letter': (r) => [
    ...from(['fb login -tEAA4* --host x.example', "{'value': 'EAAs*', 'scopes': []}"], (one) => one.alnum(150))(r),
    ...from(['tool -kghp_* --all', 'tool "-kglpat-*"'], (one) => one.alnum(36))(r),
  ],
  'the settings of Docker in Base64': (r) =>
    ['{"auths":', '{ "auths":', '{\n  "auths":', '{\n    "auths":', '{\n\t"auths":'].map((head): Written => {
      const text = `${head}{"reg.example":{"auth":"${Buffer.from(`ci:${generated(r)}`).toString('base64')}"}}}`
      const encoded = Buffer.from(text).toString('base64')
      return [`.dockerconfigjson: ${encoded}`, encoded.slice(24)]
    }),
  'arguments of commands and calls': (r) => [
    ...from(
      [
        'redis-benchmark -h cache -p 6379 -a * -n 100',
        'keydb-cli -a * ping',
        "printf 'machine %s login %s password %s\\n' h.example bot * > ~/.netrc",
        'printf "password=%s\\n" "*" | tool',
        "printf '%s token: %s' x '*'",
        'printf "%s %s %s secret=%s" a b c *',
        'npmAuthIdent: "ci:*"',
      ],
      generated,
    )(r),
    ...from(['request.Headers.Authorization = new("Basic", "*");', "('Basic', '*')"], (one) =>
      Buffer.from(`jenkins:${generated(one)}`).toString('base64'),
    )(r),
    ...from(
      [
        'AES.new(bytes.fromhex("*"), AES.MODE_GCM)',
        "algorithms.AES(binascii.unhexlify('*'))",
        "createCipheriv('aes-256-gcm', Buffer.from('*', 'hex'), iv)",
        'aes.NewCipher([]byte("*"))',
        'Fernet(base64.b64decode("*"))',
      ],
      hex(64),
    )(r),
    ...from(['ha1 = md5("admin:realm:*")', "md5(f'joe:shop:*')"], (one) => `${capital(pick(one))}#2432`)(r),
    ...from(['$ kubectl get secret x -o go-template=\'{{index .data "pw" | base64decode}}\'\n*'], (one) =>
      one.alnum(40),
    )(r),
  ],
  'members and labels of services': (r) => [
    ...from(
      [
        'acl { tokens { agent = "*" } }',
        'acl = {\n  tokens = {\n    default = "*"\n  }\n}',
        '{"tokens": {"master": "*"}}',
      ],
      (one) => one.uuid(),
    )(r),
    ...from(['"secretKeyBase":"*"', 'secretKeyBase: *'], hex(64))(r),
    ...from(
      ['RABBITMQ_ERLANG_COOKIE=*', 'erl -sname a -setcookie *', 'RELEASE_COOKIE: "*"'],
      () => 'QWHGZKMVBTNRLPXSCJDQ',
    )(r),
    ...from(['{"device_code":"*","interval":5}', 'code_verifier=*&redirect_uri=a', "codeVerifier: '*'"], (one) => {
      return `c0Fx${one.base64url(39)}`
    })(r),
    ...from(
      ['Authorization: Hawk id="dh37", ts="1", mac="*"', 'https://x.example/f/9?expires=1784030022&hmac=*'],
      (one) => `${one.alnum(43)}4`,
    )(r),
    ...from([`[{"name":"remember_web_${'5f75c846'.repeat(5)}","value":"*"}]`], (one) => one.alnum(60))(r),
    ...from(
      ['basic_auth_users:\n  prometheus: *', 'users:\n  joe: "x"\n  ann: "*"\n'],
      (one) => `$2y$10$${one.alnum(53)}`,
    )(r),
  ],
  'addresses that anybody may call': (r) => [
    ...from(
      [
        'https://events.pagerduty.com/integration/*/enqueue',
        'https://alert.victorops.com/integrations/generic/20131114/alert/*/ops',
        'https://status.example/api/push/*?status=up',
      ],
      hex(32),
    )(r),
    ...from(['curl -fsS https://hc-ping.com/*'], (one) => one.uuid())(r),
    ...from(['https://nosnch.in/*'], hex(10))(r),
    ...from(['https://outlook.office365.com/webhook/e5d375fd@c3bb0cc0/IncomingWebhook/*/a8f2'], hex(32))(r),
    ...from(['{"url":"https:\\/\\/hooks.slack.com\\/services\\/T006U2Q8XWC\\/B00HGOKIYNB\\/*"}'], (one) =>
      one.alnum(24),
    )(r),
    ...from(['{"url":"https:\\/\\/discord.com\\/api\\/webhooks\\/1234567890\\/*"}'], (one) => one.alnum(68))(r),
  ],
  'sentences with other words': (r) => [
    ...[leet, chosen].flatMap((make) =>
      from(
        [
          'Zugangsdaten fürs Staging: kmeier / *',
          'Zugangsdaten beim alten Server: kmeier / *',
          '请用口令“*”解锁密钥库',
          '密码“*”',
          'rootのパスワードを * に変更しました',
          'パスフレーズ「*」を入力',
          'ログイン情報: deploy / *',
          '登录信息：deploy / *',
          '비밀번호를 * 로 바꿨어요',
          'пароль *, войди с ним',
        ].slice(make === chosen ? 2 : 0),
        make,
      )(r),
    ),
    ...from(
      [
        "the wifi key's * btw",
        'кодовая фраза для ключа такая: *',
        'la phrase de passe est *',
        "code d'accès wifi = *",
        'Der Zugangscode lautet *',
        '秘密鍵のパスフレーズ＝*',
        'frase secreta: *',
      ],
      generated,
    )(r),
    ...from(["la clé secrète de l'API c'est *", "la clé secrète de l'app d'essai est *"], hex(40))(r),
    ...from(['mdp: 4*', 'the password is 7*'], (one) => `ujDcl${one.letters(2)}v${one.letters(2)}Q`)(r),
    ...from(
      ['my 2fa backup code is *', 'the recovery code for the box was *'],
      (one) => `ivj8${one.digits(1)}na2h4`,
    )(r),
  ],
  'words of wallets': () => [
    seed((words) => `mnemonic: ${JSON.stringify(words)}`),
    seed((words) => `"seedPhrase": ${JSON.stringify(words, null, 2)}`),
    seed((words) => `Write these 12 words down:\n${words.slice(0, 6).join(' ')}\n${words.slice(6).join(' ')}\n`),
    seed((words) => `die Wiederherstellungswörter: ${words.join(', ')}`),
    seed((words) => `$ cast wallet new-mnemonic\nPhrase:\n${words.join(' ')}\n\nAccounts:`),
    seed((words) => `seed backup ${words.map((word, index) => `${index + 1}.${word}`).join(' ')}`),
    seed((words) => `seed words\n${words.map((word, index) => `${index + 1}) ${word}`).join('\n')}`),
    seed((words) => `助记词：${words.join(' ')}`),
    seed((words) => `сид-фраза: ${words.join(' ')}`),
    seed((words) => `mots de récupération : ${words.join(' ')}`),
  ],
}

/** Texts that look as if they had such secrets, and have none. */
export const VARIOUS_HARMLESS = [
  '3a9f0b1c-2d3e-4f5a-8b7c-9d8e7f6a5b4c',
  'etag: 3a9f0b1c2d3e4f5a8b7c9d8e7f6a5b4c-12',
  'sha-3a9f0b1c2d3e4f5a8b7c9d8e7f6a5b4c-8f76b787',
  'cache-key-3a9f0b1c2d3e4f5a8b7c9d8e7f6a5b4c',
  'redis-benchmark -h cache -p 6379 -n 100 -q',
  'printf \'user %s has no password %s\' joe "$(date)"',
  'printf "password=%s\\n" "$PASSWORD"',
  "console.log('Basic', 'Advanced plan for 2026')",
  'new AuthenticationHeaderValue("Bearer", token)',
  'AES.new(bytes.fromhex(key), AES.MODE_GCM)',
  'md5("en:us:message")',
  'md5("users:42:profile")',
  'device_code = response.device_code',
  '"code_verifier": code_verifier,',
  '--erlang-cookie ${COOKIE}',
  'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
  'https://events.pagerduty.com/integration/YOUR_KEY/enqueue',
  '{"tokens": {"agent": "claude", "default": "gpt"}}',
  'default = "88d3e058-18b2-4c27-984c-7c66353b616a"',
  'mac="00:1b:44:11:3a:b7"',
  'bcrypt.compare(p, x) // for example: $2y$10$rPYOtO0xwTaI0EiYT7nGpXWqXUUfcu.OlYZ6xvgK6f.v64hXEn9JX',
  '"forgotPassword": "パスワードをお忘れですか？",',
  '"token": "Токен", "password": "Пароль"',
  '"password": "密码", "confirmPassword": "确认密码"',
  '"password": "Mot de passe", "newPassword": "nouveau mot de passe"',
  '"password": "wachtwoord"',
  'パスワード を 変更しました。',
  '密码长度为8到64位',
  '密码错误 (error2024)',
  '비밀번호를 입력하세요',
  'пароль не найден в файле server2.yml',
  'the password is 4px',
  'the password field is 120pixels wide',
  'the recovery code is invalid2',
  'the backup code is shown once',
  'Write these words: the quick brown fox jumps over the lazy dog and runs away',
  'words: 12',
  'the wallet has 12 words and a name',
  'phrase: hello',
  'String.raw`https:\\/\\/example.com\\/a`',
  'see log4j.2021 for the rules of the password',
]
