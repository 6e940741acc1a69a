import type { Rule, Secret } from '../rule.ts'
import { endAt, endOf, matchAt } from '../scan.ts'
import { kindOfValue } from '../names/secret-names.ts'
import { isPlaceholder } from '../values/secret-values.ts'

/** How far from its mark a document is read, in each direction. */
const DOCUMENT_CHARACTERS = 8_000

interface Part {
  from: number
  to: number
}

/** Returns the places of a group of a pattern, in a part of a text. */
function findIn(text: string, { from, to }: Part, pattern: RegExp): Secret[] {
  return Array.from(text.slice(from, to).matchAll(pattern), (match) => {
    const secret = match.groups?.['secret'] ?? ''
    const start = from + match.index + match[0].lastIndexOf(secret)
    return { start, end: start + secret.length, kind: 'secret' }
  }).filter(({ start, end }) => end > start && !isPlaceholder(text.slice(start, end)))
}

/** Returns the part of a text around a mark, up to the marks before and after it. */
function around(text: string, { at, from, mark }: { at: number; from: number; mark: RegExp }): Part {
  const rest = text.slice(at + 1, at + DOCUMENT_CHARACTERS)
  const next = rest.search(mark)
  return { from: Math.max(from, at - DOCUMENT_CHARACTERS), to: at + 1 + (next < 0 ? rest.length : next) }
}

const BLANK = String.raw`(?:[ \t]|\\{1,4}t){0,20}`
const NEWLINE = String.raw`(?:\r?\n|(?:\\{1,4}r)?\\{1,4}n)(?:[ \t]{0,8}\d{1,6}(?:→|\||\t)|[-+])?`

const KUBERNETES_KIND = /["']?kind\\{0,3}["']?: {0,3}\\{0,3}["']?Secret(?![A-Za-z])/
const KUBERNETES_KIND_HERE = new RegExp(KUBERNETES_KIND, 'y')
const DATA = new RegExp(
  String.raw`(?:${NEWLINE}|^|,|\{)${BLANK}\\{0,3}["']?(?:data|stringData)\\{0,3}["']?:\s{0,3}(?:\\{0,4}n|\{)?`,
  'g',
)

/** A line of YAML that is indented, or a member of JSON: `key: value`. */
const MEMBER = new RegExp(
  String.raw`(?:${NEWLINE}(?:[ \t]){1,20}|^(?:[ \t]{0,8}\d{1,6}(?:→|\||\t)|[-+])?[ \t]{1,20}|[,{]\s{0,20}|^)\\{0,3}["']?[\w.-]{1,100}\\{0,3}["']?: {0,3}\\{0,3}["']?(?<secret>[^\s"'\\,{}]{4,4000})`,
  'g',
)

/** All values of a Kubernetes Secret, whatever their names are. */
const KUBERNETES_RULE: Rule = {
  hints: ['kind: Secret', 'kind":"Secret', 'kind": "Secret', 'kind\\":\\"Secret', 'kind\\": \\"Secret'],
  isAnyCase: false,
  find(text, at, from) {
    if (endAt(KUBERNETES_KIND_HERE, text, at) === undefined) return []
    const { from: first, to: last } = documentAround(text, around(text, { at, from, mark: KUBERNETES_KIND }), at)
    return Array.from(text.slice(first, last).matchAll(DATA)).flatMap((data) => {
      const start = first + data.index + data[0].length
      return findIn(text, { from: start, to: endOfData(text, start, last) }, MEMBER)
    })
  },
}

/** Names of maps in a file of settings that have only passwords, or only other secrets. */
const GROUP = /(?<name>passwords|passphrases|secrets)\\{0,3}["']?:\s?(?:\{|(?=\n))/iy

/** The values of such a map: `passwords:`, and below it a user with his password on each line. */
const GROUP_RULE: Rule = {
  hints: ['passwords', 'passphrases', 'secrets'],
  isAnyCase: true,
  find(text, at) {
    const group = matchAt(GROUP, text, at)
    if (group === undefined) return []
    const from = endOf(group)
    const to = from + GROUP_CHARACTERS
    const name = group.groups?.['name']?.toLowerCase() === 'secrets' ? 'secret' : 'password'
    return findIn(text, { from, to: endOfData(text, from, to) }, MEMBER).flatMap((member) => {
      const key = /[\w.-]{1,60}(?=\\{0,3}["']?: {0,3}\\{0,3}["']?$)/.exec(
        text.slice(Math.max(at, member.start - 90), member.start),
      )
      const kind = kindOfValue(text.slice(member.start, member.end), {
        name,
        isQuoted: false,
        syntax: name === 'secret' ? 'property' : 'tight',
      })
      return kind === undefined || PUBLIC_MEMBER.test(key?.[0] ?? '') ? [] : [{ ...member, kind }]
    })
  },
}

const GROUP_CHARACTERS = 2_000
const PUBLIC_MEMBER =
  /name|user|path|file|mail|host|url|type|version|id$|key$|scope|engine|driver|policy|hash|algo|backend|store|mode|format|method|provider/i

/** A user and his password in the list of cloudinit.readthedocs.io, "Set Passwords". */
const USER_LINE = /(?<=(?:^|\s|\\n|[-"'])[a-z_][\w-]{0,30}:)(?<secret>[^\s"'\\]{4,100})/g

const USERS = /chpasswd:[ \t]{0,8}(?=\r?\n|\\{1,4}n)/y

const CHPASSWD_RULE: Rule = {
  hints: ['chpasswd:'],
  isAnyCase: false,
  find(text, at) {
    const from = endAt(USERS, text, at)
    if (from === undefined) return []
    return findIn(text, { from, to: endOfData(text, from, from + GROUP_CHARACTERS) }, USER_LINE)
  },
}

/** Documents of YAML end at `---`. */
function documentAround(text: string, { from, to }: Part, at: number): Part {
  const before = Math.max(text.slice(from, at).lastIndexOf('\n---'), text.slice(from, at).lastIndexOf('\\n---'))
  const after = text.slice(at, to).search(/\n---|\\n---/)
  return { from: before < 0 ? from : from + before + 4, to: after < 0 ? to : at + after }
}

/** The data end with their brace, or with a line that is not indented. */
function endOfData(text: string, start: number, last: number): number {
  const rest = text.slice(start, last)
  const isJson = text.charAt(start - 1) === '{'
  const end = isJson ? rest.indexOf('}') : rest.search(/(?<=\n|\\n)(?:[-+]|[ \t]{0,8}\d{1,6}(?:→|\|))?["'\w}]/)
  return end < 0 ? last : start + end
}

/** What is secret near a mark, behind it or also before it. */
const MEMBERS: readonly (readonly [mark: string, member: RegExp, isBehind?: boolean])[] = [
  // The passwords that Terraform has generated, in its state (registry.terraform.io, `random_password`).
  ['random_password', /"result\\{0,3}" ?: ?\\{0,3}"(?<secret>[^"\n\\]{4,200})/g, true],
  // The private members of JSON Web Keys (RFC 7517, RFC 7518).
  [
    'kty',
    /(?:\\{0,3}["']|[{,\s])(?:d|p|q|dp|dq|qi|k)(?:\\{0,3}["'])?\s{0,3}:\s{0,3}\\{0,3}["'](?<secret>[A-Za-z0-9_-]{16,4000})/g,
  ],
  // The private members of a key that .NET writes (learn.microsoft.com, `RSA.ToXmlString`).
  ['</Modulus>', /<(?:D|P|Q|DP|DQ|InverseQ)>\s{0,40}(?<secret>[A-Za-z0-9+/]{16,4000}={0,2})/g],
]

const memberRule = ([mark, member, isBehind = false]: (typeof MEMBERS)[number]): Rule => ({
  hints: [mark],
  isAnyCase: false,
  find: (text, at, from) =>
    findIn(text, around(text, { at, from: isBehind ? at : from, mark: new RegExp(mark) }), member),
})

/** The lines of a text that Ansible has encrypted: digits of hexadecimal, below a header. */
const VAULT_HEADER = /\$ANSIBLE_VAULT;[\w.;-]{1,100}|OpenVPN Static key V1-----/y
const VAULT_LINE =
  /(?:\r?\n|(?:\\{1,4}r)?\\{1,4}n)(?:[ \t]{0,8}\d{1,6}(?:→|\||\t)|[-+])?[ \t]{0,100}(?<digits>[0-9a-f]{6,200})(?=\s|["'\\]|$)/y

/** Texts that Ansible has encrypted, and the static keys of OpenVPN (docs.ansible.com, "Format of files encrypted with Ansible Vault"). */
const VAULT_RULE: Rule = {
  hints: ['$ANSIBLE_VAULT;', 'OpenVPN Static key V1-----'],
  isAnyCase: false,
  find(text, at) {
    const secrets: Secret[] = []
    let line = matchAt(VAULT_HEADER, text, at)
    while (line !== undefined) {
      line = matchAt(VAULT_LINE, text, endOf(line))
      if (line === undefined) break
      const end = endOf(line)
      secrets.push({ start: end - (line.groups?.['digits']?.length ?? 0), end, kind: 'secret' })
    }
    return secrets
  },
}

/** Rules for secrets that are recognizable by the document in which they stand. */
export const DOCUMENT_RULES: readonly Rule[] = [
  KUBERNETES_RULE,
  GROUP_RULE,
  CHPASSWD_RULE,
  ...MEMBERS.map(memberRule),
  VAULT_RULE,
]
