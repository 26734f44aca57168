import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors, messageOf } from '../../api/api-error.ts'
import { get, request } from '../../api/client.ts'
import { permissionsQuery } from '../../api/queries.ts'
import { PersonFields, profileChanges, type Profile } from '../../access/person-fields.tsx'
import { Section } from '../../access/section.tsx'
import { useWhyNot } from '../../access/use-writable.ts'
import { Failure } from '../../app/faces.tsx'
import { signOut } from '../../app/session.ts'
import { nameOfUser, useIsAdministrator } from '../../app/use-start.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, Skeleton } from '../../ui/feedback.tsx'
import { PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { toast } from '../../ui/toasts.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondFactor } from './second-factor.tsx'

interface Me extends Profile {
  readonly id: string
  readonly tfa_secret: string | null
}

const meQuery = {
  queryKey: ['me'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => (await get<Me>('/users/me', { signal })).data,
}

/** Oneself: name, language, password, second factor, sessions. */
export function ProfileSection() {
  const { data, error, refetch } = useQuery(meQuery)
  if (data === undefined)
    return (
      <>
        <PageHead icon="user" title="Profile" />
        <PageBody width="narrow">
          {error === null ? <Skeleton lines={8} /> : <Failure error={error} onRetry={() => void refetch()} />}
        </PageBody>
      </>
    )
  return <ProfileForm key={data.id} me={data} />
}

/** Why a field of one's own account cannot be changed. */
function useWhyNotMine(): (name: string) => string | null {
  const isAdministrator = useIsAdministrator()
  const viewing = useWhyNot()
  const { data: permissions } = useQuery(permissionsQuery)
  return (name) => {
    if (viewing !== null) return viewing
    if (isAdministrator) return null
    const fields = permissions?.['service_users']?.['update']?.fields ?? []
    return fields.includes('*') || fields.includes(name) ? null : 'Only an administrator can change this.'
  }
}

function ProfileForm({ me }: { readonly me: Me }) {
  const [base, setBase] = useState(me)
  const [draft, setDraft] = useState<Profile>(me)
  // A profile that was read again, after the second factor was set up for example, keeps what was typed.
  if (base !== me) {
    setBase(me)
    setDraft({ ...me, ...profileChanges(base, draft) })
  }
  const [error, setError] = useState<unknown>(null)
  const client = useQueryClient()
  const whyNot = useWhyNotMine()
  const viewing = useWhyNot()
  const change = profileChanges(me, draft)
  const isChanged = Object.keys(change).length > 0
  const save = async () => {
    setError(null)
    try {
      await request('PATCH', '/users/me', { body: change, params: { fields: 'id' } })
      await Promise.all([
        client.invalidateQueries({ queryKey: ['me'] }),
        client.invalidateQueries({ queryKey: ['start'] }),
        client.invalidateQueries({ queryKey: ['access'] }),
      ])
      toast('Your profile is saved.', { tone: 'good' })
    } catch (caught) {
      setError(caught)
    }
  }
  return (
    <>
      <PageHead
        icon="user"
        title="Profile"
        note={nameOfUser(me)}
        actions={
          <>
            {isChanged ? <Button onClick={() => setDraft(me)}>Discard</Button> : null}
            <Button
              kind="solid"
              disabled={!isChanged || viewing !== null}
              title={viewing ?? undefined}
              onClick={() => void save()}
            >
              Save
            </Button>
          </>
        }
      />
      <PageBody width="narrow">
        {error === null ? null : (
          <Notice tone="danger" title="Nothing was saved">
            {messageOf(error)}
          </Notice>
        )}
        <Section title="About you">
          <PersonFields
            value={draft}
            saved={me}
            errors={fieldErrors(error)}
            whyNot={whyNot}
            onChange={(part) => setDraft({ ...draft, ...part })}
          />
        </Section>
        <PasswordForm whyNot={whyNot('password')} />
        <SecondFactor whyNot={viewing} isSet={me.tfa_secret !== null && me.tfa_secret !== undefined} />
        <Section
          title="This session"
          note="Setting another password ends all your other sessions."
          actions={
            <Button icon="log-out" onClick={() => void signOut()}>
              Sign out
            </Button>
          }
        />
      </PageBody>
    </>
  )
}
