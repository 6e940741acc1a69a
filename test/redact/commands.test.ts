import t from 'tap'
import { redactText } from '../../src/redact/redact-text.ts'

const SECRET = 'q7Rk2mWx9LpZ4vTb'
const GONE = '[redacted:password]'

/** Commands with the secret as `*`. */
const COMMANDS = String.raw`
curl -sSu joe:* https://x.example
curl --user "joe:*" https://x.example
mysqldump -h db -u root -p* --all-databases
mysqladmin -u root password *
redis-cli AUTH *
sqlplus scott/*@orcl
docker login -u joe -p * registry.example
skopeo copy --src-creds joe:* docker://a docker://b
kubectl create secret generic x --from-literal=k=*
vault kv put secret/db user=joe main=*
htpasswd -nb joe *
rabbitmqctl add_user joe *
ldapsearch -x -D cn=admin -w * -b dc=x
sshpass -p'*' scp f joe@h:
xfreerdp /v:h /u:joe /p:*
smbclient //h/s -U joe%*
lftp -u joe,* sftp://h
aws secretsmanager create-secret --name x --secret-string=*
openssl enc -aes-256-cbc -k * -in a
ssh-keygen -t rsa -N * -f k
mc alias set m http://h admin *
consul kv put db/password *
some-tool -u joe -p * --all
echo * | npx wrangler secret put API_TOKEN
`
  .trim()
  .split('\n')

/** Where a command may stand. */
const AROUND: [name: string, write: (command: string) => string][] = [
  ['a line', (command) => `$ ${command}\nok`],
  ['backticks in a list', (command) => `- It works with: \`${command}\`.`],
  ['a cell', (command) => `| x | \`${command}\` |`],
  ['a Makefile', (command) => `deploy:\n\t@${command}\n`],
  ['numbered lines', (command) => `     1→${command}\n     2→ok`],
  ['grep', (command) => `a.sh:3:${command}`],
  ['a diff', (command) => `@@ -1 +1 @@\n-${command}\n+ok`],
  ['colours', (command) => `\u001b[32m${command}\u001b[0m`],
  ['an escaped line end', (command) => JSON.stringify(`cd x\n${command}\nok`)],
  ['a tag', (command) => `<command>${command}</command>`],
  ['bold', (command) => `**${command}**`],
  ['an assignment', (command) => `cmd=${command}`],
  ['a label', (command) => `CMD:${command}`],
  ['a template literal', (command) => `execSync(\`${command}\`)`],
]

t.test('a command is found wherever a word may begin', async (t) => {
  for (const command of COMMANDS)
    for (const [name, write] of AROUND) {
      const text = write(command.replace('*', SECRET))
      const redacted = write(command.replace('*', GONE))
      if (redactText(text).text !== redacted) t.equal(redactText(text).text, redacted, name)
    }
})

t.test('the rest of a text in quotes is no argument', async (t) => {
  for (const [text, redacted] of [
    [`ssh h 'mysql -uroot -p${SECRET} shop' -v`, `ssh h 'mysql -uroot -p${GONE} shop' -v`],
    [`{"cmd":"mysql -p${SECRET}","x":1}`, `{"cmd":"mysql -p${GONE}","x":1}`],
    [`He said "mysql -p${SECRET}" twice`, `He said "mysql -p${GONE}" twice`],
    [`(mysql -p${SECRET}) && x`, `(mysql -p${GONE}) && x`],
  ] as const)
    t.equal(redactText(text).text, redacted)
})

t.test('a text that a shell passes to a command is its input', async (t) => {
  t.equal(redactText(`kinit joe <<< ${SECRET}\n`).text, `kinit joe <<< ${GONE}\n`)
  t.equal(redactText('wrangler secret put X <<< hunter').text, `wrangler secret put X <<< ${GONE}`)
  t.equal(redactText('wc -w <<< hunter').text, 'wc -w <<< hunter')
})

t.test('lists of words in code are arguments', async (t) => {
  for (const write of [
    (secret: string) => `execFileSync('curl', ['-u', 'joe:${secret}', 'https://x'])`,
    (secret: string) => `spawn("redis-cli", ["-a", "${secret}"])`,
    (secret: string) => `Command::new("curl").args(["-u", "joe:${secret}"])`,
    (secret: string) => `Command::new("curl")\n    .arg("-u")\n    .arg("joe:${secret}")`,
    (secret: string) => `Process.Start("curl", "-u joe:${secret} https://x")`,
  ])
    t.equal(redactText(write(SECRET)).text, write(GONE))
})

t.test('arguments that are no secrets stay', async (t) => {
  for (const text of [
    'mysql -h db -P 33061 -u app shop_prod2',
    'docker run -u 1000:1000 -p 8080:80 node:20',
    'docker login -u ci-robot-17 --password-stdin',
    'The curl -u option takes user:password, and mysql -p asks for it.',
    'curl -u "$USER:$PASS" https://x',
    'mysql -u root -p"$DB_PASSWORD" shop',
    'sudo -u joe mkdir -p releases/2024a',
    'openssl enc -aes-256-cbc -pass env:PASS1',
    'apt-key adv --recv-keys 939A9B4DDBE45CF642B0C3A4ACDD7F9FCC589F8D',
    'git config user.signingkey 0A9F94F03E7914C0',
    'vault login -method=oidc',
    'net user /domain',
  ])
    t.equal(redactText(text).text, text)
})
