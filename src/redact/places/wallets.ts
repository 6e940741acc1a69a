import { rulesOf } from '../rule.ts'

/** A word of BIP 39, in any of its languages with Latin letters, and the next one. */
const SEED_WORD = '[a-z\u00df-\u00ff\u0300-\u036f]{3,12}'
const NEXT_SEED = `(?:,? |\\s{1,3}\\d{1,2}[.)] )${SEED_WORD}`

/** Rules for the keys of wallets, and for the words that stand for one. */
export const WALLET_RULES = rulesOf({
  secret: [
    [
      'mnemonic|seed phrase|recovery phrase|seed words|secret phrase',
      /(?:mnemonic|(?:seed|recovery|secret) (?:phrase|words))s?(?: phrase)?(?: is| are)?(?:\\{0,3}["'])? ?[:=]? ?\\{0,3}["'`]?(?<secret>(?:[a-z]{3,8}[ ,]{1,2}){11}(?:(?:[a-z]{3,8}[ ,]{1,2}){3}){0,4}[a-z]{3,8})/i,
    ],
    // The same below a sentence, with numbers, and in other languages.
    [
      'mnemonic|seed phrase|recovery phrase|seed words|secret phrase|frase semilla|frase de recuperación|phrase de récupération|wallet|wiederherstellungsphrase',
      `[^\\n:]{5,100}(?::|\\n)\\s{0,4}(?:1[.)] )?(?<secret>${SEED_WORD}(?:${NEXT_SEED}){11}(?:(?:${NEXT_SEED}){3}){0,4})(?=["'\`]?\\s{0,3}(?:\\n|$))`,
    ],
  ],
  'private-key': [
    // solana.com/docs, key pairs as lists of bytes; hardhat.org, "Networks".
    [
      'id.json|keypair|secretKey|secret_key|privateKey|fromSecretKey(',
      /(?:id\.json|keypair|secretKey|secret_key|privateKey|fromSecretKey\()[^[\n]{0,40}\n?\[\s?(?<secret>(?:\d{1,3}, ?){31,63}\d{1,3})/,
    ],
    ['accounts: [', /accounts: ?\[\s{0,20}\\{0,3}["'](?<secret>0x[0-9a-f]{64})(?![0-9a-f])/],
    // ethereum.org, "Accounts".
    [
      'private key 0x|private key: 0x|private key is 0x|private key `0x|privkey 0x',
      /(?:private key|privkey)(?: is|:)? \\{0,3}["']?`?(?<secret>0x[0-9a-f]{64})(?![0-9a-f])/i,
    ],
  ],
})
