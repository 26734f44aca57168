import { useLanguage } from '../../app/use-start.ts'
import { Value } from '../../displays/value.tsx'
import type { Collection } from '../../model/collection.ts'
import { fieldLabel, type Field } from '../../model/field.ts'
import { keyText } from '../../model/key.ts'
import { Notice } from '../../ui/feedback.tsx'
import type { Preview } from './bulk-change.ts'
import { rowCount } from './delete-selected.ts'
import styles from './bulk.module.css'

interface BulkPreviewProps {
  readonly collection: Collection
  readonly fields: readonly Field[]
  readonly preview: Preview
}

/** What a change would do to the first rows, and which rows refuse it. */
export function BulkPreview({ collection, fields, preview }: BulkPreviewProps) {
  const language = useLanguage()
  const { keys, tried, accepted, refusals, sample } = preview
  const reasons = Map.groupBy(refusals, ({ reason }) => reason)
  return (
    <section className={styles['preview']} aria-label="Preview">
      <Notice tone={refusals.length === 0 ? 'good' : 'warn'} title={`${rowCount(accepted)} would change`}>
        {tried < keys.length
          ? `Tried with the first ${tried.toLocaleString(language)} of ${rowCount(keys.length)}. `
          : ''}
        Nothing is written yet.
      </Notice>
      {[...reasons].map(([reason, rows]) => (
        <Notice key={reason} tone="danger" title={`${rowCount(rows.length)} would be refused`}>
          {reason}{' '}
          <span className={styles['keys']}>
            {rows
              .slice(0, 10)
              .map(({ key }) => keyText(key))
              .join(' · ')}
          </span>
        </Notice>
      ))}
      <div className={styles['scroll']} tabIndex={0} role="group" aria-label="The first rows">
        <table>
          <thead>
            <tr>
              <th scope="col">{collection.key.join(', ')}</th>
              {fields.map((field) => (
                <th key={field.field} scope="col">
                  {fieldLabel(field, language)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sample.map(({ key, before, after }) => (
              <tr key={key}>
                <th scope="row">{keyText(key)}</th>
                {fields.map((field) => (
                  <td key={field.field}>
                    <del>
                      <Value value={before[field.field]} field={field} language={language} />
                    </del>
                    <span aria-hidden="true"> → </span>
                    {after === null ? (
                      <em>refused</em>
                    ) : (
                      <ins>
                        <Value value={after[field.field]} field={field} language={language} />
                      </ins>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
