/** Everything that the migration reports, with its effect. */
export const findingKinds = {
  table: 'The table has rows, and no table takes them.',
  row: 'The row has a value that the service refuses. It is not taken.',
  'custom-field': 'The field was added to a table of Directus. Its column stays there, and its metadata is not taken.',
  interface: 'The interface belongs to an extension. Its name is kept, and a plain input is shown.',
  special: 'The flag is not known. It is kept and has no effect.',
  'field-validation': 'The validation of the field cannot be applied. The field is taken without it.',
  relation: 'The relation leads to a table of Directus. It leads there until its foreign key is dropped (--detach).',
  'relation-old': 'The relation leads to a table of Directus whose rows are not taken. It goes on leading there.',
  'foreign-key': 'The foreign key leads to a table of Directus and has no relation. It stays.',
  policy: 'The policy cannot be applied. It is not taken, and neither are its permissions.',
  permission: 'The rule cannot be applied. The permission is not taken, so it grants nothing.',
  'permission-collection': 'The collection of the permission is not served. The permission is not taken.',
  'permission-validation':
    'Another permission for the same action has a validation that cannot be applied. This one is not taken either, because it would permit more than before.',
  'permissions-kept':
    'The policy exists and lacks permissions that Directus has. It stays as it is; --replace makes both the same.',
  attachment: 'The policy, role or user of the attachment is not taken. Neither is the attachment.',
  parent: 'The parent does not exist or is below the row itself. The row is taken without a parent.',
  user: 'The user cannot be taken: the email address or another unique value is taken or invalid.',
  'user-password': 'The password is stored in a form that cannot be verified. The user is taken without one.',
  'user-second-factor': 'The second factor cannot be taken. The user is suspended until an administrator resets it.',
  'user-status': 'The status or role of the user is not known. The user is suspended.',
  'user-provider': 'The user signs in through a provider. The service has none, so the user cannot sign in.',
  file: 'The file cannot be taken. Its row and its content stay where they are.',
  storage: 'Files lie in this storage of Directus. Their content is found once the service has a storage of this name.',
  setting: 'The setting has a value that the service refuses, or refers to a file. It keeps its own value.',
} as const satisfies Readonly<Record<string, string>>

export type FindingKind = keyof typeof findingKinds

export interface Finding {
  readonly kind: FindingKind
  /** The table, row or field that it is about. */
  readonly what: string
  readonly why: string
}

/** How many rows of a table are new, changed, or there already. */
export interface Tally {
  readonly new: number
  readonly changed: number
  readonly kept: number
}

export interface MigrationReport {
  /** By table of Directus. */
  readonly rows: Readonly<Record<string, Tally>>
  readonly findings: readonly Finding[]
  /** Foreign keys to tables of Directus that are dropped. */
  readonly dropped: readonly string[]
}

/** The report as text, one line for each fact. */
export function reportText({ rows, findings, dropped }: MigrationReport): string {
  const width = Math.max(0, ...Object.keys(rows).map((name) => name.length))
  const counts = Object.entries(rows).map(
    ([name, { new: made, changed, kept }]) =>
      `${name.padEnd(width)}  ${made} new, ${changed} changed, ${kept} already there`,
  )
  const keys = dropped.map((name) => `dropped foreign key: ${name}`)
  const lines = findings.map(({ kind, what, why }) => `${kind}: ${what}: ${why}`)
  return [...counts, ...keys, ...lines].map((line) => `${line}\n`).join('')
}
