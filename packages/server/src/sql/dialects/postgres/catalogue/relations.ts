import type { DatabaseTable, HiddenObject, TableKind } from '../../../database-schema.ts'
import type { Row } from '../../../driver.ts'
import type { Intern } from '../intern.ts'

export interface Relation {
  readonly id: string
  readonly schema: string
  readonly name: string
  readonly kind: TableKind
  readonly readability: 'all' | 'some' | 'none'
  readonly privileges: DatabaseTable['privileges']
  readonly comment: string | null
  /** Other tables inherit from it. The partitions of a partitioned table do not count. */
  readonly hasChildren: boolean
}

const kinds: ReadonlyMap<string, TableKind> = new Map([
  ['r', 'table'],
  ['p', 'partitioned'],
  ['v', 'view'],
  ['m', 'materialized-view'],
  ['f', 'foreign'],
])

export function relationOf(row: Row, intern: Intern): Relation {
  const [id, schema, name, kind, readability, mayInsert, mayUpdate, mayDelete, comment, hasChildren] = row
  return {
    id: id ?? '',
    schema: intern(schema ?? ''),
    name: intern(name ?? ''),
    kind: kinds.get(kind ?? '') ?? 'table',
    readability: readability === 'all' || readability === 'some' ? readability : 'none',
    privileges: { insert: mayInsert === 'true', update: mayUpdate === 'true', delete: mayDelete === 'true' },
    comment: intern(comment ?? null),
    hasChildren: hasChildren === 't',
  }
}

export const hiddenTable = ({ schema, name }: Relation): HiddenObject => ({
  schema,
  table: name,
  column: null,
  reason: 'the database role may not SELECT from this table',
})

export const hiddenColumn = (relation: Relation | undefined, column: string): readonly HiddenObject[] =>
  relation === undefined
    ? []
    : [
        {
          schema: relation.schema,
          table: relation.name,
          column,
          reason: 'the database role may not SELECT this column',
        },
      ]
