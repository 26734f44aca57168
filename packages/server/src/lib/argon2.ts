import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'

/** Memory in KiB, passes and lanes of argon2id, as OWASP recommends for servers. */
const MEMORY = 19_456
const PASSES = 2
const LANES = 1
const VERSION = 19

/** Upper bounds, so that a hash from another system cannot make a login too expensive. */
const MOST_MEMORY = 262_144
const MOST_PASSES = 16
const MOST_LANES = 16

const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/u, '')

const derive = (parameters: Argon2Parameters): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, tag) => (error === null ? resolve(tag) : reject(error)))
  })

const write = (nonce: Buffer, tag: Buffer) =>
  `$argon2id$v=${VERSION}$m=${MEMORY},t=${PASSES},p=${LANES}$${encode(nonce)}$${encode(tag)}`

/** Hashes a text with argon2id, off the main thread; the result is in PHC format. */
export async function hashText(message: string): Promise<string> {
  const nonce = randomBytes(16)
  const parameters = { message, nonce, parallelism: LANES, tagLength: 32, memory: MEMORY, passes: PASSES }
  return write(nonce, await derive(parameters))
}

/** A hash that matches no text and takes as long to check as any other. */
export const hashOfNothing = (): string => write(randomBytes(16), randomBytes(32))

const PHC =
  /^\$argon2id\$v=19\$m=(?<memory>\d{1,7}),t=(?<passes>\d{1,3}),p=(?<lanes>\d{1,3})\$(?<salt>[\w+/]{11,86})\$(?<tag>[\w+/]{16,86})$/u

/** The parts of a hash; null for other kinds of hashes, and for hashes that are too expensive to verify. */
function partsOf(hash: string) {
  const { memory, passes, lanes, salt = '', tag = '' } = PHC.exec(hash)?.groups ?? {}
  const [m, t, p] = [Number(memory), Number(passes), Number(lanes)]
  const isUsable = m >= 8 * p && m <= MOST_MEMORY && t >= 1 && t <= MOST_PASSES && p >= 1 && p <= MOST_LANES
  if (!isUsable) return null
  const expected = Buffer.from(tag, 'base64')
  const nonce = Buffer.from(salt, 'base64')
  return { expected, parameters: { nonce, parallelism: p, tagLength: expected.length, memory: m, passes: t } }
}

/** Whether a hash of another system can be verified here. */
export const isUsableHash = (hash: string): boolean => partsOf(hash) !== null

/** Whether a text matches this hash; false for other kinds of hashes. */
export async function hasHash(message: string, hash: string): Promise<boolean> {
  const parts = partsOf(hash)
  if (parts === null) return false
  return timingSafeEqual(await derive({ message, ...parts.parameters }), parts.expected)
}
