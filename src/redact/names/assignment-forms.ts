/** The endings of names that tell one secret from another: `_NEW`, `_prod`, `-v2`, `Admin`. */
const VARIANTS =
  'prod|production|dev|development|test|testing|stage|staging|stg|live|local|qa|uat|ci|sandbox|new|old|prev|previous|' +
  'current|backup|bak|primary|secondary|main|master|root|admin|rw|ro|confirmation|confirm|again|repeat|db|database|mysql|' +
  'postgres|pg|redis|mongo|smtp|mail|ftp|ssh|ldap|b64|base64|hex|encoded|binary|v?\\d{1,2}'

/** The rest of a name: `PASSWORD`, `SECRET_KEY_BASE`, `tokenValue`, `password2`, `PASSWORD_NEW`. */
export const NAME_END = new RegExp(
  String.raw`(?:pass(?:word|wd|_?phrase|code)?|pwd|pw|psk|pin(?:[_-]code|Code)?|secret|token|credential|key)(?:s(?![a-z])|[_-]?(?:access)?[_-]?key(?:_?base)?|[_-]?value|_?token|_?string|_base){0,2}\d{0,2}(?<variant>(?:[_-](?:${VARIANTS})|(?:${VARIANTS}|\.(?:${VARIANTS}))(?=\\{0,3}["']?\s?[=:])){0,2})(?![A-Za-z0-9_-])`,
  'iy',
)

const QUOTE = String.raw`\\{0,3}["'${'`'}]`

const HTML_QUOTE = '&(?:amp;)?(?:quot|apos|#34|#39);'

/** White space in a text, or a line end that is escaped. */
const BLANK = String.raw`(?:\s|\\{1,4}n|\d{1,6}→)`

/** Further members between a name and its value: `"name": "DB_PASSWORD", "type": "plain", "value": "x"`. */
const MEMBERS = String.raw`(?:${QUOTE}\w{1,20}${QUOTE}\s?:\s?(?:${QUOTE}[^"'\n\\]{0,40}${QUOTE}|true|false|null|\d{1,9}),${BLANK}{0,20}){0,4}`

/** Blanks before a value: a value without quotes does not stand on a later line, unless it follows at once. */
const INDENT = `(?:${BLANK}{0,20}(?=${QUOTE}|string\\()|[ \\t]{4,200}|\\s{0,3})`

/** Functions that make a text of a text: `String::from("x")`. */
const MADE = String.raw`(?:string\(\d{1,4}\)\s(?=${QUOTE})|(?:(?:MD5|SHA[12]?|ENCRYPT|b?crypt|generate_password_hash|make_password|hash_password)(?=\()|(?:String|SecretString|Secret)::(?:from|new)|\[\]byte|bytes|Some|[Ss]ensitive|Password|Secret(?:Str|String|Bytes|Value)?|Buffer\.from|std::string|new\sString)[({](?=${QUOTE}))`

/** The signs between a name and its value. */
const BETWEEN = [
  // `"name": "DB_PASSWORD", "value": "x"`, and the same in YAML and XML.
  String.raw`(?<pair>(?:${QUOTE})?[,:]?${BLANK}{0,20}${MEMBERS}(?:${QUOTE})?(?:value|ParameterValue)(?:${QUOTE})?\s{0,3}[=:]\s{0,3}|</[\w:]{1,20}>(?:\s|\\{1,4}[nt]){0,20}<(?:(?:\w{1,20}:)?(?:value|string)|\w{1,20} name=\\{0,3}\"[\w.]{0,30}value\\{0,3}\")>)`,
  // `"password": {"value": "x"}`
  String.raw`(?:(?:${QUOTE})?\s{0,3}[=:]\s{0,3}\{${BLANK}{0,20}${MEMBERS}(?:${QUOTE})?(?:value|default|plaintext)(?:${QUOTE})?\s{0,3}[=:]\s{0,3}(?=${QUOTE}))`,
  // A call, a list, and what else is used: `set("X-Api-Key", "x")`, `password("x")`, `env.API_KEY || "x"`.
  String.raw`(?<call>(?:(?:(?:${QUOTE})?\]?${QUOTE})?(?:\s{0,3},|${BLANK}{1,20}-(?=\s))${BLANK}{0,20}|[({]|(?:${QUOTE}\])?\s?(?:\|\||\?\?|\?:|\bor\b)\s?|(?:${QUOTE})?,\s?(?:\w{1,20}=[^,()\n]{0,40},\s?){0,3}(?:default\s?=|with:)\s?|(?:${QUOTE})?\]?(?:${QUOTE})?\)(?:\s\?:\s|\.(?:unwrap_or|fill|set|type|sendKeys|send_keys|setValue|set_value|pressSequentially|orElse|getOrElse|or)\())(?=${QUOTE}))`,
  // A list of values: `"token": ["x"]`, and Python's text in parentheses.
  String.raw`(?<list>(?:${QUOTE})?\s{0,3}[=:]\s{0,3}[[(]${BLANK}{0,20}(?=(?:[bru](?=["']))?${QUOTE})|:\s{0,3}?(?:\r?\n|\\{1,4}n)(?:[ \t]{0,8}\d{1,6}→)?[ \t]{0,20}-[ \t]{1,3})`,
  // A variable of Terraform: `variable "token" { default = "x" }`.
  String.raw`(?:${QUOTE}\s{0,3}\{${BLANK}{0,20}(?:\w{1,20}[ \t]{1,20}=[ \t]{1,3}[^\n\\]{0,100}(?:\n|\\{1,4}n)\s{0,20}){0,4}default\s{0,10}=\s{0,3}(?=${QUOTE}))`,
  // An element with its name as an attribute: `<entry key="token">x</entry>`.
  String.raw`(?<attribute>\\{0,3}["'](?:\s{1,20}[\w:-]{1,30}=\\{0,3}"[^"<>\\]{0,60}\\{0,3}"){0,4}\s?>(?=[^\s<>\\]{4,200}</))`,
  // An element in an element, and a parameter of CloudFormation.
  String.raw`(?:(?:${QUOTE})?\s?>${BLANK}{0,40}<(?:\w{1,20}:)?(?:value|string)>(?=[^\s<>\\]{4,200}</))`,
  String.raw`(?::(?:${BLANK}{1,40}(?:type|description|noecho|sensitive|minlength|maxlength):[ \t][^\n\\]{0,60}){0,5}${BLANK}{1,40}(?:default|value):[ \t]{1,3})`,
  // A member of C#, an array of C.
  String.raw`(?:(?:\s?\{\s?get;[^{}\n]{0,40}\}|\[\w{0,10}\]|\s[Aa]s\s\w{1,20})\s?=\s?(?=${QUOTE}))`,
  // A block of YAML, also with a tag or an anchor.
  String.raw`(?<block>(?:${QUOTE})?:[ \t]{0,20}(?:[!&][\w!.:/-]{0,40}[ \t]{1,20}){0,2}[|>][-+\d]{0,2}(?=[ \t]{0,20}(?:#[^\n\\]{0,100})?(?:\r?\n|\\{1,4}[rn])))`,
  // An element of XML, with attributes, on several lines, and as CDATA.
  String.raw`(?<xml>(?:\s{1,20}[\w:-]{1,30}=\\{0,3}"[^"<>\\]{0,60}\\{0,3}"){0,4}>(?:${BLANK}{1,40}(?=[^\s<>\\]{4,200}${BLANK}{1,40}</)|${BLANK}{0,40}<!\[CDATA\[\s{0,20})?|&(?:amp;)?gt;(?=[^\s<>&\\]{4,200}&(?:amp;)?lt;/))`,
  // A key of YAML with a question mark before it.
  String.raw`(?<complex>(?:\r?\n|\\{1,4}n)(?:[ \t]{0,8}\d{1,6}(?:→|\t))?[ \t]{0,20}:[ \t]{1,3})`,
  // A type: `apiKey: string = "x"`, `var token string = "x"`.
  String.raw`(?<typed>(?:\s?:\s?&?(?:'\w{1,20}\s)?[\w<>[\]|]{1,30}|\s[a-z]\w{0,20})\s?=\s?(?:${MADE})?(?=${QUOTE}))`,
  // A value of YAML below its name.
  String.raw`(?<below>:[ \t]{0,3}(?:\r?\n|\\{1,4}n)(?:[ \t]{0,8}\d{1,6}→)?[ \t]{1,40}(?=[^\s:"'#,{}[\]\\]{12,200}[ \t]{0,8}(?:\r?\n|\\{1,4}n|$)))`,
  String.raw`(?<mark>(?:${QUOTE}\s{1,40}(?=:\s{0,3}\n)|${QUOTE}|${HTML_QUOTE}|\*\*| \([\w -]{1,24}\)(?=:))?\]?[ \t]{0,200}\s?(?:=>|<-|:=|\?=|\|\|=|\?\?=|={1,3}|:{2,3}(?=\s)|:)(?:\*\*)?(?:[ \t]{1,20}#[^\n\\"']{0,100}(?:\r?\n|\\{1,4}n)[ \t]{1,20})?${INDENT}(?:(?:!!(?:str|binary)|!str|!unsafe|!(?:vault|encrypted|secret)[\w-]{0,30}(?=\s{1,3}[^|>\s])|!(?!(?:Ref|GetAtt|Sub|If|Join|Select|FindInMap|ImportValue|Condition)\b)[\w-]{1,30}(?=\s{1,3}${QUOTE})|&[\w-]{1,30})\s{1,3}){0,2}(?:${MADE}|<<[-~]?["']?[A-Z]{2,12}["']?(?:\r?\n|\\{1,4}n)[ \t]{0,20}|(?:<%=\s)?[\w.$]{1,40}(?:[[(]${QUOTE}\w{1,40}${QUOTE}[\])])?\s?(?:\|\||\?\?|\bor\b)\s?(?=${QUOTE}))?)`,
  String.raw`(?<gap>(?:\t| {2})[ \t]{0,60}(?:true|false|yes|no|REG_\w{2,12}|SecureString|String|\*|-)(?:\t| {2})[ \t]{0,60}|[ \t]{11,60}|\\{1,4}t|(?:${QUOTE})?[ \t]{1,10}|${BLANK}{1,10})`,
]

/** Texts of several lines, and those in which nothing is escaped: TOML and Python, Lua, Rust, C#. */
const OPEN = String.raw`(?<open>${HTML_QUOTE}|\[-(?=[^\s[\]]{4,200}-\])|\{\+(?=[^\s{}]{4,200}\+\})|(?:(?:\\{0,3}"){3}|(?:\\{0,3}'){3}|\[={0,3}\[)${BLANK}{0,10}|(?:r#{1,3}|[@$])\\{0,3}"|(?:%[qQ]|\bqq?)[({[]|''(?=[^\s'",;|+&)\]}][^'\n]{2,200}''))`

/** The text between a name and its value. A text of Python may have a letter before its quote, one of Bash a dollar. */
export const ASSIGNED = new RegExp(
  `(?:${BETWEEN.join('|')})(?:${OPEN}|(?:[bruN](?=["'])|\\$(?=')|f(?=\\\\{0,3}["'][^"'{}\\\\\\n]{0,200}\\\\{0,3}["']))?(?<quote>${QUOTE}))?`,
  'iy',
)

/** The number of characters in which the end of such a text is searched. */
const OPEN_CHARACTERS = 1_000

/** Returns where a text ends that was opened by a mark of `OPEN`; undefined if it does not end soon. */
export function closerOf(text: string, start: number, open: string): number | undefined {
  const part = text.slice(start, start + OPEN_CHARACTERS)
  // The marks of `git diff --word-diff`.
  const changed = /(?:\[(?<old>-)|\{(?<new>\+))$/.exec(open)
  if (changed !== null) {
    const end = part.indexOf(changed.groups?.['old'] === undefined ? '+}' : '-]')
    return end < 0 ? undefined : start + end
  }
  const mark = open.replace(/(?:\s|\\{1,4}n){1,10}$/, '').replace(/^(?:r(?=#)|[@$]|%?q{1,2}|%Q)/, '')
  const isWhole = mark.startsWith('&') || /^[({[]$/.test(mark)
  const mirrored = Array.from(mark, (sign) => ({ '(': ')', '{': '}', '[': ']' })[sign] ?? sign).reverse()
  const end = part.indexOf(mark.startsWith('&') ? mark : mirrored.join(''))
  if (end < 0) return undefined
  return start + (isWhole ? end : part.slice(0, end).replace(/(?:\s|\\{1,4}n){1,10}$/, '').length)
}
