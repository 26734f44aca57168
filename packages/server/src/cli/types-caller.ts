import { administrator, effectivePermissionsOf, type Permitted } from '../access/actor.ts'
import type { PermissionModel } from '../access/permissions.ts'
import { Usage } from './command.ts'

/** Whose types are generated. `name` stands in the file, so it depends on nothing but the command line. */
export interface Caller {
  readonly name: string
  readonly permitted: Permitted
}

export const administratorCaller: Caller = { name: 'the administrator', permitted: administrator }

/** What `--as` says: nobody in particular, the public, a user or a role. */
export type Asked =
  | { readonly kind: 'administrator' }
  | { readonly kind: 'public' }
  | { readonly kind: 'user'; readonly email: string }
  | { readonly kind: 'role'; readonly role: string }

export function askedCaller(as: string | boolean | undefined): Asked {
  if (typeof as !== 'string') return { kind: 'administrator' }
  if (as === '') throw new Usage('The option "--as" needs a role, the e-mail address of a user, or "public".')
  if (as === 'public') return { kind: 'public' }
  return as.includes('@') ? { kind: 'user', email: as } : { kind: 'role', role: as }
}

/** Where a request comes from is not known yet, so policies for some addresses apply as well. */
export const withoutAddresses = (model: PermissionModel): PermissionModel => ({
  ...model,
  policies: new Map([...model.policies].map(([id, policy]) => [id, { ...policy, addresses: [] }])),
})

export const publicCaller = (model: PermissionModel): Caller => ({
  name: 'the public',
  permitted: permittedTo(null, model),
})

export const roleCaller = (role: { readonly id: string; readonly name: string }, model: PermissionModel): Caller => ({
  name: `the role "${role.name}"`,
  permitted: permittedTo(role.id, model),
})

const permittedTo = (role: string | null, model: PermissionModel): Permitted =>
  effectivePermissionsOf({ user: null, role, address: null }, withoutAddresses(model))
