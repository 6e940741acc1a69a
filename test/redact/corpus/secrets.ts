import { CHOSEN_PLACES } from './chosen.ts'
import { FOUND_PLACES } from './found.ts'
import { FURTHER_PLACES } from './further.ts'
import { WIDER_PLACES } from './wider.ts'
import { BETWEEN_PLACES } from './between.ts'
import { LABEL_PLACES } from './labels.ts'
import { VARIOUS_PLACES } from './various.ts'
import { STATED_PLACES } from './stated.ts'
import { TOOL_PLACES } from './tools.ts'
import { TYPED_PLACES } from './typed.ts'
import { OTHER_PLACES } from './places.ts'
import { createRandom, type Random } from './random.ts'
import { STORED_PLACES } from './stored.ts'
import { CONTEXTS, TOKENS } from './tokens.ts'

/** A text with secrets in it. */
export interface SecretCase {
  /** The kind of the secret, or of its place. */
  family: string
  text: string
  secrets: string[]
}

/** One secret in a text, written as a template; or several. */
type Written = [text: string, ...secrets: string[]]

const word = (r: Random): string => `${r.letters(1)}${r.lower(9)}7`

/** A key as programs print it: what they write before and behind each line, and between two lines. */
export function printedKeys(key: string): string[] {
  const lines = key.trim().split('\n')
  const all = (write: (line: string, index: number) => string, joined = '\n'): string => lines.map(write).join(joined)
  const [grey, white, off] = ['\u001b[38;5;238m', '\u001b[38;5;231m', '\u001b[0m']
  const label = '-----BEGIN \u001b[01;31m\u001b[KPRIVATE KEY\u001b[m\u001b[K-----'
  return [
    all((line) => `certs/key.pem:${line}`),
    all((line, index) => `certs/key.pem${index === 0 ? ':' : '-'}${line}`),
    all((line, index) => `certs/key.pem:${index + 8}:${line}`),
    all((line) => `${line}$`),
    all((line) => `${line.slice(0, 50)}\\\n${line.slice(50)}$`),
    all((line, index) => `${grey}${String(index + 8).padStart(4)}${off} ${white}${line}${off}`),
    all((line) => `\u001b[32m+${line}\u001b[m`),
    JSON.stringify(all((line) => `\u001b[32m+${line}\u001b[m`)),
    all((line, index) => (index === 0 ? label : line)),
    all((line) => `| ${line} |`),
    `| key |\n|---|\n| ${all((line) => line, '<br>')} |`,
    JSON.stringify(lines),
    JSON.stringify(lines, null, 2),
    all((line) => line, '<br />\n'),
    all((line) => `<li>${line}</li>`, ''),
    all((line, index) => `<td>${index}</td><td>${line}</td>`),
    all((line) => `"${line}\\n" + `, ''),
    all((line) => `"${line}"`, ' + "\\n" + '),
    all((line) => `'${line}',`),
    all((line) => `2026-11-22T10:00:01Z stdout F ${line}`),
    all((line) => `[pod/web-1] ${line}`),
    all((line) => `3f2a1bc9 (Joe 2026-11-22 10:00:01 +0100 12) ${line}`),
    all((line) => `echo "${line}" >> key.pem`),
    `cat > key.pem <<'EOF'\n${key}EOF\n`,
  ]
}

/** A text as `xxd` prints it. */
const hexDump = (text: string | Buffer): string =>
  (
    Buffer.from(text as Buffer)
      .toString('hex')
      .match(/.{1,32}/g) ?? []
  )
    .map((line, index) => {
      const letters = Buffer.from(line, 'hex')
        .toString('latin1')
        .replaceAll(/[^ -~]/g, '.')
      return `${(index * 16).toString(16).padStart(8, '0')}: ${line.replaceAll(/(.{4})(?=.)/g, '$1 ')}  ${letters}`
    })
    .join('\n')

/** Keys of RFC 8410, and the beginnings of PKCS #8 and PKCS #1, as `xxd`, `xxd -p -c 64`, `xxd -i` and Python print their bytes. */
const derDumps = (r: Random): Written[] =>
  ['302e020100300506032b657004220420', '308204bd020100300d06092a864886f7', '308204a40201000282010100', '30770201010420']
    .map((head) => (head + r.hex(200)).slice(0, 192))
    .flatMap((hex): Written[] => {
      const pairs = hex.match(/../g) ?? []
      const rows = (pattern: RegExp, between: string): string =>
        (hex.match(pattern) ?? []).map((row) => (row.match(/../g) ?? []).join(between)).join('\n')
      return [
        [hexDump(Buffer.from(hex, 'hex')), (hex.slice(68, 92).match(/.{4}/g) ?? []).join(' ')],
        [rows(/.{128}|.{1,64}$/g, ''), hex.slice(100, 120)],
        [rows(/.{32}/g, ' '), hex.slice(80, 90).replaceAll(/..(?=.)/g, '$& ')],
        [`unsigned char key[] = {\n  0x${pairs.join(', 0x')}\n};`, pairs.slice(40, 44).join(', 0x')],
        [pairs.join(':'), pairs.slice(40, 44).join(':')],
      ]
    })

/** Secrets that are recognizable by what stands around them, in families. */
const PLACED: Record<string, (r: Random) => Written[]> = {
  'environment file, Base64 with slashes': (r) =>
    ['JWT_SECRET', 'SESSION_SECRET', 'export WEBHOOK_SECRET', 'AUTH_SECRET', 'COOKIE_SECRET'].map((name) => {
      const secret = `${r.base64(20)}/${r.base64(22)}=`
      return [`PORT=1\n${name}=${secret}\nDEBUG=1`, secret]
    }),
  'commands, headers and documents, further forms': (r) => {
    const [a, b, c] = [r.alnum(24), r.hex(32), word(r)]
    return [
      ...['s', 'S', 'k', 'L', 'f', 'i', 'v'].flatMap((flag): Written[] => [
        [`curl -${flag}u joe:${c} https://x.example`, c],
        [`curl -${flag}u "joe:${c}" https://x.example`, c],
      ]),
      [`curl -x p:80 -U joe:${c} https://x.example`, c],
      [`curl -x p:80 -U 'joe:${c}' https://x.example`, c],
      [`curl --proxy-user joe:${c} https://x.example`, c],
      [`curl --proxy-user 'joe:${c}' https://x.example`, c],
      [`curl --oauth2-bearer ${b} https://x.example`, b],
      [`https --auth joe:${c} x.example`, c],
      [`https --auth 'joe:${c}' x.example`, c],
      [`curl \\\n  -u "joe:${c}" \\\n  https://x.example`, c],
      [`command:\n  - "curl"\n  - "-u"\n  - "joe:${c}"`, c],
      [`{"set-cookie":["sid=${a}; Path=/","a=b"]}`, a],
      [`{"url":"postgres:\\/\\/joe:${c}@db\\/app"}`, c],
      [`https://api.telegram.org/bot1348198697:${a}${b.slice(0, 11)}/sendMessage`, a],
      [`Password is: ${a}4x`, a],
      [`     1→apiVersion: v1\n     2→kind: Secret\n     3→data:\n     4→  x: ${a}`, a],
      [`+apiVersion: v1\n+kind: Secret\n+data:\n+  x: ${a}`, a],
      [`     1→machine a.example\n     2→login joe\n     3→password ${c}`, c],
      [`\u001b[36mAuthorization\u001b[39;49;00m: \u001b[33mBearer ${a}`, a],
      [`headers.set('Authorization', 'Bearer ' + '${a}')`, a],
    ]
  },
  'lists of words, objects with a name, blocks, plans and blanks': (r) => {
    const [a, b, c, d] = [r.alnum(24), r.hex(64), word(r), word(r)]
    const sig = encodeURIComponent(`${r.base64(43)}=`)
    const json = (value: unknown): string => JSON.stringify(value, null, 2)
    const vault = `$ANSIBLE_VAULT;1.1;AES256\n          ${b}\n          ${b.slice(0, 30)}\n`
    return [
      [json(['npm', 'config', 'set', '//r.example/:_authToken', a]), a],
      [JSON.stringify({ command: 'npm', args: ['config', 'set', '//r.example/:_authToken', a] }), a],
      [json({ args: ['-p', c], command: 'mysql' }), c],
      [json({ command: '/usr/bin/mysqldump', args: ['-h', 'db', '-uroot', `-p${c}`, 'app'] }), c],
      [JSON.stringify({ args: ['-u', `joe:${c}`, 'https://x.example'], env: { A: 'b' }, command: 'curl' }), c],
      [json({ entrypoint: ['mysqladmin'], command: ['ping', `-p${c}`] }), c],
      [JSON.stringify({ args: `-u root -p${c}`, command: 'mysql' }), c],
      [`args:\n  - -h\n  - db\n  - -p${c}\ncommand: mysql\n`, c],
      [`["docker", "login", "-u", "joe", "-p", "${c}"]`, c],
      [json({ headers: [{ name: 'Authorization', value: a }] }), a],
      [json([{ value: `Bearer ${a}`, enabled: true, name: 'Authorization' }]), a],
      [JSON.stringify({ headers: [{ key: 'Cookie', value: `sid=${a}` }] }), a],
      [json({ ParameterKey: 'DBPassword', UsePreviousValue: false, ParameterValue: c }), c],
      [json([{ Value: c, Name: 'DB_PASSWORD' }]), c],
      [`env:\n  - value: ${c}\n    name: DB_PASSWORD\n`, c],
      [`password: !vault |\n          ${vault}`, b, b.slice(0, 30)],
      [`     1→password: !vault |\n     2→          ${c}\n     3→          ${d}\n     4→port: 1`, c, d],
      [`password: &pw |2-  # a comment\n    ${c}\n    ${d}\nport: 1\n`, c, d],
      [`password:${' '.repeat(60)}${c}`, c],
      [`"password"${' '.repeat(60)}:${' '.repeat(60)}"${c}"`, c],
      ['https://x.example/login?user=joe&pin=482913', '482913'],
      ['CARD_PIN="482913"', '482913'],
      ['pkcs11-tool --login --pin 482913 -O', '482913'],
      [`  ~ password = "${c}" -> "${d}" # forces replacement`, c, d],
      [`  ~ password = (sensitive value) -> "${d}"`, d],
      [`  ~ "DB_PASSWORD" = null -> "${d}"`, d],
      [`https://acc.blob.core.windows.net/c?sv=2022-11-02&amp;sig=${sig}`, sig],
      [`{"url":"https://acc.blob.core.windows.net/c?sv=2022\\u0026sig=${sig}"}`, sig],
    ]
  },
  'names and values in many languages': (r) => {
    const [a, b, c] = [r.alnum(24), r.hex(32), word(r)]
    return [
      [`db_password: !plain "${c}"\n`, c],
      [`secret_key:\n  - ${b}\n`, b],
      [`api_token:\n  value: ${b}\n`, b],
      [`{"ParameterKey":"DB_PASSWORD","ParameterValue":"${c}"}`, c],
      [`<entry key="bot_token">${b}</entry>`, b],
      [`<key>api_token</key>\n\t<string>${b}</string>`, b],
      [`variable "api_token" {\n  type    = string\n  default = "${b}"\n}`, b],
      [`{"bot_token":["${b}"]}`, b],
      [`{:api-token "${b}"}`, b],
      [`api_token = f"${a}"`, a],
      [`db_password = (\n    "${c}"\n)`, c],
      [`pub const API_TOKEN: &'static str = "${b}";`, b],
      [`let token = String::from("${b}");`, b],
      [`const apiToken = process.env.API_TOKEN || '${b}'`, b],
      [`public string ApiToken { get; set; } = "${b}";`, b],
      [`const char password[] = "${c}";`, c],
      [`std::string db_password{"${c}"};`, c],
      [`Dim password As String = "${c}"`, c],
      [`token = %q(${b})`, b],
      [`token = ''${b}'';`, b],
      [`API_TOKEN ?= ${b}`, b],
      [`New-User -Name joe -Password "${c}"`, c],
      [`proxy_set_header X-Api-Key "${b}";`, b],
      [`API Key: ${b}`, b],
      [`- **api_token**: ${b}`, b],
      [`**API_TOKEN:** ${b}`, b],
    ]
  },
  'tokens behind letters, hyphens and underscores': (r) => {
    const openai = `${r.alnum(20)}T3BlbkFJ${r.alnum(20)}`
    const bodies: [prefix: string, body: string][] = [
      ['sk-', openai],
      ['SG.', `${r.base64url(22)}.${r.base64url(43)}`],
      ['sk-or-v1-', r.hex(64)],
      ['dop_v1_', r.hex(64)],
      ['dapi', r.hex(32)],
      ['shpat_', r.hex(32)],
      ['lin_api_', r.alnum(40)],
      ['secret_', r.alnum(43)],
      ['hvs.', r.base64url(90)],
      ['dp.pt.', r.alnum(43)],
      ['fo1_', r.base64url(43)],
      ['ico-', r.alnum(32)],
      ['EAACEdEose0cBA', r.alnum(120)],
    ]
    return bodies.flatMap(([prefix, body]): Written[] => [
      [`tool mcp_${prefix}${body} missing`, body],
      [`see old-${prefix}${body}`, body],
      [`see x${prefix}${body}`, body],
    ])
  },
  'environment file, quoted and prefixed': (r) => {
    const [a, b, c, d] = [`${r.base64(18)}/${r.base64(25)}=`, `${r.base64(43)}=`, r.hex(64), r.base64(400)]
    return [
      [`NEXTAUTH_SECRET="${a}"`, a],
      [`APP_KEY=base64:${b}`, b],
      [`RAILS_MASTER_KEY='${c}'`, c],
      [`AWS_SESSION_TOKEN=IQoJb3JpZ2luX2VjE/${d}`, d],
      [`{"AccessKeyId": "x", "SessionToken": "IQoJb3JpZ2lu/${d}=="}`, d],
    ]
  },
  'values with dots': (r) => {
    const [a, b, c, d] = [r.base64url(24), r.base64url(6), r.base64url(27), r.alnum(60)]
    return [
      [`VAULT_TOKEN=s.${r.alnum(4)}${a}`, a],
      [`DISCORD_TOKEN=${a}.${b}.${c}`, a, c],
      [`token = "${r.alnum(14)}.atlasv1.${d}"`, d],
      ['SMTP_PASSWORD=a1.b2.c3d4', 'a1.b2.c3d4'],
      [`"bot_token": "${a}.${b}.${c}"`, a, c],
    ]
  },
  'shell, user and password': (r) => {
    const p = word(r)
    return [
      [`curl -u admin:${p} https://api.example.com/v1`, p],
      [`curl -sS --user "admin:${p}" https://api.example.com`, p],
      [`curl -fsSL -u 'joe@acme.io:p@ss ${p}' -X POST https://api.example.com`, p],
      [`curl --user=admin:${p} https://x`, p],
      [`http -a admin:${p} GET https://x`, p],
      [`wget --user=joe --password=${p} https://x`, p],
      [`curl -X POST https://x/login -d 'username=joe&password=${p}&remember=1'`, p],
      [`curl -H 'Content-Type: application/json' -d '{"user":"joe","password":"${p}"}' https://x`, p],
      [`smbclient //nas/share -U joe%${p}`, p],
    ]
  },
  'shell, password flags': (r) => {
    const [p, a] = [word(r), `${r.base64(39)}7`]
    return [
      [`mysql -h db -u root -p${p} app < dump.sql`, p],
      [`mysqldump -uroot -p'${p}' app`, p],
      [`mysql --password=${p} app`, p],
      [`sshpass -p ${p} ssh root@10.0.0.1`, p],
      [`sshpass -p '${p} x' scp a root@h:b`, p],
      [`redis-cli -h cache -a ${p} ping`, p],
      [`http -a 'joe:${p}' GET :3000/orders`, p],
      [`docker login -u joe -p ${p} registry.example.com`, p],
      [`podman login --username joe --password ${p} quay.io`, p],
      [`openssl rsa -in key.pem -passin pass:${p}`, p],
      [`openssl pkcs12 -export -passout pass:${p} -in a.pem`, p],
      [`openssl enc -aes-256-cbc -k ${p} -in a`, p],
      [`ldapsearch -x -D cn=admin -w ${p} -b dc=x`, p],
      [`mongosh -u root -p ${p} --host db`, p],
      [`zip -P ${p} -r a.zip a`, p],
      [`7z x a.7z -p${p}`, p],
      [`sqlcmd -S db -U sa -P '${p}' -Q "select 1"`, p],
      [`PGPASSWORD=${p} psql -h db -U app`, p],
      [`gpg --batch --passphrase ${p} -d a.gpg`, p],
      [`echo ${p} | sudo -S apt-get update`, p],
      [`echo "root:${p}" | chpasswd`, p],
      [`echo ${p} | docker login -u joe --password-stdin`, p],
      [`mytool deploy --api-key ${r.alnum(20)}4 --region eu`, 'x'.repeat(99)],
      [`vault login hvs.${r.base64url(90)}`, 'x'.repeat(99)],
      [`docker run -e MYSQL_ROOT_PASSWORD=${p} -p 3306:3306 mysql:8`, p],
      [`kubectl create secret generic db --from-literal=password=${p}`, p],
      [`helm upgrade app ./chart --set db.password=${p}`, p],
      [`aws configure set aws_secret_access_key ${a}`, a],
    ]
  },
  headers: (r) => {
    const [a, b, p] = [r.alnum(40), r.hex(32), word(r)]
    const basic = Buffer.from(`admin:${p}`).toString('base64')
    return [
      [`Authorization: Bearer ${a}`, a],
      [`Authorization: token ${b}`, b],
      [`authorization: ApiKey ${a}`, a],
      [`Authorization: Api-Token ${a}`, a],
      [`Authorization: ${a}`, a],
      [`Authorization: Bearer ${r.letters(32)}`, 'x'.repeat(99)],
      ['Authorization: Bearer abcdwxyzefghqrstijklmnop', 'abcdwxyzefghqrstijklmnop'],
      [`curl -H "Authorization: Basic ${basic}" https://x`, basic],
      [`'Authorization': \`Bearer ${a}\``, a],
      [`{"headers":{"authorization":"Bearer ${a}"}}`, a],
      [`{\\"Authorization\\":\\"Bearer ${a}\\"}`, a],
      [`Proxy-Authorization: Basic ${basic}`, basic],
      [`Authorization: Digest username="joe", realm="x", response="${b}"`, b],
      [
        `Authorization: AWS4-HMAC-SHA256 Credential=x/20261121/eu/s3/aws4_request, SignedHeaders=host, Signature=${r.hex(64)}`,
        'x'.repeat(99),
      ],
      [`X-Auth-Key: ${b}`, b],
      [`X-Auth-Token: ${a}`, a],
      [`X-API-Key: ${a}`, a],
      [`x-api-key: ${r.uuid()}`, 'x'.repeat(99)],
      [`X-JFrog-Art-Api: ${r.alnum(73)}`, 'x'.repeat(99)],
      [`DD-API-KEY: ${b}`, b],
      [`DD-APPLICATION-KEY: ${r.hex(40)}`, 'x'.repeat(99)],
      [`PRIVATE-TOKEN: ${a}`, a],
      [`Ocp-Apim-Subscription-Key: ${b}`, b],
      [`X-Vault-Token: ${a}`, a],
      [`-H 'X-Gitlab-Token: ${b}'`, b],
      [`x-functions-key: ${r.base64url(54)}==`, 'x'.repeat(99)],
    ]
  },
  cookies: (r) => {
    const [a, b, c] = [r.alnum(32), `s%3A${r.base64url(30)}.${r.base64url(43)}`, word(r)]
    return [
      [`Cookie: sessionid=${a}; theme=dark`, a],
      [`Cookie: RememberMe=${c}; theme=dark`, c],
      [`Set-Cookie: sid=${a}; Path=/; HttpOnly; Expires=Wed, 21 Oct 2026 07:28:00 GMT`, a],
      [`< set-cookie: connect.sid=${b}; Path=/; HttpOnly`, b],
      [`curl -b 'session=${a}' https://x`, a],
      [`curl --cookie "theme=dark; auth=${a}" https://x`, a],
      [`{"cookie": "lang=en; _session=${a}"}`, a],
      [`-H "Cookie: csrftoken=${r.alnum(64)}; sessionid=${a}"`, a],
      [`Set-Cookie: _gitlab_session=${r.hex(32)}; path=/`, 'x'.repeat(99)],
    ]
  },
  'config files': (r) => {
    const [p, a] = [word(r), r.base64(43)]
    const basic = Buffer.from(`joe:${p}`).toString('base64')
    return [
      [`machine api.heroku.com\n  login joe@acme.io\n  password ${p}\n`, p],
      [`machine github.com login joe password ${p}`, p],
      [`db.example.com:5432:app:joe:${p}\n`, p],
      [`*:*:*:joe:${p}`, p],
      [`{"auths": {"https://index.docker.io/v1/": {"auth": "${basic}"}}}`, basic],
      [`//registry.npmjs.org/:_auth=${basic}`, basic],
      [`_auth = "${basic}"`, basic],
      [`//npm.example.com/:_password=${Buffer.from(p).toString('base64')}`, Buffer.from(p).toString('base64')],
      [`//npm.example.com/:_authToken=${r.uuid()}`, 'x'.repeat(99)],
      [`[Interface]\nPrivateKey = ${a}=\nAddress = 10.0.0.2/32`, a],
      [`[Peer]\nPresharedKey = ${a}=\nPublicKey = x`, a],
      [`<server>\n  <id>x</id>\n  <username>joe</username>\n  <password>${p}</password>\n</server>`, p],
      ['<password>sommerregen</password>', 'sommerregen'],
      [`<add key="ClearTextPassword" value="${p}" />`, p],
      [`<add key="ApiKey" value="${r.alnum(32)}"/>`, 'x'.repeat(99)],
      [
        `<connectionStrings><add connectionString="Server=db;Database=app;User Id=sa;Password=${p};" /></connectionStrings>`,
        p,
      ],
      ['Server=db;Uid=app;Pwd=sommerregen;', 'sommerregen'],
      [`requirepass ${p}`, p],
      [`[client]\nuser=root\npassword=${p}\n`, p],
      [`spring.datasource.password=sommerregen`, 'sommerregen'],
      [`hibernate.connection.password = ${p}`, p],
      [`smtp_pass = ${p}`, p],
      [
        `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${r.base64(86)}==;EndpointSuffix=core.windows.net`,
        'x'.repeat(99),
      ],
      [`Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=n;SharedAccessKey=${a}=`, a],
      [`https://x.blob.core.windows.net/c?sv=2022-11-02&sig=${r.alnum(42)}%3D&se=2026`, 'x'.repeat(99)],
    ]
  },
  'Rails, Ansible, Terraform, WireGuard, JWK': (r) => {
    const [p, a, b] = [word(r), r.hex(128), r.base64url(43)]
    return [
      [`SECRET_KEY_BASE=${a}`, a],
      [`production:\n  secret_key_base: ${a}`, a],
      [`  encryption_key: ${r.hex(32)}`, 'x'.repeat(99)],
      [`config.signingKey = "${b}"`, b],
      [`"signingKey": "${b}",`, b],
      [`web1 ansible_host=10.0.0.1 ansible_ssh_pass=${p} ansible_become_pass='${p}!'`, p],
      [`ansible_password: "${p}"`, p],
      [`vault_db_password: ${p}`, p],
      [`variable "x" {}\ndb_password = "${p}"\n`, p],
      [`administrator_login_password = "H@Sh1CoR3!"`, 'H@Sh1CoR3!'],
      [`{"kty":"OKP","crv":"Ed25519","d":"${b}","x":"${r.base64url(43)}"}`, b],
      [`{"kty":"oct","k":"${b}","alg":"HS256"}`, b],
      [
        `{\n  "p": "${r.base64url(80)}",\n  "kty": "RSA",\n  "q": "${r.base64url(80)}",\n  "d": "${a}",\n  "e": "AQAB"\n}`,
        a,
      ],
      [`hmac_key: ${b}`, b],
      [`masterKey = '${b}'`, b],
    ]
  },
  'Kubernetes Secrets': (r) => {
    const [a, b] = [Buffer.from(word(r)).toString('base64'), r.base64(30)]
    return [
      [
        `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  uri: ${a}\n  tls.crt: ${b}\n`,
        a,
        b,
      ],
      [`apiVersion: v1\ndata:\n  connection: ${a}\n  other: "${b}"\nkind: Secret\nmetadata:\n  name: db\n`, a, b],
      [`kind: Secret\nstringData:\n  config.ini: sommerregen9\n  dsn: '${b}'\n`, 'sommerregen9', b],
      [`{"apiVersion":"v1","kind":"Secret","data":{"uri":"${a}","ca":"${b}"},"type":"Opaque"}`, a, b],
      [`{"apiVersion":"v1","data":{"uri":"${a}"},"kind":"Secret","type":"Opaque"}`, a],
      [`env:\n  - name: DB_PASSWORD\n    value: ${b}1\n`, b],
      [`"environment": [{"name": "API_TOKEN", "value": "${b}1"}]`, b],
    ]
  },
  'whole passwords': () => [
    ['"password": "blue horse staple battery"', 'blue horse staple battery', 'staple', 'battery'],
    ['passphrase: "blue horse staple battery"', 'blue horse staple battery', 'staple'],
    ['"password": "q1W,e2R;t3Y"', 'q1W,e2R;t3Y', 'e2R', 't3Y'],
    ['"password": "@dm1n2024x"', '@dm1n2024x', '2024x'],
    ["DB_PASSWORD='$ecret9x'", '$ecret9x', 'ecret9x'],
    ['"password": "!Passw0rt[1]"', '!Passw0rt[1]', 'Passw0rt'],
    ['"password": "*uvw&x9(z)"', '*uvw&x9(z)', 'x9(z)'],
    ['"password": "[brackets]7"', '[brackets]7'],
    ['"password": "(round)5%a"', '(round)5%a'],
    ['"password": "&and%per1"', '&and%per1'],
    ['"password": "%per&and1"', '%per&and1'],
    ['"password": "My-Pass2024!"', 'My-Pass2024!', 'Pass2024'],
    ['password="it\'s 4 secret"', "it's 4 secret", 'secret'],
    ['{\\"password\\": \\"q1W,e2R t3Y\\"}', 'q1W,e2R t3Y', 't3Y'],
    ['"password": "pa\\"ss,w0rd"', 'ss,w0rd'],
    ['DB_PASSWORD=q1W,e2R;t3Y', 'q1W,e2R;t3Y', 'e2R'],
    ["const password = 'Tr0ub4dor&3'", 'Tr0ub4dor&3'],
    ['+  password: "Tr0ub4dor&3",', 'Tr0ub4dor&3'],
    ['    12→  password: "Tr0ub4dor&3",', 'Tr0ub4dor&3'],
    ['12|DB_PASS=Tr0ub4dor&3', 'Tr0ub4dor&3'],
  ],
  'passwords without a digit': () => [
    ['DB_PASSWORD=correcthorsebatterystaple', 'correcthorsebatterystaple'],
    ['PGPASSWORD=sommerregen psql -h db', 'sommerregen'],
    ['MYSQL_PWD=sommerregen mysqldump app', 'sommerregen'],
    ['export ADMIN_PASS=Sommerregen', 'Sommerregen'],
    ['"db_password": "sommerregen"', 'sommerregen'],
    ['[Assistant tool calls]: bash(command="cat .env\\nDB_PASSWORD=sommerregen\\nPORT=1")', 'sommerregen'],
    ['-DB_PASSWORD=sommerregen\n+DB_PASSWORD=winterabend', 'sommerregen', 'winterabend'],
    ['REDIS_PASSWORD="sommerregen"', 'sommerregen'],
  ],
  URLs: (r) => {
    const [p, t] = [word(r), r.alnum(40)]
    return [
      [`postgres://app:${p}@db:5432/app`, p],
      [`DATABASE_URL=postgresql://app:pa/ss${p}@db:5432/app`, p],
      [`redis://:p$ss*${p}@cache:6379/0`, p],
      [`mongodb+srv://root:[x${p}@cluster0.abc.mongodb.net/?retryWrites=true`, p],
      [`amqp://guest:{x${p}@mq:5672`, p],
      ['mysql://root:sommerregen@127.0.0.1/app', 'sommerregen'],
      [`https://${t}@github.com/o/r.git`, t],
      [`https://${t}:x-oauth-basic@github.com/o/r.git`, t],
      [`https://oauth2:${t}@gitlab.com/o/r.git`, t],
      [`git clone https://joe:${p}@git.example.com/o/r.git`, p],
      [`https://x/cb?access_token=${t}&state=1`, t],
      [`https://x/cb#id=1&refresh_token=${t}`, t],
      [`https://x/v1?api_key=${r.hex(32)}`, 'x'.repeat(99)],
      [`app:${p}@tcp(db:3306)/app?parseTime=true`, p],
      ['ftp://joe:12345@ftp.example.com/a', '12345'],
      [`https://discord.com/api/webhooks/${r.digits(18)}/${r.base64url(68)}`, 'x'.repeat(99)],
      [`https://hooks.slack.com/services/T${r.upper(8)}/B${r.upper(8)}/${r.alnum(24)}`, 'x'.repeat(99)],
      [`https://hooks.zapier.com/hooks/catch/${r.digits(7)}/${r.lower(7)}`, 'x'.repeat(99)],
      [
        `https://x.webhook.office.com/webhookb2/${r.uuid()}@${r.uuid()}/IncomingWebhook/${r.hex(32)}/${r.uuid()}`,
        'x'.repeat(99),
      ],
      [`jdbc:postgresql://db/app?user=app&password=${p}`, p],
    ]
  },
  'colours, tags and blanks between a name and its value': (r) => {
    const [p, e] = [word(r), '\u001b']
    return [
      [`"password"${e}[0m: ${e}[32m"${p}"`, p],
      [`${e}[34;1m"password"${e}[0m${e}[1;39m: ${e}[0;32m"${p}"${e}[0m`, p],
      [`${e}[36mDB_PASSWORD${e}[0m=${e}[33m${p}${e}[0m`, p],
      [`\\u001b[34m"password"\\u001b[0m: \\u001b[32m"${p}"`, p],
      [`password: !!str ${p}`, p],
      [`password: &pw "${p}"`, p],
      [`<password>\n  ${p}\n</password>`, p],
      [`<password>\n<![CDATA[${p}]]>\n</password>`, p],
      [`<apiKey><![CDATA[${r.alnum(24)}]]></apiKey>`, 'x'.repeat(99)],
      [`<password type="plain">${p}</password>`, p],
      [`<Name>DB_PASSWORD</Name><Value>${p}</Value>`, p],
      [`password = """\n${p}\n"""`, p],
      [`password = '''${p}'''`, p],
      [`password = [=[${p}]=]`, p],
      [`password = r#"${p}"#`, p],
      [`password = @"${p}"`, p],
      [`"password"          :          "${p}"`, p],
      [`"password":\n        "${p}"`, p],
      [`{"Name":"DB_PASSWORD","Value":"${p}"}`, p],
      [`{"name":"DB_PASSWORD","type":"plain","value":"${p}"}`, p],
      [`{"password":{"value":"${p}"}}`, p],
      [`["mysql","--password","${p}"]`, p],
      [`["curl","-u","joe:${p}"]`, p],
      [`CMD ["redis-cli", "-a", "${p}"]`, p],
      [`[["Authorization","Token ${p}"]]`, p],
    ]
  },
  'commands that store secrets': (r) => {
    const p = word(r)
    return [
      [`npm config set //r.example/:_authToken ${p}`, p],
      [`gh secret set X --body ${p}`, p],
      [`gh secret set X -b"${p}"`, p],
      [`echo ${p} | gh secret set X`, p],
      [`printf '%s' '${p}' | docker login -u a --password-stdin`, p],
      [`aws secretsmanager create-secret --name x --secret-string ${p}`, p],
      [`aws ssm put-parameter --name /x/password --value ${p}`, p],
      [`keytool -storepass ${p} -keypass ${p}`, p],
      [`usermod -p ${p} joe`, p],
      [`htpasswd -b users joe ${p}`, p],
      [`htpasswd -cb users joe ${p}`, p],
      [`net user joe ${p} /add`, p],
      [`kubectl create secret generic x --from-literal=foo=${p}`, p],
      [`fly secrets set X=${p}`, p],
      [`composer config http-basic.x.example joe ${p}`, p],
      [`wrangler secret put X <<< ${p}`, p],
      [`vault kv put secret/x value=${p}`, p],
      [`dotnet user-secrets set "X:ApiKey" "${p}a1b2"`, p],
    ]
  },
  'tokens inside words': (r) => {
    const [g, x] = [r.alnum(36), r.alnum(24)]
    return [
      [`backup-ghp_${g}.txt`, g],
      [`_ghp_${g}_`, g],
      [`mcp_ghp_${g}`, g],
      [`xghp_${g}`, g],
      [`v1-npm_${g}`, g],
      [`__glpat-${x}__`, x],
      [`key_AIza${r.base64url(35)}`, 'x'.repeat(99)],
      [`a_sk_live_${x}`, x],
      [`my_sk-ant-api03-${g}`, g],
    ]
  },
  'letters only': () =>
    ['secret=', 'api_key=', 'client_secret: ', 'ACCESS_TOKEN=', 'https://x.example/?token=', '--token '].map(
      (before) => [`${before}qwhgzkmvbtnrlpxscjd`, 'qwhgzkmvbtnrlpxscjd'],
    ),
  'the two parts of an AWS key': (r) => {
    const secret = `${r.base64(37)}aB1`
    return [' and secret ', ',', '\t'].map((between) => [`AKIAIOSFODNN7EXAMPLE${between}${secret}`, secret])
  },
  SQL: () => [
    ["CREATE USER app WITH PASSWORD 'sommer7regen';", 'sommer7regen'],
    ["CREATE USER 'app'@'%' IDENTIFIED BY 'sommerregen';", 'sommerregen'],
    ["ALTER ROLE app PASSWORD 'sommerregen';", 'sommerregen'],
    ["SET PASSWORD FOR 'root'@'localhost' = 'sommer7regen';", 'sommer7regen'],
  ],
  'code, JSON and YAML': (r) => {
    const [a, b, c] = [r.alnum(32), r.hex(40), r.alnum(24)]
    return [
      [`"client_secret": "${a}"`, a],
      [`const apiKey = '${a}'`, a],
      [`api_key: ${a}`, a],
      [`headers["X-Api-Key"] = "${a}"`, a],
      [`config["secret"] = "${a}"`, a],
      [`:secret => "${a}"`, a],
      [`{"refresh_token":"1//0${a}"}`, a],
      [`access_token: ${b}`, b],
      [`"private_key_id": "x", "private_key": "${r.base64(60)}"`, 'x'.repeat(99)],
      [`$env:API_KEY = "${c}"`, c],
      [`set API_TOKEN=${c}`, c],
      [`setx API_TOKEN ${c}1`, c],
      [`ENV API_TOKEN ${c}1`, c],
      [`set -gx API_TOKEN ${c}1`, c],
      [`ConvertTo-SecureString "sommer7regen" -AsPlainText -Force`, 'sommer7regen'],
      [`password: |\n  sommer7regen\n`, 'sommer7regen'],
      [`{\n  "name": "x",\n  "apiSecret": "${a}"\n}`, a],
      [`[Assistant tool calls]: write(path="c.json", content="{\\"clientSecret\\": \\"${a}\\"}")`, a],
      [`clientSecret%3D${a}%26scope%3Da`, a],
      [`"credentials": "${a}"`, a],
      [`TF_VAR_api_token=${b}`, b],
      [`heroku_api_key = "${r.uuid()}"`, 'x'.repeat(99)],
      [`const twitterAccessToken = "${r.digits(19)}-${r.alnum(30)}"`, 'x'.repeat(99)],
    ]
  },
  'typed code and settings': (r) => {
    const [a, p] = [r.alnum(32), word(r)]
    return [
      [`const apiKey: string = "${a}"`, a],
      [`let api_key: &str = "${a}";`, a],
      [`var token string = "${a}"`, a],
      ['#define WIFI_PASSWORD "sommerregen9"', 'sommerregen9'],
      ['private static final String PASSWORD = "sommerregen";', 'sommerregen'],
      ["define('DB_PASSWORD', 'sommerregen9');", 'sommerregen9'],
      ['environment:\n  MYSQL_ROOT_PASSWORD: sommerregen\n', 'sommerregen'],
      ['[client]\npassword=sommerregen\n', 'sommerregen'],
      ['network={\n  psk="sommerregen9"\n}', 'sommerregen9'],
      ['SSHPASS=sommerregen sshpass -e ssh x', 'sommerregen'],
      [`redis-cli --pass sommerregen ping`, 'sommerregen'],
      [`docker login -p${p} registry.example.com`, p],
      [`curl https://x -u :${p}`, p],
      [`curl --basic --user 'joe:it is ${p}' https://x`, p],
      [`default login joe password ${p}`, p],
      ['The password is Tr0ub4dor&3, do not tell anybody.', 'Tr0ub4dor&3'],
      ['my passphrase was `hunter2-Very-Secret`', 'hunter2-Very-Secret'],
      // Not found, see KNOWN in corpus.test.ts.
      ['  password: sommerregen\n', 'sommerregen'],
      [`| joe | ${p} | admin |`, p],
      ["requests.get(u, auth=('joe', 'sommerregen9'))", 'sommerregen9'],
      ['SESSION_SECRET="keyboard cat 42"', 'keyboard cat 42'],
      ['"mnemonic": "abandon ability able about above absent"', 'abandon ability able'],
    ]
  },
  'private keys': (r) => {
    const lines = Array.from({ length: 6 }, () => r.base64(64))
    const [first = '', second = '', third = ''] = lines
    const pem = (label: string, body: string): string => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`
    const encoded = Buffer.from(pem('RSA PRIVATE KEY', lines.join('\n'))).toString('base64')
    return [
      [pem('PRIVATE KEY', lines.join('\n')), ...lines],
      [pem('OPENSSH PRIVATE KEY', lines.join('\n')), ...lines],
      [JSON.stringify({ private_key: pem('PRIVATE KEY', lines.join('\n')) }), ...lines],
      [JSON.stringify(JSON.stringify({ private_key: pem('RSA PRIVATE KEY', lines.join('\n')) })), ...lines],
      [
        pem('RSA PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${r.hex(32)}\n\n${lines.join('\n')}`),
        ...lines,
      ],
      [
        `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\nComment: https://x.org\n\n${lines.join('\n')}`,
        ...lines,
      ],
      [pem('PGP PRIVATE KEY BLOCK', `Version: GnuPG v2\n\n${lines.join('\n')}\n=AbC4`), ...lines],
      [pem('EC PRIVATE KEY', lines.join('\n')).replaceAll(/^/gm, '   12→'), ...lines],
      [pem('EC PRIVATE KEY', lines.join('\n')).replaceAll(/^/gm, '12| '), ...lines],
      [pem('EC PRIVATE KEY', lines.join('\n')).replaceAll(/^/gm, '-'), ...lines],
      [pem('EC PRIVATE KEY', lines.join('\n')).replaceAll(/^/gm, '+'), ...lines],
      [
        `-----BEGIN RSA PRIVATE KEY-----\n${first}\n${second}\n[... 12 lines omitted]\n${third}\n`,
        first,
        second,
        third,
      ],
      [`-----BEGIN RSA PRIVATE KEY-----\n${first}\n${second}`, first, second],
      [`PRIVATE_KEY="-----BEGIN PRIVATE KEY-----\\n${lines.join('\\n')}\\n-----END PRIVATE KEY-----\\n"`, ...lines],
      [
        `key: |\n  -----BEGIN PRIVATE KEY-----\n${lines.map((line) => `  ${line}\n`).join('')}  -----END PRIVATE KEY-----`,
        ...lines,
      ],
      [
        `const pem = "-----BEGIN PRIVATE KEY-----\\n" +\n${lines.map((line) => `  "${line}\\n" +\n`).join('')}  "-----END PRIVATE KEY-----"`,
        ...lines,
      ],
      [pem('PRIVATE KEY', lines.join('\r\n')), ...lines],
      [`-----BEGIN PRIVATE KEY-----${lines.join('')}-----END PRIVATE KEY-----`, ...lines],
      [`-----BEGIN PRIVATE KEY----- ${lines.join(' ')} -----END PRIVATE KEY-----`, ...lines],
      [pem('PRIVATE KEY', lines.join('\n').replaceAll(/(.{16})/g, '$1\n')), ...lines.map((line) => line.slice(0, 16))],
      [
        `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: x\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 2\n${first}\n${second}\nPrivate-MAC: ${r.hex(64)}`,
        first,
        second,
      ],
      ...printedKeys(pem('PRIVATE KEY', lines.join('\n'))).map((text): Written => [text, ...lines]),
      [encoded.replaceAll(/(.{76})/g, '$1\n'), encoded.slice(60, 76), encoded.slice(80, 150), encoded.slice(-40)],
      [encoded.replaceAll(/(.{64})/g, 'key.b64:$1\n'), encoded.slice(40, 64), encoded.slice(70, 120)],
      [Buffer.from(encoded).toString('base64'), Buffer.from(encoded).toString('base64').slice(100, 300)],
      ...derDumps(r),
      [
        (
          Buffer.from(pem('EC PRIVATE KEY', lines.join('\n')))
            .toString('hex')
            .match(/.{1,128}/g) ?? []
        ).join('\n'),
        Buffer.from(lines[1] ?? '').toString('hex'),
      ],
      [hexDump(pem('EC PRIVATE KEY', lines.join('\n'))), first.slice(6, 14)],
      [`${second}\n${third}\nabC4=\n-----END PRIVATE KEY-----\n`, second, third],
      [`${second.slice(30)}\n${third}\n${first}\nabC4=\n-----END PRIVATE KEY-----\n`, second.slice(30), third],
      [`KEY=MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${first}`, first],
      [`MHcCAQEEI${first.slice(9)}\n${second}\nabC4==\n`, first.slice(9), second],
      [`b3BlbnNzaC1rZXktdjEA${first.slice(20)}\n${second}\nabC4==\n`, first.slice(20), second],
      [`KUBE=${encoded}`, encoded.slice(60, 400)],
      [`client-key-data: ${encoded}\n`, encoded.slice(60, 400)],
    ]
  },
}

/** The name of a secret that a template has made itself: the longest random piece of its text. */
const OWN = 'x'.repeat(99)

const longestPiece = (text: string): string =>
  Array.from(text.matchAll(/[A-Za-z0-9_-]{7,}/g), ([piece]) => piece).sort((a, b) => b.length - a.length)[0] ?? ''

/** All families of places. */
const PLACES = {
  ...PLACED,
  ...OTHER_PLACES,
  ...STORED_PLACES,
  ...CHOSEN_PLACES,
  ...FOUND_PLACES,
  ...FURTHER_PLACES,
  ...WIDER_PLACES,
  ...BETWEEN_PLACES,
  ...TOOL_PLACES,
  ...STATED_PLACES,
  ...LABEL_PLACES,
  ...VARIOUS_PLACES,
  ...TYPED_PLACES,
}

function placedCases(seed: string): SecretCase[] {
  return Object.entries(PLACES).flatMap(([family, write]) =>
    write(createRandom(family + seed)).map(([text, ...secrets]) => ({
      family,
      text,
      secrets: secrets.map((secret) => (secret === OWN ? longestPiece(text) : secret)),
    })),
  )
}

/** Each token in three places, so that every place has several tokens. */
function tokenCases(seed: string): SecretCase[] {
  const contexts = Object.entries(CONTEXTS)
  return Object.entries(TOKENS).flatMap(([family, make], index) =>
    [0, 1, 2].map((turn) => {
      const token = make(createRandom(`${family}${turn}${seed}`))
      const [place = '', write] = contexts[(index * 3 + turn * 7) % contexts.length] ?? []
      return { family: `${family}, ${place}`, text: write?.(token) ?? '', secrets: [token] }
    }),
  )
}

/** Returns all texts with secrets; another seed has other random values in the same texts. */
export const secretCases = (seed = ''): SecretCase[] => [...tokenCases(seed), ...placedCases(seed)]

/** Returns the number of kinds of tokens and of families of places. */
export const countFamilies = (): number => Object.keys(TOKENS).length + Object.keys(PLACES).length
