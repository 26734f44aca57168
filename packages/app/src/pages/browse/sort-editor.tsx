import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fieldsQuery } from '../../api/queries.ts'
import { useLanguage } from '../../app/use-start.ts'
import { FieldPicker } from '../../filter/field-picker.tsx'
import type { PathOption } from '../../filter/field-paths.ts'
import { fieldsByName } from '../../filter/words.ts'
import type { Collection } from '../../model/collection.ts'
import { IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/input.tsx'
import styles from './boxes.module.css'

interface SortEditorProps {
  readonly collection: Collection
  readonly sort: readonly string[]
  readonly onSort: (sort: readonly string[]) => void
}

const isSortable = ({ kind }: PathOption): boolean => !['json', 'rows', 'secret', 'binary'].includes(kind)

/** The order of the rows: several keys, the first counts most. */
export function SortEditor({ collection, sort, onSort }: SortEditorProps) {
  const language = useLanguage()
  const fields = useQuery(fieldsQuery(collection.collection)).data
  const find = useMemo(() => fieldsByName(fields ?? [], language), [fields, language])
  const picker = (path: string, onChoose: (path: string) => void, label: string) => (
    <FieldPicker
      collection={collection.collection}
      path={path}
      shown={find(path).label}
      label={label}
      accepts={isSortable}
      onChoose={onChoose}
    />
  )
  return (
    <div className={styles['box']}>
      <h2>Sort</h2>
      {sort.map((key, index) => {
        const isDown = key.startsWith('-')
        const path = isDown ? key.slice(1) : key
        const label = find(path).label
        return (
          <div key={key} className={styles['line']}>
            {picker(path, (next) => onSort(sort.with(index, isDown ? `-${next}` : next)), `Sort key ${index + 1}`)}
            <Select
              aria-label={`Direction of ${label}`}
              value={isDown ? '-' : ''}
              onChange={(event) => onSort(sort.with(index, `${event.target.value}${path}`))}
              choices={[
                { value: '', text: 'Ascending' },
                { value: '-', text: 'Descending' },
              ]}
            />
            <IconButton
              icon="arrow-up"
              size={14}
              label={`Move ${label} up`}
              disabled={index === 0}
              onClick={() => onSort(sort.toSpliced(index, 1).toSpliced(index - 1, 0, key))}
            />
            <IconButton
              icon="x"
              size={14}
              label={`Do not sort by ${label}`}
              onClick={() => onSort(sort.toSpliced(index, 1))}
            />
          </div>
        )
      })}
      <div className={styles['line']}>
        {picker(
          '',
          (path) => onSort([...sort.filter((key) => key !== path && key !== `-${path}`), path]),
          'Add a sort key',
        )}
      </div>
      {sort.length === 0 ? <p>Without a sort key, rows are in the order of their key.</p> : null}
    </div>
  )
}
