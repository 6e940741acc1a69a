import t from 'tap'
import { redactMessages } from '../support/redact-messages.ts'
import type { Message } from '../../src/session/message.ts'

const called = (args: object, output: string): Message[] => [
  { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'bash', arguments: args }] },
  {
    role: 'toolResult',
    toolCallId: 'c',
    toolName: 'read_output',
    content: [{ type: 'text', text: output }],
    isError: false,
    isPruned: false,
  },
]

/** What is left of the output of a command, in each form in which sessions have commands. */
function outputsOf(command: string, output: string): string[] {
  const terminal = `$ ${command}\n${output}`
  const sessions: Message[][] = [
    called({ command }, output),
    called({ command: ['bash', '-lc', command], workdir: '/srv' }, output),
    [{ role: 'bashExecution', command, output, cancelled: false }],
    [{ role: 'user', content: [{ type: 'text', text: terminal }] }],
  ]
  return sessions.map((messages) => {
    const message = redactMessages(messages).messages.at(-1)
    if (message?.role === 'bashExecution') return message.output
    if (message?.role !== 'toolResult' && message?.role !== 'user') return ''
    t.notMatch(message.role === 'toolResult' && message.toolName, 'redacted')
    const text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    return message.role === 'user' ? text.slice(text.indexOf('\n') + 1) : text
  })
}

/** Commands that print a secret, with their output: the secret is `*`. */
const PRINTED: [command: string, output: string][] = [
  ['pass show db/prod', '*\nuser: joe\nurl: https://x.example\n'],
  ['cd /srv && sudo -u app pass db/prod | head -1', '*\n'],
  ['vault kv get -field=password secret/app', '*'],
  ['gcloud secrets versions access latest --secret=db', '*'],
  ['aws ssm get-parameter --name /db --with-decryption --query Parameter.Value --output text', '*\n'],
  [
    'aws ssm get-parameter --name /db --with-decryption',
    '{\n  "Parameter": {\n    "Name": "/db",\n    "Value": "*"\n  }\n}\n',
  ],
  ['aws secretsmanager get-secret-value --secret-id db', '{\n  "Name": "db",\n  "SecretString": "*"\n}\n'],
  ["kubectl -n prod get secret db -o jsonpath='{.data.password}' | base64 -d", '*'],
  ['security find-generic-password -s app -a joe -w', '*\n'],
  ['op read op://Prod/db/password', '*\n'],
  ['az keyvault secret show --vault-name kv --name db --query value', '"*"\n'],
  ['az keyvault secret show --vault-name kv --name db', '{\n  "name": "db",\n  "value": "*"\n}\n'],
  ['bw get password db', '*'],
  ['printenv DB_PASSWORD', '*\n'],
  ['echo "$DB_PASSWORD"', '*\n'],
  ['cat /run/secrets/db_password', '*\n'],
  ["jq -r '.database.password' config.json", '*\n'],
  ['terraform output -raw db_password 2>/dev/null', '*'],
  ['openssl rand -hex 16', '*\n'],
  ['gzip -nc server.key | base64 -w0', '*'],
]

for (const [command, output] of PRINTED)
  t.test(`prints a secret: ${command}`, async (t) => {
    for (const value of ['q7Zk9P2xLm', 'korb-zebra-lampe-wind', 'sommerregen', '5c2e9f0ab71d4683'])
      t.strictSame(
        outputsOf(command, output.replace('*', value)).map((text) =>
          text.replace('redacted:secret', 'redacted:password'),
        ),
        Array<string>(4).fill(output.replace('*', '[redacted:password]')),
        value,
      )
  })

/** Commands whose output has no secret, though they look alike. */
const HARMLESS: [command: string, output: string][] = [
  ['pass show db/prod', 'Error: db/prod is not in the password store.'],
  ['pass ls', 'Password Store\n├── db\n│   └── prod2024x\n'],
  ['pass show db/prod | sha256sum', '5c2e9f0ab71d46835c2e9f0ab71d46835c2e9f0ab71d46835c2e9f0ab71d4683  -'],
  ['pass show db/prod > prod2024x', 'written2024x'],
  ['PGPASSWORD=$(pass show db/prod) psql -c "select 1"', 'result2024x'],
  ['vault kv get -field=username secret/app', 'app_user2x'],
  ['vault kv get secret/app', '====== Metadata ======\nversion          3'],
  ['gcloud secrets versions list db', 'NAME  STATE\n1     enabled'],
  ["kubectl get secret db -o jsonpath='{.metadata.name}'", 'db-7f9c6b5d8x'],
  ['kubectl get secret db -o name', 'secret/db-prod2024'],
  ['aws ssm get-parameter --name /ami --query Parameter.Value', 'ami-0abcdef1234567890'],
  ['grep -rn "pass show" .', 'README.md:12: run pass show db2024x first'],
  ['echo $HOSTNAME', 'build2024x'],
  ["jq -r '.name' package.json", 'app2024x'],
  ['cat src/token.ts', 'tokens2map'],
  ['openssl rand -hex 4', 'a1b2c3d4'],
  ['gh auth status', 'github.com\n  ✓ Logged in to github.com account joe2024x'],
]

for (const [command, output] of HARMLESS)
  t.test(`prints none: ${command}`, async (t) => {
    t.strictSame(outputsOf(command, output), Array<string>(4).fill(output))
  })
