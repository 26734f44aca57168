import { createHash, createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'

/** The keys that are made from one secret. */
export interface Key {
  /** Identifies the key in signed or encrypted data without revealing it. */
  readonly id: string
  readonly signing: KeyObject
  readonly encryption: KeyObject
}

/** The key in use, and older keys that can still verify and decrypt. */
export interface Keyring {
  readonly active: Key
  readonly byId: (id: string) => Key | undefined
  /** An HMAC of a text for one purpose, which only this service can compute. */
  readonly derive: (purpose: string, text: string) => string
  /** Keys for one purpose: that of the secret in use, then that of the previous one. */
  readonly keysFor: (purpose: string) => readonly Buffer[]
}

const derivedKey = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

/** Signing uses the secret as given, so that tools that know it can sign too; everything else uses derived keys. */
function keyOf(secret: string): Key {
  return {
    id: createHash('sha256').update(`tain key ${secret}`).digest('base64url').slice(0, 12),
    signing: createSecretKey(Buffer.from(secret)),
    encryption: createSecretKey(derivedKey(secret, 'tain seal')),
  }
}

export function createKeyring(secret: string | null, previous: string | null): Keyring {
  const current = secret ?? randomBytes(32).toString('base64url')
  const active = keyOf(current)
  const keys = new Map([active, ...(previous === null ? [] : [keyOf(previous)])].map((key) => [key.id, key]))
  return {
    active,
    byId: (id) => keys.get(id),
    keysFor: (purpose) => [current, ...(previous === null ? [] : [previous])].map((each) => derivedKey(each, purpose)),
    derive: (purpose, text) =>
      createHmac('sha256', derivedKey(current, `tain ${purpose}`))
        .update(text)
        .digest('base64url'),
  }
}
