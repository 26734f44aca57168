import type { SnapshotRow } from '@tain/contract'
import type { Finding } from './findings.ts'
import type { Mapped } from './outcome.ts'
import type { Held } from './plan-rows.ts'

/** Columns in which no two users have the same value. */
const uniques = ['email', 'token', 'external_identifier'] as const

const lower = (value: unknown) => String(value).toLowerCase()

/**
 * The users whose unique values no other user has. The second factor of a user that exists stays: it is encrypted
 * anew each time, so it cannot be compared.
 */
export function takenUsers({ rows, findings }: Mapped<SnapshotRow>, held: readonly Held[]): Mapped<SnapshotRow> {
  const there = new Set(held.map(({ id }) => id))
  const owners = new Map<string, unknown>()
  for (const row of held)
    for (const column of uniques) if (row[column] != null) owners.set(`${column} ${lower(row[column])}`, row['id'])
  const refused: Finding[] = []
  const taken = rows.filter((row) => {
    const clash = uniques.find((column) => {
      if (row[column] === null) return false
      const owner = owners.get(`${column} ${lower(row[column])}`)
      return owner !== undefined && owner !== row['id']
    })
    if (clash !== undefined) {
      const why = `Another user has the same ${clash === 'email' ? 'email address' : clash}.`
      refused.push({ kind: 'user', what: String(row['email'] ?? row['id']), why })
      return false
    }
    for (const column of uniques) if (row[column] !== null) owners.set(`${column} ${lower(row[column])}`, row['id'])
    return true
  })
  return {
    rows: taken.map(({ tfa_secret: secret, ...row }) => (there.has(row['id']) ? row : { ...row, tfa_secret: secret })),
    findings: [...findings, ...refused],
  }
}
