import { timingSafeEqual } from 'node:crypto'
import { HOTP, Secret, TOTP } from 'otpauth'

const PERIOD = 30
const DIGITS = 6
const SECRET_BYTES = 20

export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The URL that an authenticator app reads from a QR code. */
export const otpauthUrl = (secret: string, issuer: string, label: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret), issuer: plain(issuer), label: plain(label), digits: DIGITS }).toString()

/** A colon would end the issuer. */
const plain = (text: string) => text.replaceAll(':', ' ')

const stepAt = (milliseconds: number) => Math.floor(milliseconds / 1000 / PERIOD)

export const codeOf = (secret: string, step: number): string =>
  HOTP.generate({ secret: Secret.fromBase32(secret), counter: step, digits: DIGITS })

/** The time step of a code: the current or the previous one, and only if it is later than the last one used. */
export function stepOf(code: string, secret: string, lastStep: number | null, now = Date.now()): number | null {
  if (!/^\d{6}$/u.test(code)) return null
  const current = stepAt(now)
  const found = [current, current - 1].find((step) =>
    timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code)),
  )
  return found !== undefined && (lastStep === null || found > lastStep) ? found : null
}
