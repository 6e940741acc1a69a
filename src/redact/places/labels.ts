import { type Rule, rulesOf } from '../rule.ts'
import { matchAt, UUID_FORM } from '../scan.ts'
import { isPassword } from '../values/passwords.ts'
import { isBasicCredentials, isToken } from '../values/secret-values.ts'

/** An identifier that sorts by time (ULID), or digits of hexadecimal: no session is opened with it. */
const IDENTIFIER = /^(?:[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]+)$/

const isSession = (value: string): boolean => isToken(value) && !IDENTIFIER.test(value)

/** A key of Mailgun has no prefix, only its form (documentation.mailgun.com, "API keys"). */
const MAILGUN = /(?<=(?<![\w-])[0-9a-f]{31})[0-9a-f]-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/y

const MAILGUN_RULE: Rule = {
  hints: Array.from('0123456789abcdef', (digit) => `${digit}-`),
  isAnyCase: false,
  find(text, at) {
    // A hyphen stands in many words, and a second one behind eight letters in few.
    if (text.charAt(at + 10) !== '-') return []
    const match = matchAt(MAILGUN, text, at)
    return match === undefined ? [] : [{ start: at - 31, end: at + match[0].length, kind: 'secret' }]
  },
}

/** Rules for secrets behind labels, and in arguments of calls, that one service or kind of program uses. */
export const LABEL_RULES: readonly Rule[] = [
  MAILGUN_RULE,
  ...rulesOf({
    secret: [
      // bitwarden.com/help, "Password Manager CLI": the key of a session, of 64 bytes.
      ['_SESSION=|_SESSION:|_SESSION =', /\s{0,3}["']?(?<secret>[A-Za-z0-9+/]{86}==)/, isToken],
      // elastic.co/docs, "Create an API key": the Base64 of the id and of the key.
      ['encoded"|encoded\\"', /\s?:\s?\\{0,3}"(?<secret>[A-Za-z0-9+/]{24,400}={0,2})\\{0,3}"/, isBasicCredentials],
      // openweathermap.org/appid, and other services that call a key so.
      ['appid=', /(?<=[?&;]|amp;|["'])appid=(?<secret>[0-9a-f]{32})(?![\w-])/i, isToken],
      // developer.hashicorp.com: "acl token create" of Consul, "acl bootstrap" of Nomad, AppRole of Vault.
      [
        'secret id|secret_id|secret-id|secretid',
        `\\\\{0,3}["']?[ \\t]{0,20}[=:| \\t][ \\t]{0,20}\\\\{0,3}["']?(?<secret>${UUID_FORM})(?!\\w)`,
      ],
      // php.net, "session_id": 26 to 32 letters and digits.
      [
        'session: |session=|session":|session\':|session\\":',
        /\s?\\{0,3}["']?(?<secret>[a-z0-9]{26,32})(?![\w-])/,
        isSession,
      ],
      // twilio.com/docs, the libraries: the id of an account, and its token.
      ['Client(|Client.new(|Twilio(', /\s?["']AC[0-9a-f]{32}["'],\s?["'](?<secret>[0-9a-f]{32})["']/],
      // developer.hashicorp.com/consul, "acl", `tokens`.
      [
        ['agent', 'default', 'initial_management', 'master', 'agent_master', 'agent_recovery', 'replication', 'dns']
          .flatMap((name) => [`${name} = "`, `${name}="`, `"${name}": "`, `"${name}":"`])
          .join('|'),
        `(?<secret>${UUID_FORM})(?<=\\btokens"?\\s?[=:]?\\s?\\{[^{}]{0,400})`,
      ],
      // RFC 8628, `device_code`; RFC 7636, `code_verifier`.
      [
        'device_code|devicecode|code_verifier|codeverifier',
        /\\{0,3}["']?\s?[=:]\s?\\{0,3}["']?(?<secret>[\w.~-]{20,200})(?![\w(])/i,
        isToken,
      ],
      // erlang.org/doc, "Distributed Erlang": a cookie that Erlang has made is 20 capitals.
      [
        'erlang_cookie|erlangcookie|erlang.cookie|release_cookie|-setcookie |--erlang-cookie ',
        /\\{0,3}["']?\s{0,3}[=:]?\s{0,3}\\{0,3}["']?(?<secret>[\w-]{12,64})(?![\w(.])/i,
        (value) => /^[A-Z]{20}$/.test(value) || isToken(value),
      ],
      // algolia.com/doc, "Install": the id of an application, and its key.
      ['("|(\'', /[A-Z0-9]{10}["'],\s?["'](?<secret>[0-9a-f]{32})["']/, isToken],
    ],
    'private-key': [
      // docs.ethers.org, viem.sh and web3py: a key as an argument.
      [
        'Wallet(|privateKeyToAccount(|privateKeyToAddress(|from_key(|fromPrivateKey(',
        /\s?["'`](?<secret>(?:0x)?[0-9a-f]{64})["'`]/i,
      ],
      // Ganache: the keys of the accounts below a heading; the addresses of accounts are shorter.
      [') 0x', /(?<secret>[0-9a-f]{64})(?![0-9a-f])(?:(?=[ \t]{1,4}\(?private key)|(?<=private keys?\b[^]{0,1500}))/i],
    ],
    password: [
      // expect(1): what is sent, with the prompt in a comment behind it.
      [
        'send "|send \'|send \\"|send -- ',
        /\\{0,3}["']?(?<secret>[^"'\n\\]{4,100})(?:\\{1,4}[rn]){1,2}\\{0,3}["'][ \t]{0,8}[#;][^\n]{0,40}p?ass(?:word|phrase)/i,
        isPassword,
      ],
    ],
  }),
]
