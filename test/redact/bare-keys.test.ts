import { createPrivateKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import t from 'tap'
import { KEY_BEGINNINGS } from '../../src/redact/keys/private-keys.ts'
import { redactText } from '../../src/redact/redact-text.ts'

const ec = (namedCurve: string): KeyObject => generateKeyPairSync('ec', { namedCurve }).privateKey
const rsa = (modulusLength: number): KeyObject => generateKeyPairSync('rsa', { modulusLength }).privateKey
const [p256, p384, p521, rsa2048] = [ec('P-256'), ec('P-384'), ec('P-521'), rsa(2048)]

const pkcs8 = (key: KeyObject): Buffer => key.export({ type: 'pkcs8', format: 'der' })
const pkcs1 = (key: KeyObject): Buffer => key.export({ type: 'pkcs1', format: 'der' })
const sec1 = (key: KeyObject): Buffer => key.export({ type: 'sec1', format: 'der' })
const encrypted = (key: KeyObject, cipher = 'aes-256-cbc'): Buffer =>
  key.export({ type: 'pkcs8', format: 'der', cipher, passphrase: 'x' })

/** Returns the number of a key behind the first bytes of its PKCS #8 form without the public key, as Java writes it. */
function withoutPublicKey(key: KeyObject, head: string): Buffer {
  const { d = '' } = key.export({ format: 'jwk' })
  const der = Buffer.concat([Buffer.from(head, 'hex'), Buffer.from(d, 'base64url')])
  t.ok(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).equals(key))
  return der
}

/** The keys of each beginning: none of them has another one. */
const KEYS: Record<(typeof KEY_BEGINNINGS)[number], Record<string, Buffer>> = {
  IBADANBg: { 'RSA in PKCS #8': pkcs8(rsa2048) },
  AgEAMBMG: { 'P-256 in PKCS #8': pkcs8(p256) },
  AgEAMBAG: { 'P-384 in PKCS #8': pkcs8(p384), 'P-521 in PKCS #8': pkcs8(p521) },
  MFcGCSqG: { 'P-256, encrypted': encrypted(p256) },
  ME4GCSqG: { 'P-256, encrypted by Triple DES': encrypted(p256, 'des-ede3-cbc') },
  kiG9w0BBQ: { 'RSA, encrypted': encrypted(rsa2048), 'P-384, encrypted': encrypted(p384) },
  IBAAKCA: { 'RSA in PKCS #1': pkcs1(rsa2048) },
  IBAAKBg: { 'RSA of 1024 bits in PKCS #1': pkcs1(rsa(1024)) },
  AgEBBD: { 'P-384 in SEC 1': sec1(p384) },
  AgEBBE: { 'P-521 in SEC 1': sec1(p521) },
  IBAzCC: {
    'PKCS #12': Buffer.concat([Buffer.from('308209cf02010330820985', 'hex'), randomBytes(2400)]),
  },
  MHcCAQEE: { 'P-256 in SEC 1': sec1(p256) },
  MC4CAQAw: {
    'Ed25519 in PKCS #8': pkcs8(generateKeyPairSync('ed25519').privateKey),
    'X25519 in PKCS #8': pkcs8(generateKeyPairSync('x25519').privateKey),
  },
  MEcCAQAw: { 'Ed448 in PKCS #8': pkcs8(generateKeyPairSync('ed448').privateKey) },
  b3BlbnNzaC1rZXkt: {
    'a key of OpenSSH': Buffer.concat([Buffer.from('openssh-key-v1\0\0\0\0\x04none\0\0\0\x04none'), randomBytes(230)]),
  },
  MEECAQAw: {
    'P-256 without its public key': withoutPublicKey(
      p256,
      '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420',
    ),
  },
  ME4CAQAw: {
    'P-384 without its public key': withoutPublicKey(
      p384,
      '304e020100301006072a8648ce3d020106052b81040022043730350201010430',
    ),
  },
  MGACAQAw: {
    'P-521 without its public key': withoutPublicKey(
      p521,
      '3060020100301006072a8648ce3d020106052b81040023044930470201010442',
    ),
  },
}

t.test('each beginning of a key is known', async (t) => {
  t.strictSame(Object.keys(KEYS).sort(), [...KEY_BEGINNINGS].sort())
})

for (const [beginning, keys] of Object.entries(KEYS))
  for (const [name, der] of Object.entries(keys))
    t.test(`${name} is replaced without its labels, in one line and in lines`, async (t) => {
      const line = der.toString('base64')
      t.strictSame(
        KEY_BEGINNINGS.filter((one) => line.slice(0, 24).includes(one)),
        [beginning],
      )
      const lines = line.replaceAll(/.{64}(?=.)/g, '$&\n')
      t.equal(redactText(`It is ${line} now.`).text, 'It is [redacted:private-key] now.')
      t.equal(redactText(`It is:\n${lines}\n\nThanks.`).text, 'It is:\n[redacted:private-key]\n\nThanks.')
    })
