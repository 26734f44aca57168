import type { SnapshotRow, SnapshotSections } from '@tain/contract'
import { itemsOf } from './sections.ts'

/**
 * Maps keys of the file to keys of local rows with the same name, if the name is unique on both sides: installations
 * generate their own keys.
 */
function keysHere(
  section: 'roles' | 'policies',
  wanted: SnapshotSections,
  current: SnapshotSections,
): Map<unknown, unknown> {
  const [given, held] = [itemsOf(wanted, section), itemsOf(current, section)]
  const keysOf = (rows: readonly SnapshotRow[]) => new Set(rows.map(({ id }) => id))
  const [givenKeys, heldKeys] = [keysOf(given), keysOf(held)]
  const strangers = Map.groupBy(
    given.filter(({ id }) => !heldKeys.has(id)),
    ({ name }) => name,
  )
  const open = Map.groupBy(
    held.filter(({ id }) => !givenKeys.has(id)),
    ({ name }) => name,
  )
  return new Map(
    [...strangers].flatMap(([name, [first, ...more]]) => {
      const [same, ...others] = open.get(name) ?? []
      return same === undefined || more.length + others.length > 0 ? [] : [[first?.['id'], same['id']]]
    }),
  )
}

/** Replaces the keys of roles and policies with their local keys. */
export function alignKeys(wanted: SnapshotSections, current: SnapshotSections): SnapshotSections {
  const roles = keysHere('roles', wanted, current)
  const policies = keysHere('policies', wanted, current)
  if (roles.size + policies.size === 0) return wanted
  const role = (id: unknown) => roles.get(id) ?? id
  const policy = (id: unknown) => policies.get(id) ?? id
  const renewed: { readonly [S in keyof SnapshotSections]?: (row: SnapshotRow) => SnapshotRow } = {
    roles: (row) => ({ ...row, id: role(row['id']), parent: role(row['parent']) }),
    policies: (row) => ({ ...row, id: policy(row['id']) }),
    access: (row) => ({ ...row, role: role(row['role']), policy: policy(row['policy']) }),
    permissions: (row) => ({ ...row, policy: policy(row['policy']) }),
    settings: (row) =>
      row['public_registration_role'] === undefined
        ? row
        : { ...row, public_registration_role: role(row['public_registration_role']) },
  }
  const sections = Object.entries(renewed).flatMap(([section, renew]) => {
    const name = section as keyof SnapshotSections
    return wanted[name] === undefined ? [] : [[name, itemsOf(wanted, name).map(renew)]]
  })
  return { ...wanted, ...Object.fromEntries(sections) }
}

/** Settings that a file does not name stay unchanged. */
export function withSettings(wanted: SnapshotSections, current: SnapshotSections): SnapshotSections {
  const [given] = wanted.settings ?? []
  const [held] = current.settings ?? []
  return given === undefined || held === undefined ? wanted : { ...wanted, settings: [{ ...held, ...given }] }
}
