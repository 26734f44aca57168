import type { Payload } from '../query/mutation.ts'
import type { Operator } from '../system/operator.ts'
import { Usage, type Run } from './command.ts'
import { printObject, printRows } from './table.ts'
import { changingUsers, lookingAtUsers } from './with-operator.ts'

interface Role {
  readonly id: string
  readonly name: string
}

/** The role of this name or key. Names need not be unique. */
export async function roleNamed(wanted: string, operator: Operator): Promise<Role> {
  const roles = await operator.list('service_roles', { fields: ['id', 'name'] })
  return roleIn(
    wanted,
    roles.map(({ id, name }) => ({ id: String(id), name: String(name) })),
  )
}

export function roleIn(wanted: string, known: readonly Role[]): Role {
  const found = known.filter(({ id, name }) => name === wanted || id === wanted.toLowerCase())
  const [role] = found
  if (role === undefined) throw new Usage(`There is no role "${wanted}". "tain roles list" lists all roles.`)
  if (found.length > 1)
    throw new Usage(`There are ${found.length} roles "${wanted}": give the id, as "tain roles list" shows it.`)
  return role
}

export const createRole: Run = changingUsers(async (operator, invocation) => {
  const { operands, options } = invocation
  const name = operands[0] ?? ''
  const [isAdmin, isApp] = [options['admin'] === true, options['app'] === true]
  const roles = await operator.list('service_roles', { fields: ['name'], filter: { name: { _eq: name } } })
  if (roles.length > 0) throw new Usage(`There is already a role "${name}".`)
  const policy = { name, admin_access: isAdmin, app_access: isAdmin || isApp }
  const { id } = await operator.create(
    'service_roles',
    { name, ...(isAdmin || isApp ? { policies: [{ policy }] } : {}) },
    ['id'],
  )
  printObject(invocation, { id: String(id), name, admin: isAdmin, app: isAdmin || isApp }, [String(id)])
  return 0
})

export const listRoles: Run = lookingAtUsers(async (operator, invocation) => {
  const [roles, users, attached] = await Promise.all([
    operator.list('service_roles', { fields: ['id', 'name', 'parent.name'], sort: 'name' }),
    operator.list('service_users', { aggregate: { count: ['id'] }, groupBy: ['role'] }),
    operator.list('service_access', { fields: ['role', 'policy.admin_access', 'policy.app_access'] }),
  ])
  const counts = new Map(users.map((group) => [group['role'], Number((group['count'] as Payload)['id'])]))
  const grants = (role: unknown, access: string) =>
    attached.some((each) => each['role'] === role && (each['policy'] as Payload | null)?.[access] === true)
  const rows = roles.map(({ id, name, parent }) => ({
    id: String(id),
    name: String(name),
    parent: (parent as { readonly name: string } | null)?.name ?? null,
    admin: grants(id, 'admin_access'),
    app: grants(id, 'app_access') || grants(id, 'admin_access'),
    users: counts.get(id) ?? 0,
  }))
  printRows(invocation, ['id', 'name', 'parent', 'admin', 'app', 'users'], rows)
  return 0
})
