import { isTainError } from '@tain/sdk'
import { useMutation } from '@tanstack/react-query'
import { tain } from './tain.ts'

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export function SignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const signIn = useMutation({
    mutationFn: (form: FormData) => tain.login({ email: textOf(form, 'email'), password: textOf(form, 'password') }),
    onSuccess: onSignedIn,
  })
  return (
    <main>
      <h1>Sign in</h1>
      <form action={(form) => signIn.mutate(form)}>
        <label>
          E-mail address <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button disabled={signIn.isPending}>Sign in</button>
        {signIn.error && (
          <p role="alert">
            {isTainError(signIn.error, 'INVALID_CREDENTIALS')
              ? 'The e-mail address or the password is wrong.'
              : signIn.error.message}
          </p>
        )}
      </form>
    </main>
  )
}
