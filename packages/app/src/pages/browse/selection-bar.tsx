import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { useWhyNot } from '../../access/use-writable.ts'
import { useLanguage } from '../../app/use-start.ts'
import { noSelection } from '../../grid/selection.ts'
import { may, whyReadOnly } from '../../model/collection.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toasts.tsx'
import { deleteSelected, type DeletePlan } from './delete-selected.ts'
import { toCsv, toTsv } from './row-values.ts'
import { readSelected } from './selected-rows.ts'
import type { SelectionProps } from './selection-props.ts'
import styles from './selection-bar.module.css'

const BulkEdit = lazy(async () => ({ default: (await import('./bulk-edit.tsx')).BulkEdit }))
const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }))

/** More rows than this are exported by the service, not copied. */
const MOST = 10_000

/** What can be done with the checked rows. */
export function SelectionBar(props: SelectionProps) {
  const { collection, columns, source, selection, onSelect } = props
  const language = useLanguage()
  const { total, isExact } = useSyncExternalStore(source.subscribe, source.snapshot)
  const [isEditing, setEditing] = useState(false)
  const [plan, setPlan] = useState<DeletePlan | null>(null)
  const locked = useWhyNot() ?? whyReadOnly(collection)
  const whyNoEdit = locked ?? (may(collection, 'update') ? null : 'You may not change rows here.')
  const whyNoDelete = locked ?? (may(collection, 'delete') ? null : 'You may not delete rows here.')
  const count = selection.isAll ? total : selection.keys.size
  const isMoreThere = !selection.isAll && (total > selection.keys.size || !isExact)
  const remove = () => {
    void deleteSelected(props).then((asked) => {
      if (asked !== null) setPlan(asked)
    })
  }
  return (
    <>
      <div className={styles['bar']} role="toolbar" aria-label="Selected rows">
        <strong aria-live="polite">
          {selection.isAll ? 'All ' : ''}
          <bdi>
            {selection.isAll && !isExact ? '≈ ' : ''}
            {count.toLocaleString(language)}
          </bdi>{' '}
          {selection.isAll ? 'matching' : 'selected'}
        </strong>
        <Button
          kind="quiet"
          icon="pencil"
          disabled={whyNoEdit !== null}
          title={whyNoEdit ?? undefined}
          onClick={() => setEditing(true)}
        >
          Edit
        </Button>
        <Menu
          label="Copy"
          placement="top start"
          trigger={(trigger) => (
            <Button {...trigger} kind="quiet" icon="copy">
              Copy
            </Button>
          )}
          entries={[
            { id: 'tsv', label: 'For a spreadsheet (TSV)', icon: 'table-2', run: () => void copy('tsv') },
            { id: 'json', label: 'As JSON', icon: 'braces', run: () => void copy('json') },
          ]}
        />
        <Menu
          label="Export"
          placement="top start"
          trigger={(trigger) => (
            <Button {...trigger} kind="quiet" icon="download">
              Export
            </Button>
          )}
          entries={[
            { id: 'csv', label: 'CSV', icon: 'table-2', run: () => void save('csv') },
            { id: 'json', label: 'JSON', icon: 'braces', run: () => void save('json') },
          ]}
        />
        <Button
          kind="danger"
          icon="trash-2"
          disabled={whyNoDelete !== null}
          title={whyNoDelete ?? undefined}
          onClick={remove}
        >
          Delete
        </Button>
        <span className={styles['line']} />
        {isMoreThere ? (
          <Button kind="quiet" onClick={() => onSelect({ isAll: true, keys: new Set() })}>
            Select all matching
          </Button>
        ) : null}
        <IconButton icon="x" label="Clear the selection" onClick={() => onSelect(noSelection)} />
      </div>
      <Suspense fallback={null}>
        {isEditing ? <BulkEdit {...props} count={count} onClose={() => setEditing(false)} /> : null}
        {plan === null ? null : <DeleteDialog {...props} plan={plan} onClose={() => setPlan(null)} />}
      </Suspense>
    </>
  )

  async function selectedText(
    format: 'tsv' | 'csv' | 'json',
  ): Promise<{ readonly text: string; readonly rows: number }> {
    const rows = await readSelected(source.query, selection, MOST)
    const text = {
      tsv: () => toTsv(rows, columns),
      csv: () => toCsv(rows, columns),
      json: () => JSON.stringify(rows, null, 2),
    }
    return { text: text[format](), rows: rows.length }
  }

  async function copy(format: 'tsv' | 'json'): Promise<void> {
    try {
      const { text, rows } = await selectedText(format)
      await navigator.clipboard.writeText(text)
      toast(
        `${rows.toLocaleString(language)} ${rows === 1 ? 'row' : 'rows'} copied.${rows === MOST ? ' Export the view for more.' : ''}`,
      )
    } catch (error) {
      toast(messageOf(error), { tone: 'danger' })
    }
  }

  async function save(format: 'csv' | 'json'): Promise<void> {
    try {
      const { text, rows } = await selectedText(format)
      const url = URL.createObjectURL(new Blob([text], { type: format === 'csv' ? 'text/csv' : 'application/json' }))
      const link = document.createElement('a')
      link.href = url
      link.download = `${collection.collection}.${format}`
      link.click()
      URL.revokeObjectURL(url)
      if (rows === MOST) toast(`The first ${MOST.toLocaleString(language)} rows were saved. Export the view for all.`)
    } catch (error) {
      toast(messageOf(error), { tone: 'danger' })
    }
  }
}
