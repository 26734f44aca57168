import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { request } from '../../api/client.ts'
import { nameOfUser, useLanguage } from '../../app/use-start.ts'
import { Value } from '../../displays/value.tsx'
import { fieldLabel, type Field } from '../../model/field.ts'
import type { Row } from '../../model/key.ts'
import { plainText } from '../../model/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/feedback.tsx'
import { Field as Labelled } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { authorOf, differences, type Revision } from './revision.ts'
import styles from './conflict.module.css'

interface RevisionDialogProps {
  readonly revision: Revision
  readonly revisions: readonly Revision[]
  readonly row: Row
  readonly fields: readonly Field[]
  readonly whyLocked: string | null
  readonly onClose: () => void
  readonly onRestored: () => void
}

/** A version of the row beside another one, and the way back to it: what would change is shown first. */
export function RevisionDialog({
  revision,
  revisions,
  row,
  fields,
  whyLocked,
  onClose,
  onRestored,
}: RevisionDialogProps) {
  const language = useLanguage()
  const queries = useQueryClient()
  const [other, setOther] = useState('now')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const data = revision.data ?? {}
  const against = other === 'now' ? row : (revisions.find((each) => String(each.id) === other)?.data ?? {})
  const found = differences(data, against)
  const toRestore = differences(data, row)
  const titleOf = (each: Revision): string =>
    `${new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(each.activity?.timestamp ?? 0))}, ${nameOfUser(authorOf(each))}`
  const restore = async () => {
    setBusy(true)
    setError(null)
    try {
      await request('POST', `/utils/revert/${revision.id}`, { headers: { prefer: 'tx=rollback' } })
      await request('POST', `/utils/revert/${revision.id}`)
      await queries.invalidateQueries({ queryKey: ['items'] })
      onRestored()
    } catch (refusal) {
      setError(messageOf(refusal))
      setBusy(false)
    }
  }
  const show = (field: string, value: unknown) => {
    const known = fields.find((each) => each.field === field)
    if (value === null || value === undefined) return <code>NULL</code>
    return known === undefined ? plainText(value) : <Value value={value} field={known} />
  }
  return (
    <Dialog
      isOpen
      kind="wide"
      title={`Version of ${titleOf(revision)}`}
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            Close
          </Button>
          <Button
            kind="solid"
            icon="archive-restore"
            isBusy={isBusy}
            disabled={isBusy || whyLocked !== null || toRestore.length === 0}
            title={whyLocked ?? (toRestore.length === 0 ? 'The item is like this already' : undefined)}
            onClick={() => void restore()}
          >
            {toRestore.length === 0
              ? 'Restore'
              : `Restore ${toRestore.length === 1 ? '1 field' : `${toRestore.length} fields`}`}
          </Button>
        </>
      }
    >
      <Labelled label="Compare with">
        {(control) => (
          <Select
            {...control}
            value={other}
            onChange={(event) => setOther(event.target.value)}
            choices={[
              { value: 'now', text: 'The item as it is now' },
              ...revisions
                .filter((each) => each.id !== revision.id)
                .map((each) => ({ value: String(each.id), text: titleOf(each) })),
            ]}
          />
        )}
      </Labelled>
      {error === null ? null : (
        <Notice tone="danger" title="It was not restored">
          {error}
        </Notice>
      )}
      {found.length === 0 ? (
        <p className={styles['words']}>Both versions are the same.</p>
      ) : (
        <div className={styles['scroll']}>
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">In this version</th>
                <th scope="col">{other === 'now' ? 'Now' : 'In the other one'}</th>
              </tr>
            </thead>
            <tbody>
              {found.map(({ field, left, right }) => {
                const known = fields.find((each) => each.field === field)
                return (
                  <tr key={field}>
                    <th scope="row">{known === undefined ? field : fieldLabel(known, language)}</th>
                    <td>{show(field, left)}</td>
                    <td>{show(field, right)}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </Dialog>
  )
}
