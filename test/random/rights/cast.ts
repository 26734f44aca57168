import { fittedUuid } from '../database/dialect.ts'
import type { Dialect } from '../database/model.ts'
import type { Rng } from '../rng.ts'
import { randomUuid } from '../database/texts.ts'
import type { Role, User } from './rights.ts'

/** All users, roles and policies of one database, with the values by which rules can refer to them. */
export interface Cast {
  readonly users: readonly User[]
  readonly roles: readonly Role[]
  readonly policies: readonly { readonly id: string; readonly name: string }[]
  /** Keys, for uuid columns. */
  readonly ids: readonly string[]
  /** Keys and other values, for text columns. */
  readonly words: readonly string[]
}

export const POLICIES = 6

export function randomCast(rng: Rng, dialect: Dialect): Cast {
  const roles: Role[] = []
  for (let i = 0; i < 4; i++) {
    roles.push({
      id: fittedUuid(dialect, randomUuid(rng)),
      name: `role ${i}`,
      description: rng.chance(0.4) ? null : `the ${rng.pick(['north', 'south'])}`,
      parent: roles.length > 0 && rng.chance(0.6) ? rng.pick(roles).id : null,
    })
  }
  const users = Array.from({ length: 4 }, (_, i): User => ({
    id: fittedUuid(dialect, randomUuid(rng)),
    token: `oracle-token-${i}-${rng.int(0, 1e9)}`,
    role: rng.chance(0.7) ? rng.pick(roles).id : null,
    title: rng.chance(0.3) ? null : rng.pick(['a', 'chief', '7']),
    location: rng.chance(0.3) ? null : rng.pick(['B', 'north']),
  }))
  const policies = Array.from({ length: POLICIES }, (_, i) => ({
    id: fittedUuid(dialect, randomUuid(rng)),
    name: `policy ${i}`,
  }))
  const ids = [...users, ...roles, ...policies].map(({ id }) => id)
  const texts = [
    ...users.flatMap(({ title, location }) => [title, location]),
    ...roles.flatMap(({ name, description }) => [name, description]),
  ]
  return { users, roles, policies, ids, words: [...ids, ...texts.filter((text) => text !== null), 'policy 1'] }
}
