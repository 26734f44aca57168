import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { fieldsQuery } from '../../api/queries.ts'
import { useLanguage } from '../../app/use-start.ts'
import { pathOptionsQuery, type PathOption } from '../../filter/field-paths.ts'
import { fieldsByName } from '../../filter/words.ts'
import type { Collection } from '../../model/collection.ts'
import { kindRows } from '../../model/kind.ts'
import { IconButton } from '../../ui/button.tsx'
import { Checkbox, Input } from '../../ui/input.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { ShownField } from './view-state.ts'
import styles from './boxes.module.css'
import { isNested, lastName } from '../../model/path.ts'

interface FieldsChooserProps {
  readonly collection: Collection
  readonly shown: readonly ShownField[]
  readonly onShow: (shown: readonly ShownField[]) => void
}

/** Which columns are shown, and in which order. */
export function FieldsChooser({ collection, shown, onShow }: FieldsChooserProps) {
  const [typed, setTyped] = useState('')
  const text = typed.trim().toLowerCase()
  const toggle = (path: string) =>
    onShow(
      shown.some((each) => each.path === path)
        ? shown.filter((each) => each.path !== path)
        : [...shown, { path, width: null }],
    )
  return (
    <div className={styles['box']}>
      <h2>Fields</h2>
      <Input
        autoFocus
        icon="search"
        aria-label="Find a field"
        placeholder="Find a field"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {text === '' ? <ShownList collection={collection} shown={shown} onShow={onShow} /> : null}
      <h3>{text === '' ? 'All fields' : 'Found'}</h3>
      <Branch
        collection={collection.collection}
        prefix=""
        text={text}
        shown={shown}
        onToggle={toggle}
        isAlone={shown.length === 1}
      />
    </div>
  )
}

/** The columns in their order. Each can be dragged, or moved with its buttons. */
function ShownList({ collection, shown, onShow }: FieldsChooserProps) {
  const language = useLanguage()
  const fields = useQuery(fieldsQuery(collection.collection)).data
  const find = useMemo(() => fieldsByName(fields ?? [], language), [fields, language])
  const [dragged, setDragged] = useState<number | null>(null)
  const move = (from: number, to: number) => {
    const field = shown[from]
    if (field !== undefined && to >= 0 && to < shown.length) onShow(shown.toSpliced(from, 1).toSpliced(to, 0, field))
  }
  return (
    <ol className={styles['shown']} aria-label="Shown fields">
      {shown.map(({ path }, index) => {
        const { label } = find(path)
        return (
          <li
            key={path}
            draggable
            data-dragged={dragged === index || undefined}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move'
              setDragged(index)
            }}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault()
              if (dragged !== null) move(dragged, index)
              setDragged(null)
            }}
          >
            <Icon name="grip-vertical" size={14} />
            <span dir="auto">{label}</span>
            <IconButton
              icon="arrow-up"
              size={13}
              label={`Move ${label} up`}
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            />
            <IconButton
              icon="arrow-down"
              size={13}
              label={`Move ${label} down`}
              disabled={index === shown.length - 1}
              onClick={() => move(index, index + 1)}
            />
            <IconButton
              icon="x"
              size={13}
              label={`Hide ${label}`}
              disabled={shown.length === 1}
              onClick={() => onShow(shown.toSpliced(index, 1))}
            />
          </li>
        )
      })}
    </ol>
  )
}

interface BranchProps {
  readonly collection: string
  readonly prefix: string
  readonly text: string
  readonly shown: readonly ShownField[]
  readonly onToggle: (path: string) => void
  readonly isAlone: boolean
}

/** The fields at a path. A relation opens to the fields of the related row. */
function Branch({ collection, prefix, text, shown, onToggle, isAlone }: BranchProps) {
  const client = useQueryClient()
  const language = useLanguage()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const { data, isPending } = useQuery(pathOptionsQuery(client, collection, prefix, language))
  const options = (data ?? []).filter(
    (option) => isColumn(option) && (text === '' || prefix !== '' || matches(option, text)),
  )
  if (isPending) return <p>Loading fields…</p>
  if (options.length === 0) return <p>Nothing matches.</p>
  const turn = (path: string) =>
    setOpened((before) => new Set(before.has(path) ? [...before].filter((each) => each !== path) : [...before, path]))
  return (
    <ul className={styles['branch']}>
      {options.map(({ path, label, kind, leadsTo }) => {
        const isShown = shown.some((each) => each.path === path)
        const isRelation = leadsTo !== null && kind !== 'rows'
        return (
          <li key={path}>
            <div>
              <Checkbox checked={isShown} disabled={isShown && isAlone} onChange={() => onToggle(path)}>
                <span className={styles['option']}>
                  <Icon name={kindRows[kind].icon} size={14} />
                  <span dir="auto">{label}</span>
                  <small>{lastName(path)}</small>
                </span>
              </Checkbox>
              {isRelation ? (
                <IconButton
                  icon={opened.has(path) ? 'chevron-down' : 'chevron-right'}
                  size={14}
                  aria-expanded={opened.has(path)}
                  label={`Fields of ${label}`}
                  onClick={() => turn(path)}
                />
              ) : null}
            </div>
            {opened.has(path) && isRelation ? (
              <Branch
                collection={collection}
                prefix={path}
                text=""
                shown={shown}
                onToggle={onToggle}
                isAlone={isAlone}
              />
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}

/** Lists of related rows are shown as their count. */
const isColumn = ({ kind, path }: PathOption): boolean =>
  kind !== 'rows' && !(isNested(path) && lastName(path).includes('('))

const matches = ({ path, label }: PathOption, text: string): boolean =>
  label.toLowerCase().includes(text) || path.toLowerCase().includes(text)
