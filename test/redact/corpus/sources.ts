/** Lines of sources in Python, Perl, C and others that look as if they had secrets, and have none. */
export const SOURCE_HARMLESS = [
  // What a program computes.
  'pw = pw[:-1]',
  'password = auth[2]',
  'pwd = parts[-1]',
  "passphrase = config['vault']",
  'c->password = gnome_keyring_memory_strdup(value);',
  // Texts that a program fills.
  "user_pass = '%s:%s' % (user, password)",
  'USER_PASSWD = "%s:%s" % (USER, PASSWD)',
  'my $userpass = "$user:$pass";',
  "password = '{}-{}'.format(a, b)",
  // Patterns and types.
  "'^(?P<secret>[a-zA-Z0-9-_]+):(?P<version>[1-9][0-9]*|latest)$'",
  "'^projects/([^/]+)/secrets/([a-zA-Z0-9-_]+)/versions/([1-9][0-9]*|latest)$'",
  "'image_pull_secrets': 'list[V1LocalObjectReference]',",
  "'secrets': 'dict(str, V1Secret)'",
  // Names of other things.
  'proxy_url="socks5h://<username>:<password>@proxy-host"',
  "['-p', '--password', '--use-random-password']",
  '# "--use-random-password" will be required.',
  '"encryptionKey": "arn:aws:kms:us-west-2:123456789012:alias/aws/s3",',
  '"AWS::ApiGateway::ApiKey": "48205d4ffd7feba3",',
  '"AWS::Config::AggregationAuthorization": "af318b77aaceeeaa",',
  '"AWS::SecretsManager::Secret": "c85175a4ebcce361",',
  "['crc-16-buypass', 'Crc16Buypass', 0x18005]",
  'apt\tlogin\t1:4.13+dfsg1-1+deb12u1\napt\tpasswd\t1:4.13+dfsg1-1+deb12u1',
  'passwd 1:4.13+dfsg1-1+deb12u1',
  "if ($pass eq 'anonymous@') {",
  "$pass = '-anonymous@'",
  'All the commands identified by "code" are conditional jumps forward:',
  'MARKER = ("-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----")',
  'AQABMA0GCSqGSIb3DQEBBQUAA4GBAFFNzb5cy5gZnBWyATl4Lk0PZ3BwmcYQWpSk\nU01UbSuvDV1Ai2TT1+7eVmGSX6bEHRBhNtMsJzzoKQm5EWR0zLVznxxIqbxhAe7i\n',
]
