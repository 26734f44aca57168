import { invalidPayload } from '@tain/contract'
import type { AuthenticationConfig } from '../config/authentication.ts'

export type LinkKind = 'reset' | 'invite' | 'verification'

interface Links {
  readonly path: string
  readonly allowed: (config: AuthenticationConfig) => readonly string[]
  readonly parameter: string
}

const links: Readonly<Record<LinkKind, Links>> = {
  reset: { path: '/admin/reset-password', allowed: ({ resetUrls }) => resetUrls, parameter: 'reset_url' },
  invite: { path: '/admin/accept-invite', allowed: ({ inviteUrls }) => inviteUrls, parameter: 'invite_url' },
  verification: {
    path: '/users/register/verify-email',
    allowed: ({ registerUrls }) => registerUrls,
    parameter: 'verification_url',
  },
}

/** Target of links in mails: below PUBLIC_URL or an allowed URL, never the host that a request names. */
export interface LinkBase {
  /** null: PUBLIC_URL is not set, so there is no link. */
  readonly linkFor: (token: string) => string | null
}

export function linkBase(kind: LinkKind, chosen: string | null, config: AuthenticationConfig): LinkBase {
  const { path, allowed, parameter } = links[kind]
  if (chosen !== null && !allowed(config).some((entry) => isSamePlace(chosen, entry)))
    throw invalidPayload(`"${parameter}" is not among the addresses that are allowed`)
  const base = chosen ?? (config.publicUrl === null ? null : `${config.publicUrl}${path}`)
  return {
    linkFor(token) {
      if (base === null) return null
      const url = new URL(base)
      url.searchParams.set('token', token)
      return url.href
    },
  }
}

/** The same text, or the same origin and path; the query string does not matter. */
function isSamePlace(chosen: string, entry: string): boolean {
  if (!URL.canParse(chosen)) return false
  if (chosen === entry) return true
  if (!URL.canParse(entry)) return false
  const [left, right] = [new URL(chosen), new URL(entry)]
  const isPlain = left.username === '' && left.password === '' && left.hash === ''
  return isPlain && left.origin !== 'null' && left.origin === right.origin && left.pathname === right.pathname
}
