/** Roles, access rows and users, as far as they decide who has which policy. */
export interface Role {
  readonly id: string
  readonly name: string
  readonly icon: string | null
  readonly description: string | null
  readonly parent: string | null
}

export interface AccessRow {
  readonly id: string
  readonly role: string | null
  readonly user: string | null
  readonly policy: string
  readonly sort: number | null
}

export interface RoleNode extends Role {
  readonly depth: number
  readonly children: readonly RoleNode[]
}

/** Roles as a tree. A role whose parent is missing, or which leads back to itself, stands at the top. */
export function roleTree(roles: readonly Role[]): readonly RoleNode[] {
  const known = new Map(roles.map((role) => [role.id, role]))
  const isTop = (role: Role) =>
    role.parent === null || !known.has(role.parent) || rolesAbove(role.id, roles).includes(role.id)
  const below = (parent: string, depth: number): readonly RoleNode[] =>
    inOrder(roles.filter((role) => role.parent === parent && !isTop(role))).map((role) => node(role, depth))
  const node = (role: Role, depth: number): RoleNode => ({ ...role, depth, children: below(role.id, depth + 1) })
  return inOrder(roles.filter(isTop)).map((role) => node(role, 0))
}

const inOrder = (roles: readonly Role[]): readonly Role[] => roles.toSorted((a, b) => a.name.localeCompare(b.name))

export const flattened = (nodes: readonly RoleNode[]): readonly RoleNode[] =>
  nodes.flatMap((each) => [each, ...flattened(each.children)])

/** The keys of all roles that a role inherits from, the nearest first. */
export function rolesAbove(id: string, roles: readonly Role[]): readonly string[] {
  const above: string[] = []
  let next = roles.find((role) => role.id === id)?.parent ?? null
  while (next !== null && !above.includes(next)) {
    above.push(next)
    const current = next
    next = roles.find((role) => role.id === current)?.parent ?? null
  }
  return above
}

/** The keys of all roles that inherit from a role. */
export const rolesBelow = (id: string, roles: readonly Role[]): readonly string[] =>
  roles.filter((role) => role.id !== id && rolesAbove(role.id, roles).includes(id)).map((role) => role.id)

export interface Holders {
  /** Roles that the policy is attached to. */
  readonly roles: readonly string[]
  /** These, and all that inherit from them. */
  readonly allRoles: readonly string[]
  /** Users that it is attached to by themselves. */
  readonly users: readonly string[]
  readonly isPublic: boolean
}

/** Who has a policy. */
export function holdersOf(policy: string, access: readonly AccessRow[], roles: readonly Role[]): Holders {
  const rows = access.filter((row) => row.policy === policy)
  const direct = [...new Set(rows.flatMap(({ role }) => role ?? []))]
  return {
    roles: direct,
    allRoles: [...new Set(direct.flatMap((id) => [id, ...rolesBelow(id, roles)]))],
    users: [...new Set(rows.flatMap(({ user }) => user ?? []))],
    isPublic: rows.some(({ role, user }) => role === null && user === null),
  }
}
