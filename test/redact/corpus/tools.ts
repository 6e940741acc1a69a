import type { Random } from './random.ts'
import { from, generated, pick, type Written } from './written.ts'

/** A number between two words, as people choose it. */
const chosen = (r: Random): string => `${pick(r)}${String(Number(r.digits(3)) + 1000)}${pick(r)}`
const token = (r: Random): string => `${r.alnum(12)}k4Tz9Q${r.alnum(18)}`
const pin = (r: Random): string => `4${r.digits(5)}`

/** Secrets as tools of many domains print them and take them. */
export const TOOL_PLACES: Record<string, (r: Random) => Written[]> = {
  'columns that blanks align': from(
    [
      'KEY          PROTECTED  MASKED  SCOPE  VALUE\nDB_PASSWORD  false      false   -      *',
      'Current stack outputs (2):\n    OUTPUT       VALUE\n    dbPassword   *\n    url          https://x',
      'Name         SlotSetting    Value\n-----------  -------------  ---------------\nDB_PASSWORD  False          *',
      'NAME         VALUE             UPDATED\nAPI_SECRET   *  about 1 hour ago',
      '    DefaultUserName    REG_SZ    joe\n    DefaultPassword    REG_SZ    *',
      '| DB_PASSWORD | `*` | yes |',
    ],
    chosen,
  ),
  'a name in one option or line, and its value in the next': from(
    [
      'drone secret add --repository octocat/hello --name docker_password --data *',
      'reg add HKLM\\Software\\x /v DefaultPassword /t REG_SZ /d * /f',
      'octocat/hello\nName: npm_token\nData: *',
      '<stringProp name="Argument.name">password</stringProp>\n<stringProp name="Argument.value">*</stringProp>',
      '{"headers":[{"name":"X-Api-Key","value":"*"}]}',
      '[{"ParameterKey":"DbPassword","ParameterValue":"*"}]',
    ],
    generated,
  ),
  'interactive programs': from(
    [
      '> random_password.x.result\n"*"',
      "##[debug]Evaluating: secrets.DB_PASSWORD\n##[debug]=> '*'",
      'irb(main):001> config.api_token\n=> "*"',
      "child.expect('assword:')\nchild.sendline('*')",
    ],
    chosen,
  ),
  'programs with the ending of Windows': from(
    ['signtool.exe sign /f cert.pfx /p * /tr http://ts.example.com app.exe', 'curl.exe -u joe:* https://x.example'],
    generated,
  ),
  'commands and calls by position': from(
    [
      'mcrcon -H 127.0.0.1 -P 25575 -p * "list"',
      'isql -v DSN joe *',
      "wlan.connect('Home', '*')",
      "http.basic_auth 'joe', '*'",
      'MySQLdb.connect("localhost", "root", "*", "shop")',
      "cx_Oracle.connect('app', '*', 'db1/XE')",
      '[System.Net.NetworkCredential]::new("joe", "*")',
      'ConvertTo-SecureString -AsPlainText "*" -Force',
      '(setq my-api-token "*")',
      "{ password:: '*' }",
      'kubectl config set-credentials a --token=*',
    ],
    chosen,
  ),
  'a user and his password in one text': from(
    ['user = "joe:*"\nproxy = http://p:8080', 'cache_peer p parent 3128 0 login=joe:*'],
    chosen,
  ),
  'settings of servers, games and networks': from(
    [
      'set vpn ipsec peer 203.0.113.9 authentication pre-shared-secret *',
      'config vpn\n    edit "hq"\n        set psksecret *\n    next',
      ' ip ospf message-digest-key 1 md5 *',
      ' standby 1 authentication md5 key-string *',
      'wpa-psk ascii 0 *',
      'sentinel auth-pass mymaster *',
      'SQLConnectInfo x@localhost app *',
      "wireless.default.key='*'",
      'joe l2tpd * 10.0.0.2',
      'IMAPAccount x\nUser joe\nPass *\nSSLType IMAPS',
      'secrets {\n  ike-1 {\n    secret = *\n  }\n}',
      'Wifi is "Home", key *',
    ],
    chosen,
  ),
  'keys by their names and forms': (r) => [
    ...from(['sv_setsteamaccount *\nmap de_dust2'], () => `A3${r.hex(28).toUpperCase()}D7`)(r),
    ...from(['  local_key: *\n'], () => `a3${r.hex(12)}d7`)(r),
    ...from(['[{"success":{"username":"*"}}]'], () => `aB3dE5${r.alnum(34)}`)(r),
    ...from(['-----BEGIN USER NKEY SEED-----\n*'], () => `SUAB4${r.letters(50).toUpperCase()}CDE`)(r),
    ...from(
      ["define( 'AUTH_KEY',         '*' );"],
      () => `y_ec>9::-{::8=Y:;]y${r.alnum(20)}%C?b!BA5~+8_9]z~@-/%z${r.alnum(6)}`,
    )(r),
    ...from(['| joe | $2y$10$* |'], () => r.alnum(53))(r),
    ...[r.hex(40).toUpperCase()].map((hash): Written => [`| root | localhost | *${hash} |`, hash]),
    ...from(['[r]\ntype = s3\nsecret_access_key = *'], () => `gzhmzfgwaxzsgmwt6ty0sfhtgdmxmy${r.lower(2)}`)(r),
  ],
  'parts of a path': (r) => [
    ...from(
      [
        '"POST /services/T0LEFN724Q/B0M93T332I/* HTTP/1.1" 200 2',
        'curl -d x https://chat.example.com/hooks/T0A1B2C3D/B0Z9Y8X7W/*',
        'curl http://192.168.1.2/api/*/lights',
        'the link is https://app.example.com/password/reset/*?email=a%40b.c',
        'open https://app.example.com/invite/* and accept',
      ],
      token,
    )(r),
    ...from(['POST /bot*/sendMessage HTTP/1.1'], () => `7${r.digits(8)}:${r.alnum(22)}a4`)(r),
  ],
  'names of further keys, with words that people choose': from(
    [
      'license_key: *',
      '{"tacacsKey": "*"}',
      "INSERT INTO config (name, value) VALUES ('nomad_token', '*');",
      'id,deploy_key,note\n1,*,x',
      ' id | vpn_psk \n----+------\n  1 | *',
      'helm upgrade a b --set config.wifiPsk=*',
      'Config{host=x, bearerToken=*}',
      '    [vault_token] => *',
      "UPDATE settings SET application_key = '*' WHERE id = 1;",
      'TOTP_SECRET := *',
      'the github token is *',
      'Set WIFI_PSK to * please',
    ],
    chosen,
  ),
  'a PIN by the name of its code': from(['PIN_CODE=*', '{"pin-code": "*"}', 'pinCode: *'], pin),
  'codes of doors and phones': from(
    ['The alarm code: *', 'door code: *', 'my 2FA code is *', 'The lock code is *'],
    pin,
  ),
  'sentences of further languages': from(
    ['mdp: *', '비번은 *', 'parola este *', 'it should be `*` for the sudo password'],
    chosen,
  ),
  'keys in sentences of further languages': from(['клиентский секрет: *', 'le secret client est *'], token),
}

/** What looks like them. */
export const TOOL_HARMLESS = [
  'NAME         READY  VALUE\npassword     1/1    enabled2\ntoken-cache  1/1    running',
  'Name   Value\n----   -----\nPATH   /usr/bin2',
  '| API_TOKEN | string | the token of the service |',
  '| AUTH_PASSWORD | `required` | no |',
  'tool add --name api-token --data @file1.json',
  'reg add HKLM\\Software\\x /v PasswordAge /t REG_DWORD /d 30 /f',
  'Name: token-cache\nData: 12 MB',
  '> config.token\nundefined',
  '> state.password\n"hidden"',
  'node.exe -p process.version',
  'ws.connect("wss://example.com/socket", "graphql-ws")',
  'signal.connect("notify::position", "on_move_2")',
  'user = "1000:1000"',
  'user: "node:node"',
  'login=name:string',
  'set vpn ipsec peer 203.0.113.9 authentication mode pre-shared-secret',
  'set password policies for all users',
  'Set secret scanning on for the repository2',
  'GET /api/v1/users/3f2a1bc94d5e6f708192a3b4/posts',
  'POST /api/token/refresh HTTP/1.1',
  'https://example.com/docs/api/getting-started-with-version-2',
  'import x from "./services/user-service-v2/index.js"',
  'exit code: 1234',
  'the status code is 4040',
  'verification code is 6 digits long',
  'authentication-key 1 trusted',
  'Pass the value',
  'password:: the word that a user types',
  '"username": "joe.doe-the-second-with-a-very-long-name"',
  'local_key = settings.key',
  'SUAVE SAAS SOAP SNACK SCALE',
  'private key file, see step-2024-notes',
  'message-digest-key command',
  'user data, token pptpd * 10',
  "onError(st, 'MULTILINE_IMPLICIT_KEY', 'Implicit keys of flow sequence pairs need to be on a single line')",
  '_OPTION_PASSPHRASE = "--with_passphrase"\n\nclass ProvisionError(Exception):',
  'allowed to login as LOCUSER.  Non-IPv4 addresses are not',
]
