import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { fieldErrors, messageOf } from '../../api/api-error.ts'
import { request } from '../../api/client.ts'
import { PersonFields, profileChanges, type Profile } from '../../access/person-fields.tsx'
import { policiesQuery, rolesQuery } from '../../access/queries.ts'
import { Section } from '../../access/section.tsx'
import { useWhyNot } from '../../access/use-writable.ts'
import { Failure } from '../../app/faces.tsx'
import type { PageProps } from '../../app/routes.ts'
import { nameOfUser, useIsAdministrator, useStart } from '../../app/use-start.ts'
import { beginViewAs } from '../../app/view-as.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Empty, Notice, Skeleton } from '../../ui/feedback.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { Crumbs, PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AccountSide } from './account-side.tsx'
import { statuses, statusWords, userQuery, type User } from './user.ts'
import styles from './users.module.css'

const crumbs = <Crumbs to={[{ label: 'Users', path: '/access/users' }]} />

/** One user. Who is not an administrator has a page of their own in the settings. */
export function UserPage({ params }: { readonly params: PageProps }) {
  const id = params['user'] ?? ''
  const { me } = useStart()
  const isAdministrator = useIsAdministrator()
  const isMe = (me as { readonly id?: unknown } | null)?.id === id
  const { data, error, refetch } = useQuery({ ...userQuery(id), enabled: isAdministrator })
  if (!isAdministrator) return isMe ? <Redirect replace to="/settings/profile" /> : <NotAllowed />
  if (data === undefined)
    return (
      <>
        <PageHead icon="user" title="User" crumbs={crumbs} />
        <PageBody>
          {error === null ? <Skeleton lines={8} /> : <Failure error={error} onRetry={() => void refetch()} />}
        </PageBody>
      </>
    )
  return <UserForm key={id} user={data.user} isMe={isMe} />
}

const NotAllowed = () => (
  <>
    <PageHead icon="user" title="User" />
    <Empty icon="lock" title="Only administrators see other users here">
      Ask an administrator of this project if you need it.
    </Empty>
  </>
)

interface UserFormProps {
  readonly user: User
  readonly isMe: boolean
}

/** The parts of a draft that differ from what it was made of. */
const changedIn = (base: User, draft: User): Partial<User> =>
  Object.fromEntries(
    Object.entries(draft).filter(
      ([name, value]) => value !== (base as unknown as Readonly<Record<string, unknown>>)[name],
    ),
  )

const isSameMember = (a: User, b: User, name: keyof User): boolean =>
  JSON.stringify(a[name]) === JSON.stringify(b[name])

function UserForm({ user, isMe }: UserFormProps) {
  const [base, setBase] = useState(user)
  const [draft, setDraft] = useState(user)
  // A user that was read again, after a new token for example, keeps what was typed and what is open.
  if (base !== user) {
    setBase(user)
    setDraft({ ...user, ...changedIn(base, draft) })
  }
  const [error, setError] = useState<unknown>(null)
  const [isSaving, setSaving] = useState(false)
  const client = useQueryClient()
  const whyNot = useWhyNot()
  const [, go] = useLocation()
  const change = changesOf(user, draft)
  const isChanged = Object.keys(change).length > 0
  const name = nameOfUser(user)
  const save = async () => {
    setSaving(true)
    setError(null)
    try {
      // The version of a user changes whenever they sign in, so only the members that are saved have to be the same.
      const { user: now, etag } = await client.fetchQuery({ ...userQuery(user.id), staleTime: 0 })
      if (Object.keys(changedIn(user, draft)).some((name) => !isSameMember(user, now, name as keyof User)))
        throw new Error('Somebody else has changed the same meanwhile. Your changes are kept: look again, then save.')
      await request('PATCH', `/users/${user.id}`, {
        body: change,
        params: { fields: 'id' },
        ...(etag === null ? {} : { headers: { 'if-match': etag } }),
      })
      await client.invalidateQueries({ queryKey: ['access'] })
      if (isMe) await client.invalidateQueries({ queryKey: ['start'] })
      toast('Saved.', { tone: 'good' })
    } catch (caught) {
      setError(caught)
    } finally {
      setSaving(false)
    }
  }
  return (
    <>
      <PageHead
        icon="user"
        title={name}
        note={isMe ? 'you' : undefined}
        crumbs={crumbs}
        actions={
          <>
            <Button
              kind="quiet"
              icon="eye"
              disabled={isMe || user.status !== 'active' || whyNot !== null}
              title={
                whyNot ??
                (isMe ? 'You see your own content already' : user.status === 'active' ? undefined : 'Only active users')
              }
              onClick={() => void beginViewAs({ id: user.id, name }, go)}
            >
              View as
            </Button>
            {isChanged ? <Button onClick={() => setDraft(user)}>Discard</Button> : null}
            <Button
              kind="solid"
              isBusy={isSaving}
              disabled={!isChanged || isSaving || whyNot !== null}
              title={whyNot ?? undefined}
              onClick={() => void save()}
            >
              Save
            </Button>
          </>
        }
      />
      <PageBody>
        <div className={styles['columns']}>
          <div>
            {error === null ? null : (
              <Notice tone="danger" title="Nothing was saved">
                {messageOf(error)}
              </Notice>
            )}
            <Section title="Profile">
              <PersonFields
                value={draft}
                saved={user}
                errors={fieldErrors(error)}
                onChange={(part: Partial<Profile>) => setDraft({ ...draft, ...part })}
                whyNot={() => whyNot}
              />
            </Section>
            <AccessSection user={user} draft={draft} isMe={isMe} whyNot={whyNot} onChange={setDraft} />
          </div>
          <AccountSide user={user} isMe={isMe} whyNot={whyNot} />
        </div>
      </PageBody>
    </>
  )
}

interface AccessSectionProps {
  readonly user: User
  readonly draft: User
  readonly isMe: boolean
  readonly whyNot: string | null
  readonly onChange: (user: User) => void
}

function AccessSection({ user, draft, isMe, whyNot, onChange }: AccessSectionProps) {
  const { data: roles = [] } = useQuery(rolesQuery)
  const { data: policies = [] } = useQuery(policiesQuery)
  const own = draft.policies.map(({ policy }) => policy)
  const nameOf = (id: string) => policies.find((policy) => policy.id === id)?.name ?? id
  return (
    <Section title="Access" note="A user has the policies of the role, of the roles above it, and those attached here.">
      <div className={styles['pair']}>
        <Field label="Role" isEdited={draft.role !== user.role}>
          {(control) => (
            <Select
              {...control}
              disabled={whyNot !== null}
              value={draft.role ?? ''}
              onChange={(event) => onChange({ ...draft, role: event.target.value === '' ? null : event.target.value })}
              choices={[{ value: '', text: 'No role' }, ...roles.map(({ id, name }) => ({ value: id, text: name }))]}
            />
          )}
        </Field>
        <Field
          label="Status"
          isEdited={draft.status !== user.status}
          note={isMe ? 'You would lock yourself out.' : undefined}
        >
          {(control) => (
            <Select
              {...control}
              disabled={whyNot !== null || isMe}
              value={draft.status}
              onChange={(event) => onChange({ ...draft, status: event.target.value })}
              choices={statuses.map((value) => ({ value, text: statusWords[value] }))}
            />
          )}
        </Field>
      </div>
      <div>
        <ul className={styles['list']} aria-label="Own policies">
          {draft.policies.map((each) => (
            <li key={each.policy}>
              {nameOf(each.policy)}
              <IconButton
                icon="x"
                label={`Remove the policy ${nameOf(each.policy)}`}
                disabled={whyNot !== null}
                onClick={() => onChange({ ...draft, policies: draft.policies.filter((other) => other !== each) })}
              />
            </li>
          ))}
        </ul>
        <Field label="Own policies" note={own.length === 0 ? 'None. Most users need only their role.' : undefined}>
          {(control) => (
            <Select
              {...control}
              disabled={whyNot !== null}
              value=""
              onChange={(event) =>
                onChange({ ...draft, policies: [...draft.policies, { id: '', policy: event.target.value }] })
              }
              choices={[
                { value: '', text: 'Add a policy…' },
                ...policies.filter(({ id }) => !own.includes(id)).map(({ id, name }) => ({ value: id, text: name })),
              ]}
            />
          )}
        </Field>
      </div>
    </Section>
  )
}

/** The members that differ, and the policies as a nested write. */
function changesOf(saved: User, draft: User): Readonly<Record<string, unknown>> {
  const added = draft.policies.filter(({ id }) => id === '')
  const removed = saved.policies.filter(({ id }) => !draft.policies.some((each) => each.id === id))
  return {
    ...profileChanges(saved, draft),
    ...(saved.role === draft.role ? {} : { role: draft.role }),
    ...(saved.status === draft.status ? {} : { status: draft.status }),
    ...(added.length + removed.length === 0
      ? {}
      : {
          policies: {
            create: added.map(({ policy }) => ({ policy })),
            update: [],
            delete: removed.map(({ id }) => id),
          },
        }),
  }
}
