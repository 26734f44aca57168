import { fieldLabel, type Field } from '../../model/field.ts'
import type { FieldRelation } from '../../model/relation.ts'

/** What becomes of a row that leaves a list. */
export interface Removal {
  readonly kind: 'delete' | 'unlink' | 'none'
  readonly label: string
  readonly whyNot: string | null
}

/** The relation decides: the row is deleted, or only its reference is emptied, where the column allows that. */
export function removalOf(relation: FieldRelation | null, fields: readonly Field[]): Removal {
  if (relation?.kind === 'm2m') return { kind: 'unlink', label: 'Unlink', whyNot: null }
  if (relation?.kind !== 'o2m') return { kind: 'none', label: 'Remove', whyNot: 'This list cannot be changed here.' }
  if (relation.relation.meta?.one_deselect_action === 'delete') return { kind: 'delete', label: 'Delete', whyNot: null }
  const reference = fields.find((field) => field.field === relation.relation.field)
  if (reference?.schema?.is_nullable === false)
    return {
      kind: 'none',
      label: 'Unlink',
      whyNot: `${fieldLabel(reference, 'en-US')} cannot be empty. Open the row to delete it or to refer to another one.`,
    }
  return { kind: 'unlink', label: 'Unlink', whyNot: null }
}
