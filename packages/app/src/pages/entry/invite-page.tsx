import { useProject } from './entry-sheet.tsx'
import { PasswordByToken } from './password-by-token.tsx'

export function InvitePage() {
  const { name } = useProject()
  return (
    <PasswordByToken
      title={`Welcome to ${name}`}
      note="You have been invited. Choose a password to finish your account."
      path="/users/invite/accept"
      action="Accept the invitation"
      deadLink="The invitation is too old, was accepted already, or its link was cut when it was copied."
      wayOut={<span>Ask the person who invited you to send it again.</span>}
      reason="invited"
    />
  )
}
