/**
 * Where commands take their secrets. Elements of a form are separated by blanks:
 * - `*` is a secret, and `?` one that has letters and digits: other values may stand at its place;
 * - `_` is any other word; `_:*` is a user with his password in one word;
 * - a word, or several with `|` between them; `...` is any text in it;
 * - what begins with `-` or `/` is an option: it may stand anywhere behind the word before it.
 * Options that are named after their secret need no form: `--password x` is found for all commands.
 */
type Forms = readonly string[]

const LOGIN: Forms = ['login -p *', 'login -p*']
const CREDENTIALS: Forms = [...LOGIN, '--creds _:*', '--src-creds _:*', '--dest-creds _:*']
const USER: Forms = ['-E|--cert _:*', '-...u _:*', '-u_:*', '-s...u_:*', '--user _:*', '-U _:*', '--proxy-user _:*']
const SMB: Forms = ['-U _%*', '-U_%*']
const SECRETS_SET: Forms = ['secrets|secret|config:set|variables|env set _=*', 'config:set _=*']
const KEYSTORE: Forms = ['-storepass|-keypass|-new|-srcstorepass|-deststorepass|-srckeypass|-destkeypass *']

/**
 * The forms by the names of the commands, which are separated by blanks; a name with `*` may go on. Source: the manual
 * pages of these commands.
 */
export const FORMS: Record<string, Forms> = {
  // Databases and queues.
  'mysql* mariadb*': ['-p*', 'password *'],
  'mongo* cqlsh hdbsql rabbitmqadmin dbaccess mcrcon': ['-p *'],
  'redis-cli valkey-cli keydb-cli redis-benchmark valkey-benchmark': ['-a *', 'AUTH|auth *', 'AUTH|auth _ ?'],
  'sqlcmd bcp osql': ['-P *', '-P*'],
  'sqlplus sqlldr expdp impdp rman sqlcl': ['_/*'],
  'isql iusql': ['_ _ ?'],
  db2: ['connect to _ user _ using *'],
  etcdctl: ['--user _:*', 'put ...pass...|...secret...|...token... ?'],
  'influx codecov': ['-t ?'],
  rabbitmqctl: ['add_user _ *', 'change_password _ *', 'authenticate_user _ *'],
  'mosquitto_pub mosquitto_sub mosquitto_rr ipmitool p4': ['-P *'],
  'bitcoin-cli litecoin-cli dogecoin-cli': [
    'importprivkey|walletpassphrase|encryptwallet *',
    'walletpassphrasechange * *',
  ],
  mosquitto_passwd: ['-b|-cb _ _ *'],
  htpasswd: ['-nb|-bn|-nbB|-nbm|-Bbn|-bnB|-nBb|-Bnb _ *', '-b|-cb|-bc|-Bb|-bB|-cBb|-Bcb|-bcB|-mb _ _ *'],
  // The network.
  'curl wget': [...USER, '--oauth2-bearer *'],
  ab: ['-A _:*', '-P _:*'],
  'http https xh xhs wscat websocat': ['--auth _:*', '-a _:*', '-a ?'],
  'ldap*': ['-w *'],
  ldappasswd: ['-s *', '-a *'],
  'kadmin kadmin.local': ['-w *', '-pw *'],
  sshpass: ['-p *', '-p*'],
  'ssh-keygen': ['-N *', '-P *'],
  'plink pscp psftp putty': ['-pw *'],
  'smbclient rpcclient smbmap winexe smbget': SMB,
  'xfreerdp wfreerdp cmdkey': ['/p:*', '/pass:*'],
  schtasks: ['/rp *'],
  'rdesktop psexec crackmapexec nxc netexec hydra evil-winrm ncftp*': ['-p *'],
  'impacket-* secretsdump.py psexec.py wmiexec.py': ['_:*@_'],
  net: ['user _ ?'],
  netsh: ['key=*'],
  nmcli: ['password *', 'wifi-sec.psk|802-11-wireless-security.psk *'],
  'wpa_passphrase radtest': ['_ *'],
  iwctl: ['--passphrase *'],
  'snmp*': ['-A *', '-X *', '-c ?'],
  lftp: ['-u _,*'],
  'grafana-cli grafana': ['reset-admin-password *'],
  'swaks sendemail': ['-ap *', '-xp *'],
  // Archives, keys and signatures.
  'zip unzip zipcloak': ['-P *', '-P*'],
  '7z 7za 7zr rar unrar': ['-p*', '-hp*'],
  'openssl apksigner': [
    '-pass|-passin|-passout|-password|--ks-pass|--key-pass pass:*',
    'enc -k *',
    '-K ?',
    '-hmac *',
    '-macopt key:*',
  ],
  'keytool jarsigner': KEYSTORE,
  signtool: ['/p *'],
  security: ['unlock-keychain|create-keychain -p *', 'add-... -w *', 'import -P *', 'set-key-partition-list -k *'],
  pdftk: ['input_pw|user_pw|owner_pw *'],
  qpdf: ['--encrypt * *'],
  oathtool: ['-b ?', '--totp ?'],
  'useradd usermod xcrun twine gem': ['-p *'],
  // Containers and clouds.
  'docker podman nerdctl buildah skopeo crane oras regctl helm oc cf': CREDENTIALS,
  az: [...LOGIN, 'sql|mysql|postgres|vm -p *', 'secret set --value *', '-p ?'],
  aws: ['secretsmanager --secret-string *', 'put-parameter --value ?'],
  kubectl: ['create secret --from-literal _=*'],
  'fly flyctl supabase heroku railway doppler': SECRETS_SET,
  b2: ['authorize|authorize-account _ *'],
  doctl: ['auth init -t *'],
  netlify: ['--auth *'],
  cloudflared: ['service install *'],
  ngrok: ['authtoken|add-authtoken *'],
  mc: ['alias set _ _ _ *', 'config host add _ _ _ *', 'user add _ _ *'],
  vault: ['kv put _=*', 'login ?', 'operator unseal *'],
  consul: ['kv put ...pass...|...secret...|...token... *', 'acl set-agent-token _ *'],
  pulumi: ['config set --secret _ *'],
  bw: ['unlock ?', 'login _ ?', '--session *'],
  // Tools of developers.
  glab: ['variable set _ ?'],
  gh: ['secret|variable set --body *', 'secret set -b *', 'secret set -b*'],
  'cargo wandb': ['login ?'],
  'composer poetry': ['http-basic... _ *', 'pypi-token... *', 'github-oauth... *', 'gitlab-token... *', 'bearer... *'],
  dotnet: ['user-secrets set _ ?'],
  bundle: ['config set _ _:*', 'config _ _:*'],
  ctr: ['--user _:*'],
  nuget: ['setapikey|setApiKey|SetApiKey|setApikey *'],
  steamcmd: ['+login _ *'],
  rclone: ['pass|password|token|secret_access_key ?', 'obscure *'],
  snyk: ['auth ?'],
  'jenkins-cli jenkins-cli.jar': ['-auth _:*'],
}
