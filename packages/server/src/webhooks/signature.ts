import { createHmac } from 'node:crypto'

export interface Signed {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** The headers of Standard Webhooks 1.0.0. Several secrets sign while one takes the place of another. */
export const signedHeaders = (
  { id, timestamp, body }: Signed,
  secrets: readonly string[],
): Readonly<Record<string, string>> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets.map((secret) => signature(`${id}.${timestamp}.${body}`, secret)).join(' '),
})

const signature = (content: string, secret: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace(/^whsec_/u, ''), 'base64'))
    .update(content)
    .digest('base64')}`
