import { createHash, createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'

/** A secret and what it is used as. */
export interface Key {
  /** Names the key in what it signed or sealed; says nothing about it. */
  readonly id: string
  readonly signing: KeyObject
  readonly encryption: KeyObject
}

/** The key in use, and those whose work is still good. */
export interface Keyring {
  readonly active: Key
  readonly byId: (id: string) => Key | undefined
  /** A text that only this service can make out of another, for one purpose. */
  readonly derive: (purpose: string, text: string) => string
}

const derivedKey = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

/** The secret itself signs, as it was given, so that tools that know it can; everything else uses keys made from it. */
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
    derive: (purpose, text) =>
      createHmac('sha256', derivedKey(current, `tain ${purpose}`))
        .update(text)
        .digest('base64url'),
  }
}
