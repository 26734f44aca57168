import { useQueries } from '@tanstack/react-query'
import { Fragment, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { fieldsQuery } from '../api/queries.ts'
import { useStart } from '../app/use-start.ts'
import { collectionLabel, type Action } from '../model/collection.ts'
import { Icon } from '../ui/icon.tsx'
import { Checkbox, Input } from '../ui/input.tsx'
import { Empty } from '../ui/feedback.tsx'
import { CopyDialog } from './copy-dialog.tsx'
import { cellOf, withCopies, withLevel, type Place } from './draft.ts'
import { MatrixCell } from './matrix-cell.tsx'
import { MatrixHead } from './matrix-head.tsx'
import type { MatrixProps } from './matrix-props.ts'
import { actionWords, columns, fieldsOf, type Level, type Permission } from './permission.ts'
import { RuleEditor } from './rule-editor.tsx'
import { collectionWords } from './words.ts'
import styles from './policy-matrix.module.css'

interface Line {
  readonly collection: string
  readonly label: string
  readonly isKnown: boolean
  readonly isSystem: boolean
}

/** More than this is found by typing. */
const MOST = 200

/** Collections and what a policy allows with them: a table in which every cell is changed in place. */
export function PolicyMatrix(props: MatrixProps) {
  const { saved, draft, onChange, whyNot } = props
  const [typed, setTyped] = useState('')
  const [isWithAccess, setWithAccess] = useState(false)
  const [hasSystem, setHasSystem] = useState(() => draft.some(({ collection }) => collection.startsWith('service_')))
  const [open, setOpen] = useState<Place | null>(null)
  const [copied, setCopied] = useState<Place | null>(null)
  const lines = useLines(saved, draft)
  const text = typed.trim().toLowerCase()
  const found = lines.filter(
    ({ collection, label, isSystem }) =>
      (hasSystem || !isSystem) &&
      (!isWithAccess || draft.some((each) => each.collection === collection)) &&
      (collection.toLowerCase().includes(text) || label.toLowerCase().includes(text)),
  )
  const counts = useFieldCounts(draft)
  const table = useRef<HTMLTableElement>(null)
  const setLevel = (place: Place, level: Level) => {
    if (level === 'rule') return setOpen(place)
    onChange(withLevel(draft, saved, place, level))
  }
  return (
    <>
      <div className={styles['tools']}>
        <Input
          icon="search"
          className={styles['search'] ?? ''}
          aria-label="Filter collections of the policy"
          placeholder="Filter collections"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Checkbox checked={isWithAccess} onChange={(event) => setWithAccess(event.target.checked)}>
          With access
        </Checkbox>
        <Checkbox checked={hasSystem} onChange={(event) => setHasSystem(event.target.checked)}>
          System collections
        </Checkbox>
      </div>
      <table
        ref={table}
        role="grid"
        aria-label="Permissions"
        className={styles['matrix']}
        onKeyDown={(event) => moveFocus(event, table.current)}
      >
        <MatrixHead />
        <tbody>
          {found.slice(0, MOST).map((line, index) => {
            const isOpen = open?.collection === line.collection
            return (
              <Fragment key={line.collection}>
                <tr data-open={isOpen || undefined}>
                  <th scope="row" role="rowheader">
                    <button
                      type="button"
                      className={styles['name']}
                      data-cell={`${index},0`}
                      tabIndex={index === 0 ? 0 : -1}
                      aria-expanded={isOpen}
                      title={line.collection}
                      onClick={() =>
                        setOpen(isOpen ? null : { collection: line.collection, action: firstAction(draft, line) })
                      }
                    >
                      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
                      <span dir="auto">{line.label}</span>
                      {line.isKnown ? null : <small>not in the database</small>}
                    </button>
                  </th>
                  {columns.map((action, column) => {
                    const place = { collection: line.collection, action }
                    return (
                      <td key={action} role="gridcell" data-label={actionWords[action]}>
                        <MatrixCell
                          label={`${actionWords[action]} ${line.label}`}
                          cell={cellOf(draft, place)}
                          saved={cellOf(saved, place)}
                          fieldCount={counts.get(line.collection)}
                          whyNot={whyNot}
                          position={`${index},${column + 1}`}
                          onLevel={(level) => setLevel(place, level)}
                          onCopy={() => setCopied(place)}
                        />
                      </td>
                    )
                  })}
                </tr>
                {isOpen ? (
                  <tr className={styles['detail']}>
                    <td colSpan={5} role="gridcell">
                      <RuleEditor
                        {...props}
                        place={open}
                        label={line.label}
                        onPlace={setOpen}
                        onClose={() => {
                          setOpen(null)
                          table.current?.querySelector<HTMLElement>(`[data-cell="${index},0"]`)?.focus()
                        }}
                      />
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            )
          })}
        </tbody>
      </table>
      {found.length > MOST ? (
        <p className={styles['more']}>
          {MOST} of {found.length.toLocaleString('en')} collections. Filter to find the others.
        </p>
      ) : null}
      {found.length === 0 ? (
        <Empty icon="table-2" title={isWithAccess && text === '' ? 'No access yet' : 'No collection matches'}>
          {isWithAccess ? 'Show all collections to give access to one.' : 'Try another name.'}
        </Empty>
      ) : null}
      {copied === null ? null : (
        <CopyDialog
          from={copied}
          label={`${actionWords[copied.action]} ${lines.find((each) => each.collection === copied.collection)?.label ?? copied.collection}`}
          lines={lines.filter(({ isSystem }) => hasSystem || !isSystem)}
          onClose={() => setCopied(null)}
          onCopy={(places) => onChange(withCopies(draft, saved, copied, places))}
        />
      )}
    </>
  )
}

const firstAction = (draft: readonly Permission[], { collection }: Line): Action =>
  columns
    .toSorted((a, b) => Number(b === 'read') - Number(a === 'read'))
    .find((action) => cellOf(draft, { collection, action }).length > 0) ?? 'read'

/** All collections, and those that permissions name although they are gone. */
function useLines(saved: readonly Permission[], draft: readonly Permission[]): readonly Line[] {
  const { collections } = useStart()
  return useMemo(() => {
    const known = collections
      .filter(({ kind }) => kind !== 'folder')
      .map((each) => ({
        collection: each.collection,
        label: each.system === true ? collectionWords(each.collection) : collectionLabel(each),
        isKnown: true,
        isSystem: each.system === true,
      }))
      .toSorted((a, b) => Number(a.isSystem) - Number(b.isSystem) || a.label.localeCompare(b.label))
    const names = new Set(known.map(({ collection }) => collection))
    const others = [...new Set([...saved, ...draft].map(({ collection }) => collection))].filter(
      (each) => !names.has(each),
    )
    return [
      ...known,
      ...others.map((collection) => ({ collection, label: collection, isKnown: false, isSystem: false })),
    ]
  }, [collections, saved, draft])
}

/** How many fields the collections have of which only some are granted. */
function useFieldCounts(draft: readonly Permission[]): ReadonlyMap<string, number> {
  const { collections } = useStart()
  const names = [
    ...new Set(draft.filter((each) => fieldsOf([each]) !== null).map(({ collection }) => collection)),
  ].filter((name) => collections.some((each) => each.collection === name))
  const results = useQueries({ queries: names.map((name) => fieldsQuery(name)) })
  return new Map(
    names.flatMap((name, index) => {
      const count = results[index]?.data?.length
      return count === undefined ? [] : [[name, count] as const]
    }),
  )
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Arrow keys go from cell to cell; Tab leaves the table, or enters the opened row. */
function moveFocus(event: KeyboardEvent, table: HTMLTableElement | null): void {
  const at = (event.target as HTMLElement).dataset['cell']
  const step = steps[event.key]
  if (at === undefined || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  const [row = 0, column = 0] = at.split(',').map(Number)
  const next = table?.querySelector<HTMLElement>(`[data-cell="${row + step[0]},${column + step[1]}"]`)
  if (next === null || next === undefined) return
  event.preventDefault()
  for (const each of table?.querySelectorAll<HTMLElement>('[data-cell][tabindex="0"]') ?? []) each.tabIndex = -1
  next.tabIndex = 0
  next.focus()
}
