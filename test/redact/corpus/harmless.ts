import { FOUND_HARMLESS } from './found.ts'
import { FURTHER_HARMLESS } from './further.ts'
import { STORED_HARMLESS } from './stored.ts'
import { CHOSEN_HARMLESS } from './chosen.ts'
import { SOURCE_HARMLESS } from './sources.ts'
import { SPOKEN_HARMLESS } from './spoken.ts'
import { WIDER_HARMLESS } from './wider.ts'
import { BETWEEN_HARMLESS } from './between.ts'
import { LABEL_HARMLESS } from './labels.ts'
import { STATED_HARMLESS } from './stated.ts'
import { TOOL_HARMLESS } from './tools.ts'
import { TYPED_HARMLESS } from './typed.ts'
import { VARIOUS_HARMLESS } from './various.ts'

/** Lines that look like secrets and are none, one in a line. */
const LINES = String.raw`
Basic tests/unit/v2
[![coverage](https://codecov.io/gh/acme/app/branch/main/graph/badge.svg?token=rn81iI5bTe)](https://codecov.io/gh/acme/app)
amqp://guest:guest@localhost:5672/
label:"Password:",u?O():a.jsx("b",{c:"d"})
for name in ("atom", "tokens", "symbol2label"):
key_password=certs[0][2],
PASSWORD=[Password]
"ARN": "arn:aws:secretsmanager:us-west-2:123456789012:secret:MyTestSecret-1a2b3c",
DbPassword: !Ref DbPassword2024
<string name="password">Passwort</string>
<string name="enter_password">Geben Sie Ihr Passwort2 ein</string>
{"password": ["email", "name"]}
const token = tokens[0] || 'identifier'
my-task-hf_AutoModelForSequenceClassificationOutput
basic src/utils/base64.ts
Basic python3.11-slim
A basic HTTP/1.1 client
Basic authentication and Bearer tokens are both taken.
The bearer of this2 message
bearer python3.11-slim
SyntaxError: Unexpected token: punc2024xyzab
SyntaxError: Unexpected token } in JSON at position 1234567890123
OLD_PWD=/home/user/project2
PWD=/home/user/project2
OLDPWD=/srv/app/releases/20261121
CACHE_KEY = "user-profile-v2"
PRIMARY_KEY=user_id_2024_idx
I18N_KEY=errors_404_not_found
STORAGE_KEY = 'app-settings-v3'
const QUERY_KEY = "todos-list-2"
SORT_KEY=created_at_2
PUBLIC_KEY=AAAAC3NzaC1lZDI1NTE5AAAAIJ1x9Yk2Lq8vT5rW0uBf3dGh7nMp4sXc6eZa2bKj
?max_tokens=1000&temperature=0.2
POST /v1/complete?max_tokens=1000&temperature=0.2&top_p=0.95
http://localhost:3000,joe@acme.io
http://localhost:3000/,joe@acme.io
https://example.com:8080/path@2x.png
http://127.0.0.1:3000/a:b user@host.example
https://medium.com:443/@user/title-of-post-123
https://registry.npmjs.org/@types/node/-/node-20.1.0.tgz
https://cdn.jsdelivr.net/npm/vue@3.4.21/dist/vue.global.js
git@github.com:owner/repo.git
ssh://git@github.com:22/owner/repo.git
https://user@example.com/repo.git
https://git@bitbucket.org/team/repo.git
postgres://user:password@localhost:5432/db
postgres://user:$PASSWORD@db:5432/app
postgres://user:${'${DB_PASSWORD}'}@db:5432/app
postgres://{user}:{password}@{host}/{db}
postgres://<user>:<password>@<host>/<db>
postgresql://%s:%s@%s:%d/%s
redis://user:****@cache:6379
mongodb://username:your-password@host/db
const password = req.body.password
const { email, password } = req.body
password: string
password: string;
password?: string | null
password: z.string().min(8).max(100)
password = models.CharField(max_length=128)
password = os.environ["DB_PASSWORD"]
password = os.getenv('DB_PASSWORD')
password=process.env.DB_PASSWORD
password: process.env.PG_PASSWORD2,
password = getpass.getpass()
password=args.password
password: this.form.value.password,
password: user.passwordHash2
password := r.FormValue("password")
String password = request.getParameter("password");
self.password = password
self.password1 = password2
if (password !== confirmPassword) throw new Error('Passwords do not match')
if password == "": return None
password: Buffer
password: Uint8Array
password: &str,
password: Option<String>,
password VARCHAR(255) NOT NULL
"password": { "type": "string", "minLength": 8 }
"password": "string"
"password": "Password"
"password": "Enter your password"
"passwordHint": "At least 8 characters"
"forgotPassword": "Forgot your password?"
"password": "must be at least 8 characters"
label: 'Password', name: 'password', type: 'password'
<input type="password" name="password" id="password1" placeholder="Password">
<label for="password">Password</label>
<password>${'${db.password}'}</password>
<password></password>
<th>Password</th><td>Token</td>
The password is stored as a bcrypt2 hash.
Enter your password: then press return.
password for user joe: 
passwd: password updated successfully
password: required
password: [REDACTED]
password: ********
password=xxxxxxxx
PASSWORD=changeme
DB_PASSWORD=
DB_PASSWORD=$DB_PASSWORD
DB_PASSWORD=${'${DB_PASSWORD:-}'}
DB_PASSWORD="$(cat /run/secrets/db)"
DB_PASSWORD=$(openssl rand -hex 32)
DB_PASSWORD=<your password here>
DB_PASSWORD=your_password
DB_PASSWORD="{{ vault_db_password }}"
DB_PASSWORD=%DB_PASSWORD%
DB_PASSWORD: ${'${{ secrets.DB_PASSWORD }}'}
DB_PASSWORD_FILE=/run/secrets/db_password_v2
POSTGRES_PASSWORD_FILE: /run/secrets/pg2
password: !vault |
password: *default_password1
password: !Ref DbPassword1
pass: 155
pass: 100%
# pass: 1024
tests pass: 10/12
Tests passed: 155, failed: 0
--pass-with-no-tests
token = getToken()
const token = await getToken2(user)
token: Token
token?: string
token: CancellationToken,
let token = self.next_token1();
const token = req.headers.authorization
const token = req.headers.authorization?.split(' ')[1]
token: <token>
token=<TOKEN>
token: YOUR_API_KEY
API_KEY=YOUR_API_KEY
API_KEY=your-api-key-here
api_key: "your-api-key-here-123"
api_key = "<YOUR_API_KEY_2>"
apiKey: process.env.OPENAI_API_KEY
apiKey: import.meta.env.VITE_API_KEY2
api_key=os.environ.get("OPENAI_API_KEY_2")
apiKey: ${'`${config.apiKey}`'}
OPENAI_API_KEY=sk-...
OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx
ANTHROPIC_API_KEY=sk-ant-...
export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
GITHUB_TOKEN: ${'${{ secrets.GITHUB_TOKEN }}'}
token: ${'${{ github.token }}'}
token: ***
TOKEN=***
token: xxxxx
token="${'${TOKEN}'}"
Authorization: Bearer YOUR_ACCESS_TOKEN
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer ${'${token}'}
Authorization: Bearer {{access_token}}
Authorization: Bearer ...
Authorization: Basic <credentials>
'Authorization': 'Bearer ' + token,
Authorization: required
authorization: string
authorization: "enabled"
headers: { Authorization: authHeader }
headers["Authorization"] = f"Bearer {token}"
curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.github.com/user
curl -u "$USER:$PASS" https://example.com
curl -u user https://example.com
curl -u username:password https://example.com
docker run -u 1000:1000 -p 8080:80 -e NODE_ENV=production node:20
docker login -u joe --password-stdin registry.example.com
mkdir -p src/components2/ui
cp -a src/a1 dest/b2
mysql -h 127.0.0.1 -P 3306 -u root -p app2
psql -U app -p 5432 -h db1
ssh -p 2222 root@10.0.0.1
npm run build -w packages/core2
tar -czf a.tgz -P /srv/app2
redis-cli -h cache1 -p 6379 ping
openssl rand -base64 32
openssl enc -aes-256-cbc -pass env:PASS1
openssl rsa -passin file:/run/secrets/p1
git log -p src/app2.ts
rsync -a --delete a1/ b2/
maxTokens: 512, tokens: 100, "total_tokens": 123456, tokenBefore=39132
"max_tokens": 4096, "prompt_tokens": 12345, "completion_tokens": 678
tokens=1000&x=2
next_token: eyJsYXN0IjoxMjN9
"nextPageToken": "CAUQAA1b2c3d4e5f6"
pageToken=CDIQAA1b2c3d4
tokenizer: "cl100k_base"
token_type: "bearer"
tokenUrl: https://example.com/oauth2/token
token_endpoint = "https://login.example.com/oauth2/v2.0/token"
secretName: my-app-tls-2024
secretKeyRef: { name: db-credentials-v2, key: password }
imagePullSecrets: [{ name: registry-cred-2 }]
secret: my-app-tls-v2
secrets: inherit
kubectl get secret db-credentials-2 -o yaml
--secret id=npmrc,src=/root/.npmrc
credentials: 'include'
credentials: "same-origin"
withCredentials: true
aws_access_key_id = <key id>
aws_secret_access_key = <secret>
credential_process = /opt/bin/awscreds2 --profile dev
key: "user:123:profile"
"key": "ArrowDown2"
"primaryKey": "user_id_2024"
publicKey: "AAAAC3NzaC1lZDI1NTE5AAAAIJ1x9Yk2Lq8vT5rW0uBf3dGh7nMp4sXc6eZa2bKj"
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
Idempotency-Key: 123e4567-e89b-12d3-a456-426614174000
X-Request-Id: 123e4567-e89b-12d3-a456-426614174000
ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
X-Cache-Key: /api/v1/users2
Cookie: theme=dark; lang=en
Set-Cookie: theme=dark; Path=/; Max-Age=3600; SameSite=Lax
document.cookie = "theme=dark"
cookie: { maxAge: 86400000 }
commit 3f2a1bc9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3
3f2a1bc9d8e7 Fix the token parser
index 3f2a1bc..9d8e7f6 100644
id: 123e4567-e89b-12d3-a456-426614174000
"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="
"integrity": "sha1-0j9oqK3nXx1V2b3c4d5e6f7g8h8="
"resolved": "https://registry.npmjs.org/jsonwebtoken/-/jsonwebtoken-9.0.2.tgz"
sha256:3f2a1bc9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a33f2a1bc9d8e7f6a5b4c3d2e1
sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
python@sha256:3f2a1bc9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a33f2a1bc9d8e7f6a5b4c3d2e1
golang.org/x/crypto v0.17.0 h1:r8bRNjWL3GshPW3gkd+RpvzWrZAwPS49OmTGZ/uhM4k=
jsonwebtoken@9.0.2, bearer-auth@1.0.3, token-types@5.0.1
version: 1.2.3-beta.4+build.20261121
node v20.11.1 (npm 10.2.4)
toolu_01A09q90qw90lq917835lq9 call_e24d3ceb22090ee9 msg_abc chatcmpl-123 fc_4711aa
src/redact/find-secrets.ts:42 and ./task-list/disk-usage.md, sk-SK, risk-based
/usr/lib/python3.11/site-packages/pip/_internal/network/auth.py
sk-learn, sk-estimator-html-color-mix, task-sk-1
.sk-toggleable__content{max-height:0}
npm_config_cache=/root/.npm npm_lifecycle_event=test
npm_package_version=1.0.0 npm_node_execpath=/usr/bin/node
hf_hub_download(repo_id="org/model") and hf_token = None
pattern: /ghp_[A-Za-z0-9]{36}/
AKIAXXXXXXXXXXXXXXXX
xoxb-your-token-here
key-value pairs, key-0123, api-key, API-reference
data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbXX0=
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1x9Yk2Lq8vT5rW0uBf3dGh7nMp4sXc6eZa2bKj joe@acme
if (pem.startsWith('-----BEGIN PRIVATE KEY-----')) return 'pem'
const BEGIN = /-----BEGIN (?:[A-Z ]+)?PRIVATE KEY-----/g
keys end with -----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
Replace the text between -----BEGIN RSA PRIVATE KEY----- and -----END RSA PRIVATE KEY----- with your key.
"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n"
kind: Secret and kind: ConfigMap are different resources.
kubectl create secret generic db --from-env-file=precis.env
machine learning login page password reset
users: login name password hash created_at
localhost:5432:app:joe is not complete
CREATE TABLE users (id INT, password TEXT, token VARCHAR(64))
SELECT password, token FROM users WHERE id = 42
ALTER USER app WITH PASSWORD :'password';
IDENTIFIED BY '<password>'
grep -rn "password" src/ --include=*.ts2
t('auth.password.label2', 'Password')
test('rejects a wrong password', async () => {
expect(screen.getByLabelText('Password')).toBeInTheDocument()
validates token: true, password: false, secret: null
private_key_path: "/etc/ssl/private/server2.key"
ssl_certificate_key /etc/nginx/ssl/server1.key;
api_key_env = "OPENAI_API_KEY_2"
AUTH_SECRET_LENGTH=32
SECRET_VERSION=20261121
TOKEN_TTL=3600s
ACCESS_TOKEN_EXPIRES_IN=15m
PASSWORD_MIN_LENGTH=12
KEY_ID=ABCDEF
DEBUG_TOKEN_COUNT=12345678901234
password-reset-v2.html
forgot_password_2.tsx
const token = tokens[i]; i += 1
token.type === 'Identifier'
if (token === "EOF2") return
case 'token': return parseToken(value)
tokens: [token1, token2, token3]
return { token, user }
token: req.cookies.token
token: cookies().get('token')?.value
"access_token": "string"
type Token = { value: string }
key={item.id}
<div key="sidebar-item-1">
key: "ctrl+shift+p"
keys: ['id1', 'id2']
apiKey: string
apiKey?: string | undefined
api_key=api_key
api_key: Optional[str] = None
--api-key TEXT  The API key to use2
--password PASSWORD  Password for login
--token TOKEN
--token <token>
Usage: x --password <pw> --token $TOKEN
password: hashedPassword
password: await bcrypt.hash(password, 10)
password_hash = "$2b$12$..."
"password": null
"password": ""
password: ''
expect(password).toBe('x')
passwordField.setText(password)
PasswordInput(placeholder="Password")
secret = secrets.token_hex(32)
SECRET_KEY = env("SECRET_KEY")
SECRET_KEY = os.urandom(24)
secret: process.env.JWT_SECRET!
secretOrKey: configService.get<string>('JWT_SECRET')
{ name: 'password', type: 'varchar2' }
@Column({ name: 'password_hash2' })
SELECT * FROM tokens WHERE token = $1
token = $2 AND user_id = $3
INSERT INTO users (name, password) VALUES ($1, $2)
curl -u "$(cat user):$(cat pass)" x
curl -u $CREDENTIALS x
curl -o out2.json -u user: x
grep -p 1234
ls -p src2/x
docker run -p 127.0.0.1:8080:80 x
mysqldump -P 3306 -p db2
cookie-parser@1.4.6
cookies: 12 total, cookie=enabled
Cookie: a=1; b=2
set-cookie: lang=en-US; path=/
http://a.example/x?token=&y=1
GET /users?key=name&sort=created_at2
https://x.example/?q=password+reset+2024
/api/v2/tokens/refresh
Authorization header is missing
authorization: Bearer
"Authorization": f"Bearer {self.api_key}"
Authorization: 'Bearer ' + accessToken2
res.setHeader('Authorization', 'Bearer ' + t1)
authorization: middleware2.verify
www-authenticate: Basic realm="app2"
WWW-Authenticate: Bearer error="invalid_token"
Authorization: AWS4-HMAC-SHA256 ...
Basic usage2: x
# Basic example-2 of
passed: 12, failed: 0
pass 12/12
PASS src/a.test.ts (5.123 s)
PASS: test_login2
pass=1 fail=0
bypass: true
compass: north2
pwd: /home/user1
cwd: /home/user2
pwd && ls2
echo $PWD2
keyId: "ABCDEF123456"
kid: 2011-04-29
hotkey: F12
monkey: 12345abc
primary key (id)
key_name: my-key-2
keyframes2: { from: x }
author: joe2
sha256 = "3f2a1bc9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a33f2a1bc9d8e7f6a5b4c3d2e1"
hash: 3f2a1bc9d8e7f6a5
checksum=3f2a1bc9d8e7f6a5
etag: W/"3f2a1bc9d8e7"
build_id=20261121.1234
uuid: 123e4567-e89b-12d3-a456-426614174000
user_id=550e8400-e29b-41d4-a716-446655440000
session_id: 550e8400-e29b-41d4-a716-446655440000
X-Amzn-Trace-Id: Root=1-67891233-abcdef012345678912345678
traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
v1.0-beta-2
public_key: MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA
secret/data/app2#key
arn:aws:secretsmanager:eu-west-1:123456789012:secret:app/db-AbCdEf
secret_id = "projects/123/secrets/db/versions/2"
valueFrom: { secretKeyRef: { name: db2, key: password } }
existingSecret: my-release-pg2
TLS_SECRET=my-app-tls-2024
token_budget: 20000
tokensPerMinute: 90000
token count: 12345
Tokens: 1234 in, 567 out
tokens used: 12.3k
token #1234
Token(type=NAME, value='x1')
pass through2
passphrase: optional
credentials: "include"
credentials=creds2
const credentials = loadCredentials2()
credentialsId: 'github-ci-2'
GOOGLE_APPLICATION_CREDENTIALS=/etc/gcp/key2.json
private_key_file: ~/.ssh/id_ed25519
ansible_ssh_private_key_file=~/.ssh/id2
ssl_key=/etc/ssl/k2.pem
API_KEY_HEADER = "X-API-Key"
const API_KEY_HEADER = 'x-api-key2'
STORAGE_KEY = 'token_v2'
LOCAL_STORAGE_TOKEN_KEY = "auth_token_v2"
export const TOKEN_KEY = 'access_token_1'
TOKEN_KEY: "jwt_token_2"
tokenKey: 'auth.token.v2'
access_token_url: https://example.com/oauth2/v2/token
The --username and --password options are needed.
Use --password with care, and --token when it is set.
urlBuilder.password = parts[1];
Passwd=credentials[1]
USERNAME_PASSWORD: 0x02
tokens=cl100k_base_v2
K8s secret: app-config-9f8d7c6b5a
"pass": "El elemento no tiene un tabindex mayor que 0",
"pass": "要素にtitle属性が指定されています",
password: 'PasswordFlow',
password: "fallback-password",
config: { auth: { password: 'secret-2-levels' } }
'Lock-Token': 'urn:uuid:a515cfa4-5da4-22e1-f5b5-00a0451e6bf7'
new URL('https://abc:xyz@example.com')
redis://:authpassword@127.0.0.1:6380/4
readFile('/etc/passwd', 'utf8', callback)
createToken('NUMERICIDENTIFIERLOOSE', '[0-9]+')
The password is base64-encoded, and the password was sha256-hashed.
The password is required and has at least 8 characters.
the secret is my-app-tls-v2
authorization: 'Bearer token123',
GIT_ASKPASS: 'echo',
(e.g. '2001:db8:*:*:*:*:*:*')
cache-key-d41d8cd98f00b204e9800998ecf8427e
task-proj-alpha-beta-gamma-delta-2
pin=on
gpio_pin=17
const LED_PIN = 13
pin: "bottom"
spin=12345
mapping=12345
PIN=GPIO17
  ~ password = (sensitive value) -> (sensitive value)
  ~ token = null -> (known after apply)
{"args":["-p","8080:80","nginx"],"command":"docker"}
{"command":"mkdir","args":["-p","src/deep2"]}
{"args":["-p","app_db"],"command":"mysql"}
["npm","config","set","registry","https://r.example/"]
{"name":"Authorization","value":"Bearer {{token}}"}
{"name":"token","in":"header","value":"optional"}
{"name":"Content-Type","value":"application/json2"}
blob?sig=abc123
See the key, and commit 3f2a1bc9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3.
`

/** Texts of several lines. */
const TEXTS = [
  '00000000: 3082 04bd 3082 03a5 a003 0201 0202 1400  0...0...........\n00000010: a1b2 c3d4 e5f6 0718 293a 4b5c 6d7e 8f90  ........):K\\m~..\n',
  '00000000: 2d2d 2d2d 2d42 4547 494e 2043 4552 5449  -----BEGIN CERTI\n00000010: 4649 4341 5445 2d2d 2d2d 2d0a 4d49 4942  FICATE-----.MIIB\n',
  '3082010a0282010100c7e1a2b3c4d5e6f7089a1b2c3d4e5f60718293a4b5c6d7e8f9',
  '{"type":"Buffer","data":[45,45,45,45,45,66,69,71,73,78,32,67,69,82,84,73]}',
  'password: |\n  Enter the words of your account here.\n  They are case2 sensitive.\n',
  'kind: Secret\nmetadata:\n  name: db\n---\nkind: ConfigMap\ndata:\n  mode: production-cluster-2\n  path: /srv/app\n',
  'kind: SecretProviderClass\ndata:\n  mode: production-cluster-2\n',
  'data:\n  mode: production-cluster-2\nkind: ConfigMap\n---\nkind: Secret\nmetadata:\n  name: db\n',
  '{"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc","e":"AQAB","kid":"2011-04-29"}',
  '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUJ1x9Yk2Lq8vT5rW0uBf3dGh7nMp4sXc6\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----',
  'const label = `-----BEGIN ${kind} PRIVATE KEY-----`\nconst body = lines.join("\\n")\nreturn label + body\n',
  'The block begins with -----BEGIN PRIVATE KEY----- \n\nThen comes Base64 text. Do not share it.\n\n-----END PRIVATE KEY----- ends it.',
  'certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJlRENDQVIyZ0F3SUJBZ0lCQURBS0JnZ3Foa2pPUFFRREFqQWpN\n',
  'diff --git a/auth.ts b/auth.ts\n--- a/auth.ts\n+++ b/auth.ts\n@@ -1,3 +1,3 @@\n-const password = getPassword()\n+const password = await readPassword(user)\n',
  '    12→export interface Login {\n    13→  user: string\n    14→  password: string\n    15→}\n',
  'Traceback (most recent call last):\n  File "auth.py", line 42, in login\n    token = self.client.get_token2(user, password=password)\nKeyError: \'token\'\n',
]

/** Returns texts that look as if they had secrets, and have none. */
/** Names of tests behind their outcome, members that are named for what they hold, and passes that are no passwords. */
const NO_PASSWORDS = [
  '--- PASS: TestUtf8Decode (0.01s)',
  '    --- PASS: TestLogin_RealPBKDF2AndTOTP/case1 (0.00s)',
  'PASS: gcc.dg/pr12345.c',
  'PASS: base64_decode2',
  'XPASS: base64_decode2',
  'var password = data1.password;',
  'string password = user1.password;',
  'password = data1.PasswordHash,',
  'password = module.rds1.db_password',
  'password = random_password.pg16.result',
  'password = data.aws_secretsmanager_secret_version.db2.secret_string',
  'render_pass: "ShadowMap01"',
  'boarding_pass: "LH400A"',
  'compass: "N42E13"',
  'surpass = "v1over2"',
  '00000000: 3082 04bd 3082 03a5 a003 0201 0202 1400  0...0...........',
  '00000000: 2d2d 2d2d 2d42 4547 494e 2043 4552 5449  -----BEGIN CERTI',
  '3082010a0282010100c7e1a2b3c4d5e6f7089a1b2c3d4e5f60718293a4b5c6d7e8f9',
  '0201003000aa11223344556677889900aabbccddeeff',
  '"pin": 4096',
  '{"pin": 1301, "mode": "out"}',
  'LED_PIN = 1301',
  'const int LED_PIN = 1301;',
  '#define BUTTON_PIN 1023',
  'git_pin: 20240131',
  'git_pin = "a1b2c3d"',
  'pin=20240131',
  '"pin": "a1b2c3d4e5"',
  'pass: mem2reg',
  '✓ pass: parses2base64url',
  'ok 12 - pass: v2json',
  "['KEYPASSWD','KRB4LEVEL']",
  'var options = ["PROXYPASSWORD", "SSLVERSION2", "MAIL_AUTH"]',
  'passwords:\n  policy: zxcvbn4\n  hasher: argon2id13\n  min: 8',
  'password: jose4j',
  'token = jose4j',
  'signing token: jose4j:0.9.3',
  'implementation("org.bitbucket.b_c:jose4j:0.9.3")',
  'sshpass: "1.09-1build1"',
  '{"sshpass": "1.10-r1"}',
  'apk add sshpass=1.09-1',
]

export const harmlessTexts = (): string[] => [
  ...NO_PASSWORDS,
  ...LINES.split('\n').filter((line) => line !== ''),
  ...TEXTS,
  ...CHOSEN_HARMLESS,
  ...SPOKEN_HARMLESS,
  ...STORED_HARMLESS,
  ...FOUND_HARMLESS,
  ...FURTHER_HARMLESS,
  ...SOURCE_HARMLESS,
  ...WIDER_HARMLESS,
  ...BETWEEN_HARMLESS,
  ...TOOL_HARMLESS,
  ...STATED_HARMLESS,
  ...LABEL_HARMLESS,
  ...VARIOUS_HARMLESS,
  ...TYPED_HARMLESS,
]
