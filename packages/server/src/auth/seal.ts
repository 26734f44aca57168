import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Keyring } from './keyring.ts'

/** Keeps secrets readable for the service alone, each bound to where it belongs. */
export interface Seal {
  close(secret: string, owner: string): string
  /** null when it was sealed for somebody else, with a key that is gone, or has been changed. */
  open(sealed: string, owner: string): string | null
}

const CIPHER = 'aes-256-gcm'
const FORM = /^v1\.(?<key>[\w-]+)\.(?<nonce>[\w-]{16})\.(?<tag>[\w-]{22})\.(?<body>[\w-]+)$/u

export const createSeal = ({ active, byId }: Keyring): Seal => ({
  close(secret, owner) {
    const nonce = randomBytes(12)
    const cipher = createCipheriv(CIPHER, active.sealing, nonce).setAAD(Buffer.from(owner))
    const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    const parts = [nonce, cipher.getAuthTag(), body].map((bytes) => bytes.toString('base64url'))
    return ['v1', active.id, ...parts].join('.')
  },
  open(sealed, owner) {
    const { key: id = '', nonce = '', tag = '', body = '' } = FORM.exec(sealed)?.groups ?? {}
    const key = byId(id)
    if (key === undefined) return null
    try {
      const decipher = createDecipheriv(CIPHER, key.sealing, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  },
})
