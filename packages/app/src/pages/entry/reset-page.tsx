import { Link } from 'wouter'
import { PasswordByToken } from './password-by-token.tsx'

export const ResetPage = () => (
  <PasswordByToken
    title="Choose a new password"
    note="All other sessions of yours end when it is set."
    path="/auth/password/reset"
    action="Set the password"
    deadLink="It is too old, was used already, or was cut when it was copied."
    wayOut={<Link href="/login?forgot">Ask for a new link</Link>}
    reason="password-set"
  />
)
