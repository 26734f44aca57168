import { argon2, randomBytes } from 'node:crypto'

/** Memory in KiB, passes and lanes of argon2id, as OWASP recommends for servers. */
const MEMORY = 19_456
const PASSES = 2
const LANES = 1
const VERSION = 19

const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/u, '')

/** A text as an argon2id hash in the PHC form, off the main thread. */
export function hashText(message: string): Promise<string> {
  const nonce = randomBytes(16)
  const parameters = { message, nonce, parallelism: LANES, tagLength: 32, memory: MEMORY, passes: PASSES }
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, tag) => {
      if (error === null)
        resolve(`$argon2id$v=${VERSION}$m=${MEMORY},t=${PASSES},p=${LANES}$${encode(nonce)}$${encode(tag)}`)
      else reject(error)
    })
  })
}
