import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { request } from '../../api/client.ts'
import { ConfirmDialog } from '../../access/confirm-dialog.tsx'
import { holdersOf } from '../../access/holders.ts'
import { accessRowsQuery, memberCountsQuery, policiesQuery, rolesQuery, type Policy } from '../../access/queries.ts'
import { useWhyNot } from '../../access/use-writable.ts'
import { counted } from '../../access/words.ts'
import { Failure } from '../../app/faces.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge, Empty, Skeleton } from '../../ui/feedback.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './policies-page.module.css'

/** All policies, and who has them. */
export function PoliciesPage() {
  const { data, error, refetch } = useQuery(policiesQuery)
  const [isNew, setNew] = useState(false)
  const whyNot = useWhyNot()
  return (
    <>
      <PageHead
        icon="shield-check"
        title="Policies"
        note={data === undefined ? undefined : counted(data.length, 'policy', 'policies')}
        actions={
          <Button
            kind="solid"
            icon="plus"
            disabled={whyNot !== null}
            title={whyNot ?? undefined}
            onClick={() => setNew(true)}
          >
            New policy
          </Button>
        }
      />
      <PageBody>
        {error !== null ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton lines={6} />
        ) : data.length === 0 ? (
          <Empty icon="shield-check" title="There are no policies yet">
            A policy says what may be read and changed. Give it to roles, users or the public.
          </Empty>
        ) : (
          <PolicyTable policies={data} whyNot={whyNot} />
        )}
      </PageBody>
      {isNew ? <NewPolicy onClose={() => setNew(false)} /> : null}
    </>
  )
}

function PolicyTable({ policies, whyNot }: { readonly policies: readonly Policy[]; readonly whyNot: string | null }) {
  const [, go] = useLocation()
  const [deleted, setDeleted] = useState<Policy | null>(null)
  const client = useQueryClient()
  return (
    <>
      <Table label="Policies" heads={['Name', 'Used by', 'People', 'Permissions', '']}>
        {policies.map((policy) => (
          <tr key={policy.id}>
            <td>
              <Link href={`/access/policies/${policy.id}`} className={styles['name']}>
                {policy.name}
              </Link>
              <Flags policy={policy} />
              {policy.description === null ? null : <small>{policy.description}</small>}
            </td>
            <UsedBy policy={policy.id} />
            <td>
              {policy.admin_access
                ? 'everything'
                : `${counted(policy.permissions.length, 'permission')} on ${counted(new Set(policy.permissions.map(({ collection }) => collection)).size, 'collection')}`}
            </td>
            <td className={styles['end']}>
              <Menu
                label={`Actions on ${policy.name}`}
                placement="bottom end"
                trigger={(props) => <IconButton {...props} icon="ellipsis" label={`Actions on ${policy.name}`} />}
                entries={[
                  { id: 'open', label: 'Open', icon: 'pencil', run: () => go(`/access/policies/${policy.id}`) },
                  {
                    id: 'delete',
                    label: 'Delete…',
                    icon: 'trash-2',
                    isDanger: true,
                    whyNot,
                    run: () => setDeleted(policy),
                  },
                ]}
              />
            </td>
          </tr>
        ))}
      </Table>
      {deleted === null ? null : (
        <ConfirmDialog
          title={`Delete the policy ${deleted.name}?`}
          confirm="Delete the policy"
          isDanger
          onClose={() => setDeleted(null)}
          onConfirm={async () => {
            await request('DELETE', `/policies/${deleted.id}`)
            await client.invalidateQueries({ queryKey: ['access'] })
            toast(`The policy ${deleted.name} is deleted.`)
          }}
        >
          <p>
            {deleted.permissions.length === 0
              ? 'It has no permissions.'
              : `Its ${counted(deleted.permissions.length, 'permission')} go with it.`}{' '}
            Whoever has it loses at once what only this policy allows. This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

const Flags = ({ policy }: { readonly policy: Policy }) => (
  <span className={styles['flags']}>
    {policy.admin_access ? <Badge tone="warn">Administrator</Badge> : null}
    {policy.app_access && !policy.admin_access ? <Badge>App</Badge> : null}
    {policy.enforce_tfa ? <Badge tone="good">Second factor</Badge> : null}
    {(policy.ip_access ?? []).length > 0 ? <Badge>IP list</Badge> : null}
  </span>
)

function UsedBy({ policy }: { readonly policy: string }) {
  const { data: access } = useQuery(accessRowsQuery)
  const { data: roles } = useQuery(rolesQuery)
  const { data: members } = useQuery(memberCountsQuery)
  if (access === undefined || roles === undefined || members === undefined)
    return (
      <>
        <td />
        <td />
      </>
    )
  const { roles: own, allRoles, users, isPublic } = holdersOf(policy, access, roles)
  const people = allRoles.reduce((sum, id) => sum + (members.get(id) ?? 0), users.length)
  const names = own.map((id) => roles.find((role) => role.id === id)?.name ?? id)
  const words = [
    ...(isPublic ? ['the public'] : []),
    ...names,
    ...(users.length === 0 ? [] : [counted(users.length, 'user')]),
  ]
  return (
    <>
      <td data-head="Used by">
        {words.length === 0 ? <span className={styles['nobody']}>nobody</span> : words.join(', ')}
      </td>
      <td data-head="People">{isPublic ? 'everybody' : people.toLocaleString('en')}</td>
    </>
  )
}

function NewPolicy({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [, go] = useLocation()
  const client = useQueryClient()
  return (
    <ConfirmDialog
      title="New policy"
      confirm="Create the policy"
      onClose={onClose}
      onConfirm={async () => {
        if (name.trim() === '') throw new Error('Give the policy a name first.')
        const { data } = await request<{ readonly id: string }>('POST', '/policies', {
          body: { name: name.trim() },
          params: { fields: 'id' },
        })
        await client.invalidateQueries({ queryKey: ['access'] })
        go(`/access/policies/${data.id}`)
      }}
    >
      <Field label="Name" isRequired note="It allows nothing until you give it permissions.">
        {(control) => (
          <Input
            {...control}
            autoFocus
            value={name}
            onChange={(event) => setName(event.target.value)}
            placeholder="Sales team"
          />
        )}
      </Field>
    </ConfirmDialog>
  )
}
