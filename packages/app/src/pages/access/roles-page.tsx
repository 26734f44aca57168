import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { request } from '../../api/client.ts'
import { ConfirmDialog } from '../../access/confirm-dialog.tsx'
import { flattened, rolesAbove, roleTree, type AccessRow, type Role, type RoleNode } from '../../access/holders.ts'
import { accessRowsQuery, memberCountsQuery, policiesQuery, rolesQuery } from '../../access/queries.ts'
import { useWhyNot } from '../../access/use-writable.ts'
import { counted } from '../../access/words.ts'
import { Failure } from '../../app/faces.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toasts.tsx'
import { RoleDialog } from './role-dialog.tsx'
import styles from './roles-page.module.css'

/** Roles as a tree: each has the policies of those above it. */
export function RolesPage() {
  const roles = useQuery(rolesQuery)
  const access = useQuery(accessRowsQuery)
  const [edited, setEdited] = useState<Role | 'new' | null>(null)
  const whyNot = useWhyNot()
  const error = roles.error ?? access.error
  return (
    <>
      <PageHead
        icon="users-round"
        title="Roles"
        note={roles.data === undefined ? undefined : counted(roles.data.length, 'role')}
        actions={
          <Button
            kind="solid"
            icon="plus"
            disabled={whyNot !== null}
            title={whyNot ?? undefined}
            onClick={() => setEdited('new')}
          >
            New role
          </Button>
        }
      />
      <PageBody>
        {error !== null ? (
          <Failure error={error} onRetry={() => void roles.refetch()} />
        ) : roles.data === undefined || access.data === undefined ? (
          <Skeleton lines={6} />
        ) : roles.data.length === 0 ? (
          <Empty icon="users-round" title="There are no roles yet">
            A role gives many people the same policies.
          </Empty>
        ) : (
          <RoleTable roles={roles.data} access={access.data} whyNot={whyNot} onEdit={setEdited} />
        )}
      </PageBody>
      {edited === null || roles.data === undefined || access.data === undefined ? null : (
        <RoleDialog
          role={edited === 'new' ? null : edited}
          roles={roles.data}
          access={access.data}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}

interface RoleTableProps {
  readonly roles: readonly Role[]
  readonly access: readonly AccessRow[]
  readonly whyNot: string | null
  readonly onEdit: (role: Role) => void
}

function RoleTable({ roles, access, whyNot, onEdit }: RoleTableProps) {
  const { data: members } = useQuery(memberCountsQuery)
  const { data: policies = [] } = useQuery(policiesQuery)
  const [deleted, setDeleted] = useState<Role | null>(null)
  const client = useQueryClient()
  const count = deleted === null ? 0 : (members?.get(deleted.id) ?? 0)
  const policyName = (id: string) => policies.find((policy) => policy.id === id)?.name ?? id
  const inherited = (role: RoleNode) =>
    rolesAbove(role.id, roles).flatMap((above) =>
      access.filter((row) => row.role === above).map(({ policy }) => policyName(policy)),
    )
  return (
    <>
      <Table label="Roles" heads={['Role', 'Policies', 'Members', '']}>
        {flattened(roleTree(roles)).map((role) => (
          <tr key={role.id}>
            <td>
              <span className={styles['role']} style={{ paddingInlineStart: role.depth * 22 }}>
                {role.depth === 0 ? null : <Icon name="corner-down-left" size={14} />}
                <span>
                  <button type="button" className={styles['name']} onClick={() => onEdit(role)}>
                    {role.name}
                  </button>
                  {role.depth === 0 ? null : <span className="visually-hidden">, below another role</span>}
                  {role.description === null ? null : <small>{role.description}</small>}
                </span>
              </span>
            </td>
            <td>
              {access
                .filter((row) => row.role === role.id)
                .map(({ id, policy }) => (
                  <Link key={id} href={`/access/policies/${policy}`} className={styles['policy']}>
                    {policyName(policy)}
                  </Link>
                ))}
              {inherited(role).length === 0 ? null : <small>also {inherited(role).join(', ')}</small>}
            </td>
            <td data-head="Members">{members?.get(role.id) ?? 0}</td>
            <td className={styles['end']}>
              <Menu
                label={`Actions on ${role.name}`}
                placement="bottom end"
                trigger={(props) => <IconButton {...props} icon="ellipsis" label={`Actions on ${role.name}`} />}
                entries={[
                  { id: 'edit', label: 'Edit…', icon: 'pencil', run: () => onEdit(role) },
                  {
                    id: 'delete',
                    label: 'Delete…',
                    icon: 'trash-2',
                    isDanger: true,
                    whyNot,
                    run: () => setDeleted(role),
                  },
                ]}
              />
            </td>
          </tr>
        ))}
      </Table>
      {deleted === null ? null : (
        <ConfirmDialog
          title={`Delete the role ${deleted.name}?`}
          confirm="Delete the role"
          isDanger
          onClose={() => setDeleted(null)}
          onConfirm={async () => {
            await request('DELETE', `/roles/${deleted.id}`)
            await client.invalidateQueries({ queryKey: ['access'] })
            toast(`The role ${deleted.name} is deleted.`)
          }}
        >
          <p>
            {count === 0
              ? 'Nobody has it.'
              : `${counted(count, 'user')} with this role ${count === 1 ? 'is' : 'are'} suspended and left without a role.`}{' '}
            Its policies stay; roles below it move to the top. This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
