import { rulesOf } from '../rule.ts'

/** A word of BIP 39, in any of its languages with Latin letters, and the next one: behind it, on its own line, with a number, in quotes. */
const SEED_WORD = '[a-z\u00df-\u00ff\u0300-\u036f]{3,12}'
const SEED_QUOTE = '["\'`\\\\]{0,4}'
const NEXT_SEED = `${SEED_QUOTE}[\\s,]{1,16}(?:\\d{1,2}[.):]{0,2} ?)?${SEED_QUOTE}${SEED_WORD}`

/** Words of sentences that are none of BIP 39. */
const PROSE = /[A-Z]|\b(?:the|and|for|are|was|not|from|has|der|die|das|und|les|des|que|los|las)\b/

/** Rules for the keys of wallets, and for the words that stand for one. */
export const WALLET_RULES = rulesOf({
  secret: [
    [
      'mnemonic|bip39|bip-39|metamask|backup words|seed|recovery phrase|recovery_phrase|recoveryphrase|secret phrase|backup phrase|phrase:|words:|words down|12 words|24 words|frase de recuperación|phrase de récupération|wallet|wiederherstellungsphrase|' +
        'wiederherstellungsw|mots de récupération|palabras semilla|palabras de recuperación|parole di recupero|palavras de recuperação|' +
        'сид-фраз|мнемоник|мнемоническ|助记词|助記詞|ニーモニック|シードフレーズ|リカバリーフレーズ|니모닉|시드 구문',
      `[^\\n]{0,80}?(?:[:：=("'\`\\n]|\\b(?:is|are|lautet|est|es|é|è) | (?=1[.)] ?[a-z]))[\\s:：=(["'\`\\\\]{0,12}(?:phrase:\\s{1,4})?(?:1[.):]{0,2} ?)?${SEED_QUOTE}(?<secret>${SEED_WORD}(?:${NEXT_SEED}){11}(?:(?:${NEXT_SEED}){3}){0,4})(?![\\w-])`,
      (value, { groups }) => !PROSE.test(groups?.['secret'] ?? value),
    ],
  ],
  'private-key': [
    // solana.com/docs, key pairs as lists of bytes; hardhat.org, "Networks".
    [
      'id.json|keypair|secretKey|secret_key|privateKey|fromSecretKey(',
      /[^[\n]{0,40}\n?\[\s?(?<secret>(?:\d{1,3}, ?){31,63}\d{1,3})/,
    ],
    ['accounts: [', /\s{0,20}\\{0,3}["'](?<secret>0x[0-9a-f]{64})(?![0-9a-f])/],
    // ethereum.org, "Accounts".
    ['private key|privkey', /(?: is|:)? \\{0,3}["']?`?(?<secret>0x[0-9a-f]{64})(?![0-9a-f])/i],
  ],
})
