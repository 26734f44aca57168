import { useMemo } from 'react'
import { useIsAdministrator, useLanguage, useStart } from '../app/use-start.ts'
import type { Collection } from '../model/collection.ts'
import type { DraftStore } from './draft-store.ts'
import { FormPlace } from './form-context.ts'
import type { FormField } from './form-fields.ts'
import { FormFieldView } from './form-field.tsx'
import type { FormRights } from './locks.ts'
import type { Dynamic } from './rule-match.ts'
import styles from './form.module.css'

interface FormProps {
  readonly collection: Collection
  readonly itemKey: string | null
  readonly fields: readonly FormField[]
  readonly store: DraftStore
  readonly rights: FormRights
  readonly errors: ReadonlyMap<string, string>
  readonly depth?: number
}

/** What rules may ask about besides the values of the form. */
export function useDynamic(): Dynamic {
  const { me } = useStart()
  const { id, role } = (me ?? {}) as { readonly id?: unknown; readonly role?: unknown }
  return useMemo(() => ({ $CURRENT_USER: id, $CURRENT_ROLE: role, $NOW: new Date().toISOString() }), [id, role])
}

/** The fields of a row in two columns. */
export function Form({ collection, itemKey, fields, store, rights, errors, depth = 0 }: FormProps) {
  const dynamic = useDynamic()
  const language = useLanguage()
  const isAdministrator = useIsAdministrator()
  const place = useMemo(
    () => ({ collection, itemKey, store, rights, errors, dynamic, language, isAdministrator, depth }),
    [collection, itemKey, store, rights, errors, dynamic, language, isAdministrator, depth],
  )
  return (
    <FormPlace value={place}>
      <div className={styles['form']}>
        <div className={styles['grid']}>
          {fields.map((each) => (
            <FormFieldView key={each.field.field} formField={each} />
          ))}
        </div>
      </div>
    </FormPlace>
  )
}
