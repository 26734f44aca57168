import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Keyring } from './keyring.ts'

/** Encrypts secrets so that only the service can read them, each bound to its owner. */
export interface SecretEncryption {
  encrypt(secret: string, owner: string): string
  /** null if it was encrypted for another owner or with a key that is gone, or has been modified. */
  decrypt(encrypted: string, owner: string): string | null
}

const CIPHER = 'aes-256-gcm'
const FORM = /^v1\.(?<key>[\w-]+)\.(?<nonce>[\w-]{16})\.(?<tag>[\w-]{22})\.(?<body>[\w-]+)$/u

export const createSecretEncryption = ({ active, byId }: Keyring): SecretEncryption => ({
  encrypt(secret, owner) {
    const nonce = randomBytes(12)
    const cipher = createCipheriv(CIPHER, active.encryption, nonce).setAAD(Buffer.from(owner))
    const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    const parts = [nonce, cipher.getAuthTag(), body].map((bytes) => bytes.toString('base64url'))
    return ['v1', active.id, ...parts].join('.')
  },
  decrypt(encrypted, owner) {
    const { key: id = '', nonce = '', tag = '', body = '' } = FORM.exec(encrypted)?.groups ?? {}
    const key = byId(id)
    if (key === undefined) return null
    try {
      const decipher = createDecipheriv(CIPHER, key.encryption, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  },
})
