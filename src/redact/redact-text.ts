import { COMMAND_RULES, WRITTEN_FILE_RULES } from './commands/command-rules.ts'
import { PRINTED_RULE } from './commands/printed-secrets.ts'
import { WORDS_RULE } from './commands/word-lists.ts'
import { findInForms } from './forms.ts'
import { findPartOfKey } from './keys/key-lines.ts'
import { KEY_RULES } from './keys/private-keys.ts'
import { ALIGNED_RULE } from './names/aligned-rules.ts'
import { ASSIGNED_RULE } from './names/assigned-secrets.ts'
import { PAIR_RULE } from './names/pair-rule.ts'
import { SQL_RULES } from './names/sql-rules.ts'
import { TABLE_RULE } from './names/table-rules.ts'
import { ADDRESS_RULES, HEADER_RULES } from './places/addresses.ts'
import { CALL_RULES } from './places/calls.ts'
import { CODE_RULES } from './places/codes.ts'
import { COOKIE_RULES } from './places/cookies.ts'
import { LABEL_RULES } from './places/labels.ts'
import { DOCUMENT_RULES } from './places/document-rules.ts'
import { HASH_RULES } from './places/password-hashes.ts'
import { DEVICE_RULES } from './places/devices.ts'
import { SETTING_RULES } from './places/settings.ts'
import { USER_RULES } from './places/users.ts'
import { WALLET_RULES } from './places/wallets.ts'
import { createFinder, type Find, type Rule, type Secret } from './rule.ts'
import { OPEN_REPLACEMENT } from './scan.ts'
import { NEAR_RULES } from './sentences/near-rules.ts'
import { PHRASE_RULES } from './sentences/phrase-rules.ts'
import { REPLY_RULE } from './sentences/reply-rule.ts'
import { TASK_RULES } from './sentences/task-rules.ts'
import { TOKEN_RULES } from './tokens/token-rules.ts'

/** Called for each secret that is replaced. */
type OnSecret = (value: string, kind: string) => void

export interface RedactedText {
  text: string
  redactions: number
}

/**
 * Returns a text with its secrets replaced by `[redacted:KIND]`, in linear time. Redacting the result again changes
 * nothing.
 * @returns the same string where it has no secret, and the number of replaced secrets
 */
export const redactText = (text: string, onSecret?: OnSecret): RedactedText =>
  replaceSecrets(text, findInForms(text, findSecrets), onSecret)

/** All rules, the more certain ones first. */
export const RULES: readonly Rule[] = [
  ...KEY_RULES,
  ...TOKEN_RULES,
  ...COMMAND_RULES,
  ...PHRASE_RULES,
  ...TASK_RULES,
  ...[...SQL_RULES, TABLE_RULE, ALIGNED_RULE],
  ...[
    ...HEADER_RULES,
    ...ADDRESS_RULES,
    ...SETTING_RULES,
    ...USER_RULES,
    ...DEVICE_RULES,
    ...LABEL_RULES,
    ...HASH_RULES,
    ...DOCUMENT_RULES,
  ],
  ...[...COOKIE_RULES, ...CODE_RULES, ...WALLET_RULES],
  ASSIGNED_RULE,
  ...[...CALL_RULES, ...WRITTEN_FILE_RULES],
  ...[PAIR_RULE, WORDS_RULE, PRINTED_RULE, REPLY_RULE],
  ...NEAR_RULES,
]

/** Returns the secrets of a text, the more certain ones first. */
const findByRules = createFinder(RULES)
const findSecrets: Find = (text, parts) => [...findPartOfKey(text), ...findByRules(text, parts)]

/** Returns whether a secret begins at or in a replacement, and was replaced before. */
const isReplaced = (text: string, start: number): boolean =>
  /^\[?redacted:/.test(text.slice(start, start + 12)) ||
  OPEN_REPLACEMENT.test(text.slice(Math.max(0, start - 31), start))

/**
 * Returns a text with secrets replaced. Where they overlap, the one that begins first names the kind; of two that begin
 * together, the first one in the list.
 */
export function replaceSecrets(text: string, secrets: readonly Secret[], onSecret?: OnSecret): RedactedText {
  if (secrets.length === 0) return { text, redactions: 0 }
  const parts: string[] = []
  let at = 0
  let redactions = 0
  for (const { start, end, kind, value = text.slice(start, end) } of secrets.toSorted((a, b) => a.start - b.start)) {
    if (!isReplaced(text, start)) onSecret?.(value, kind)
    if (start < at) {
      // The overlapping secret may end later: all of it is replaced.
      at = Math.max(at, end)
      continue
    }
    if (isReplaced(text, start)) continue
    parts.push(text.slice(at, start), `[redacted:${kind}]`)
    redactions += 1
    at = end
  }
  return redactions === 0 ? { text, redactions } : { text: parts.join('') + text.slice(at), redactions }
}
