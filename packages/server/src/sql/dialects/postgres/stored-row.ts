import type { RevisionRow } from '../../bulk.ts'
import type { TypedColumn, ValueForm } from '../../dialect.ts'
import { column, list, sql, type Sql } from '../../sql.ts'
import { same } from '../base/forms.ts'
import { formOf } from './values.ts'

const texts: ReadonlySet<string> = new Set(['text', 'varchar', 'bpchar', 'citext'])

/**
 * The form of a value in responses. Text that should be JSON stays text: other text in the column must not fail the
 * write.
 */
function shownForm(stored: TypedColumn): ValueForm['json'] {
  const {
    type,
    column: { baseType, elementType },
  } = stored
  if (type === 'json' && elementType === null && baseType !== 'json' && baseType !== 'jsonb') return same
  if (type === 'csv' && !texts.has(baseType)) return same
  return formOf({ ...stored, isConcealed: false }).json
}

/** A row as revisions store it: its values as responses show them. */
export function storedRow({ columns, isWhole }: RevisionRow, source: string): Sql {
  const forms = columns.map((stored) => ({ name: stored.name, shown: shownForm(stored) }))
  if (isWhole && forms.every(({ shown }) => shown === same)) return sql`to_json(${sql.id(source)}.*)`
  const members = forms.map(({ name, shown }) => sql`${shown(column(source, name))} as ${sql.id(name)}`)
  return sql`(select to_json(o.*) from (select ${list(members)}) o)`
}
