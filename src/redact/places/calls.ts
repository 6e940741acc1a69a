import { type Rule, rulesOf } from '../rule.ts'
import { QUOTE } from '../scan.ts'
import { isChosen, isMemorable } from '../values/chosen-words.ts'
import { isMeaningless } from '../values/letter-pairs.ts'
import { isPassword } from '../values/passwords.ts'
import {
  isBasicCredentials,
  isMixed,
  isNoPlaceholder,
  isRandom,
  isRandomLetters,
  isSigned,
  isSignedText,
  isToken,
  isUuid,
} from '../values/secret-values.ts'

/**
 * Calls by the number of their arguments before the one that is secret. Source: the documentation of smtplib, requests, PHP,
 * JDBC, SQL Server and pgcrypto.
 */
const CALLS: Record<string, string> = {
  '0': "new Stripe(|require('stripe')(|Hash::make(|password_hash(|hashpw(|bcrypt.hash(|bcrypt.hashSync(|bcrypt.compare(|bcrypt.compareSync(|argon2.hash(|set_password(|setPassword(|Fernet(|AES.new(|algorithms.AES(|ChaCha20.new(|aes.NewCipher(|SecretBox(|:auth(|.auth(|bearer_auth(|bearerAuth(",
  '1':
    'login(|AuthenticationHeaderValue(|signin(|sign_in(|authenticate(|WiFi.begin(|UserPassword(|Credentials::new(|basic_auth(|auth=(|auth = (|BasicAuth(|' +
    'set_secret(|setSecret(|NetworkCredential(|Credential]::new(|basic_auth |wlan.connect(|wifi.connect(|sta_if.connect(|addAP(|softAP(|.connect(|credentials(|auth(|sp_addlogin |env(|environ.get(|ENV.fetch(|jwt.sign(|jwt.verify(|' +
    'jwt.encode(|require(\'twilio\')(|require("twilio")(|twilio(|Twilio(|jwt.decode(|createHmac(|createCipheriv(|createDecipheriv(|HMAC(|check_password(|pgp_sym_decrypt(|pgp_sym_encrypt(|AES_ENCRYPT(|AES_DECRYPT(',
  '1,2': 'mysqli_connect(|mysqli(|PDO(|getConnection(|mysql_connect(|Sequelize(',
  '2': '.connect(|create_superuser(|create_user(|PlainAuth(|DBI->connect(',
  '3': 'mysql_real_connect(',
  '4': 'sp_addlinkedsrvlogin ',
}

/** An argument of a call, before the one that is secret. */
const ARGUMENT = String.raw`\s?(?:${QUOTE}[^"'\n\\]{0,100}${QUOTE}(?:\.\w{1,10}\(\))?|[^"'(),\n\\]{1,60})\s?,`

/** A call that reads the bytes of an argument: of hexadecimal, of Base64 or of a text. */
const DECODER = String.raw`(?:(?:bytes|bytearray)\.fromhex|(?:binascii\.)?(?:unhexlify|a2b_hex|a2b_base64)|(?:base64\.)?(?:urlsafe_)?b64decode|Buffer\.from|hex\.DecodeString|Base64\.(?:strict_|urlsafe_)?decode64|base64_decode|hex2bin|atob|hexToBytes|Convert\.From(?:Base64|Hex)String|\[\]byte)\(b?`

const isArgument = (value: string): boolean =>
  isPassword(value) &&
  (isSigned(value) ||
    isSignedText(value) ||
    isChosen(value) ||
    isRandomLetters(value) ||
    isMemorable(value) ||
    isUuid(value) ||
    (isMixed(value) && (isRandom(value) || isMeaningless(value)) && value.length >= 8)) &&
  !/^[\w.]+@[\w-]+\.[a-z]+$/.test(value) &&
  (isRandom(value) || !value.includes('/'))

/** Names of values that are tokens of a session, and of others that have none of the words by which names are found. */
const SESSION_NAMES = 'aspxauth|sessionid|connect.sid|jsessionid|phpsessid|sid'
const SHORT_NAMES = 'auth|bearer|pepper|salt'

/** Returns the rule for values of such names. Programs write the ids of their sessions as `sessionId` or `sessionID`. */
const namedRules = (kind: string, names: string): Rule[] =>
  rulesOf({
    [kind]: [
      [
        names
          .split('|')
          .flatMap((name) => ['=', '"', "'", ': ', '\\"', '>'].map((mark) => name + mark))
          .join('|'),
        String.raw`(?<!(?<!\\)[A-Za-z])(?:${names.replace('.', '\\.')})(?:${QUOTE})?\s{0,3}(?:[=:]|,(?:\s{0,3}${QUOTE}value${QUOTE}\s?:)?|>)\s{0,3}(?:${QUOTE})?(?<secret>[^\s"'\\,;<>&(){}[\]]{8,200})(?=["'\\;,)}<]|\s|$)`,
        (value, { 0: all }) =>
          !/^[a-z]{1,12}I[dD]/.test(all) &&
          isNoPlaceholder(value) &&
          !isUuid(value) &&
          (isArgument(value) || isToken(value)) &&
          !isBasicCredentials(value),
      ],
    ],
  })

/** Rules for values that only their position shows to be secret. */
export const CALL_RULES: readonly Rule[] = [
  ...Object.entries(CALLS).flatMap(([before, calls]) =>
    rulesOf({
      password: [
        [
          calls,
          String.raw`(?:${ARGUMENT}){${before}}\s?(?:b|Some\(|${DECODER})?${QUOTE}(?<secret>[^"'\n\\]{4,200})${QUOTE}`,
          isArgument,
        ],
      ],
    }),
  ),
  ...namedRules('cookie', SESSION_NAMES),
  ...namedRules('secret', SHORT_NAMES),
  ...rulesOf({
    password: [
      // RFC 7616: the first hash of Digest is that of a user, a realm and a password.
      [
        'md5("|md5(\'|md5(b"|md5(b\'|md5(f"|md5(f\'|md5_hex("|md5_hex(\'|md5hex("|md5hex(\'',
        /[\w.@+-]{1,60}:[^:"'\n\\]{1,60}:(?<secret>[^"'\n\\{$]{4,100})\\{0,3}["']/i,
        isArgument,
      ],
      // curl.se/libcurl, CURLOPT_USERPWD.
      [
        'CURLOPT_USERPWD|CURLOPT_PROXYUSERPWD',
        /(?:\s?,|\s?=>)\s?\\{0,3}["'][^\s:"'\\]{1,60}:(?<secret>[^\s"'\\]{4,200})\\{0,3}["']/,
        isPassword,
      ],
      // expect(1): what is sent behind the prompt for a password.
      [
        'send "|send \'|send \\"|send -- ',
        /(?<=p?ass(?:word|phrase)[^\n"']{0,20}\\{0,3}["']\s?\{?(?:\s|\\{1,4}n|;){1,8})send (?:-- )?\\{0,3}["'](?<secret>[^"'\n\\]{4,100})(?:\\{1,4}[rn]){1,2}\\{0,3}["']/i,
        isPassword,
      ],
      // pexpect.readthedocs.io
      [
        '.sendline(',
        /(?<=p?ass(?:word|phrase)[^\n]{0,20}\n[^\n]{0,40})\.sendline\(b?["'](?<secret>[^"'\n\\]{4,100})["']/i,
        isPassword,
      ],
      // Tests of pages: what is typed into a field (testing-library.com, playwright.dev, selenium.dev).
      [
        'passwordInput|passwordField|passwordBox|password_input|password_field|/password/i',
        String.raw`(?:\)?,|\)?\.\w{1,20}\()\s?(?:\{\s?target:\s?\{\s?value:\s?)?${QUOTE}(?<secret>[^"'\n\\]{4,200})${QUOTE}`,
        isArgument,
      ],
      // Tools that ask the user.
      [
        'question',
        /\\{0,3}["']\s{0,3}:\s{0,3}\\{0,3}["'][^"'\n\\]{0,200}(?:password|passphrase|token|api key|secret)\??\s?\\{0,3}["'],\s{0,20}\\{0,3}["'](?:answer|response|reply|value)\\{0,3}["']\s{0,3}:\s?b?\\{0,3}["'](?<secret>[^"'\n\\]{4,200})\\{0,3}["']/i,
        isPassword,
      ],
    ],
  }),
]
