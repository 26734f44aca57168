import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { request } from '../../api/client.ts'
import { ConfirmDialog } from '../../access/confirm-dialog.tsx'
import { rolesBelow, type AccessRow, type Role } from '../../access/holders.ts'
import { peopleQuery, policiesQuery } from '../../access/queries.ts'
import { nameOfUser } from '../../app/use-start.ts'
import { Field } from '../../ui/field.tsx'
import { Checkbox, Input, Select, TextArea } from '../../ui/input.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './roles-page.module.css'

interface RoleDialogProps {
  /** Null: a new one. */
  readonly role: Role | null
  readonly roles: readonly Role[]
  readonly access: readonly AccessRow[]
  readonly onClose: () => void
}

/** The name of a role, where it stands, and its policies. */
export function RoleDialog({ role, roles, access, onClose }: RoleDialogProps) {
  const { data: policies = [] } = useQuery(policiesQuery)
  const rows = access.filter((row) => role !== null && row.role === role.id)
  const [name, setName] = useState(role?.name ?? '')
  const [description, setDescription] = useState(role?.description ?? '')
  const [parent, setParent] = useState(role?.parent ?? '')
  const [chosen, setChosen] = useState<readonly string[]>(() => rows.map(({ policy }) => policy))
  const client = useQueryClient()
  // A role cannot stand below itself.
  const below = role === null ? [] : [role.id, ...rolesBelow(role.id, roles)]
  const save = async () => {
    if (name.trim() === '') throw new Error('Give the role a name first.')
    const added = chosen.filter((id) => !rows.some(({ policy }) => policy === id))
    const removed = rows.filter(({ policy }) => !chosen.includes(policy)).map(({ id }) => id)
    const body = {
      name: name.trim(),
      description: description === '' ? null : description,
      parent: parent === '' ? null : parent,
      ...(added.length + removed.length === 0
        ? {}
        : { policies: { create: added.map((policy) => ({ policy })), update: [], delete: removed } }),
    }
    if (role === null) await request('POST', '/roles', { body, params: { fields: 'id' } })
    else await request('PATCH', `/roles/${role.id}`, { body, params: { fields: 'id' } })
    await client.invalidateQueries({ queryKey: ['access'] })
    toast(role === null ? `The role ${name} is created.` : 'The role is saved.', { tone: 'good' })
  }
  return (
    <ConfirmDialog
      title={role === null ? 'New role' : `Role ${role.name}`}
      confirm={role === null ? 'Create the role' : 'Save the role'}
      onConfirm={save}
      onClose={onClose}
    >
      <div className={styles['form']}>
        <Field label="Name" isRequired>
          {(control) => <Input {...control} autoFocus value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label="Description">
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
        <Field label="Below" note="It gets all policies of the roles above it.">
          {(control) => (
            <Select
              {...control}
              value={parent}
              onChange={(event) => setParent(event.target.value)}
              choices={[
                { value: '', text: 'No other role' },
                ...roles.filter(({ id }) => !below.includes(id)).map((each) => ({ value: each.id, text: each.name })),
              ]}
            />
          )}
        </Field>
        <fieldset className={styles['checks']}>
          <legend>Policies</legend>
          {policies.map((policy) => (
            <Checkbox
              key={policy.id}
              checked={chosen.includes(policy.id)}
              note={policy.description ?? undefined}
              onChange={(event) =>
                setChosen(event.target.checked ? [...chosen, policy.id] : chosen.filter((id) => id !== policy.id))
              }
            >
              {policy.name}
            </Checkbox>
          ))}
        </fieldset>
        {role === null ? null : <Members role={role.id} />}
      </div>
    </ConfirmDialog>
  )
}

function Members({ role }: { readonly role: string }) {
  const { data = [] } = useQuery(peopleQuery('', { role: { _eq: role } }))
  if (data.length === 0) return null
  return (
    <div className={styles['checks']}>
      <strong>Members</strong>
      <ul className={styles['members']}>
        {data.map((person) => (
          <li key={person.id}>
            <Link href={`/users/${person.id}`}>{nameOfUser(person)}</Link>
          </li>
        ))}
      </ul>
      {data.length === 20 ? <Link href="/access/users">All users</Link> : null}
    </div>
  )
}
