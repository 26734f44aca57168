import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useLanguage } from '../../app/use-start.ts'
import { Value } from '../../displays/value.tsx'
import type { Column } from '../../grid/column.ts'
import type { RowSource } from '../../grid/source.ts'
import type { Row } from '../../model/key.ts'
import type { Kind } from '../../model/kind.ts'
import { fillTemplate } from '../../model/template.ts'
import { Avatar } from '../../ui/chip.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { valueAt } from '../../grid/value-at.ts'
import { plainValue } from './row-values.ts'
import { cardColumns } from './card-columns.ts'
import { useRowWindow } from './use-row-window.ts'
import styles from './cards.module.css'

const HEIGHT = 64

interface CardsProps {
  readonly source: RowSource
  readonly columns: readonly Column[]
  readonly onOpen: (row: Row) => void
  readonly label: string
}

/** The rows on a phone: what names a row, one line below it, and a figure or a state at the end. */
export function Cards({ source, columns, onOpen, label }: CardsProps) {
  const language = useLanguage()
  const { state, total } = useSyncExternalStore(source.subscribe, source.snapshot)
  const scroller = useRef<HTMLDivElement>(null)
  const { first, last } = useRowWindow(scroller, total, HEIGHT)
  useEffect(() => source.view(first, last, 0), [source, first, last])
  const places = cardColumns(columns, source.query.collection.display_template ?? '')
  if (state === 'loading') {
    return (
      <div ref={scroller} className={styles['scroller']}>
        <Skeleton lines={8} />
      </div>
    )
  }
  return (
    <div ref={scroller} className={styles['scroller']}>
      <ul className={styles['cards']} aria-label={label} style={{ height: Math.min(total, 120_000) * HEIGHT }}>
        {Array.from({ length: Math.max(0, Math.min(last, total) - first) }, (_, offset) => {
          const index = first + offset
          const row = source.row(index)
          return (
            <li key={index} style={{ top: index * HEIGHT }} aria-setsize={total} aria-posinset={index + 1}>
              {row === undefined ? (
                <span className={styles['waiting']} />
              ) : (
                <button type="button" onClick={() => onOpen(row)}>
                  <Card row={row} places={places} language={language} />
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface CardProps {
  readonly row: Row
  readonly places: ReturnType<typeof cardColumns>
  readonly language: string
}

const drawnKinds: ReadonlySet<Kind> = new Set(['choice', 'boolean', 'number', 'moment', 'date'])

function Card({ row, places: { template, title, below, end }, language }: CardProps) {
  const name = template !== null ? fillTemplate(template, row) : title === null ? '' : plainValue(row, title)
  return (
    <>
      {template === null && title?.kind === 'relation' && name !== '' ? <Avatar name={name} size={18} /> : null}
      <span className={styles['words']}>
        <strong dir="auto">{name === '' ? '–' : name}</strong>
        {below === null ? null : <small dir="auto">{cell(row, below, language)}</small>}
      </span>
      {end === null ? null : <span className={styles['end']}>{cell(row, end, language)}</span>}
    </>
  )
}

function cell(row: Row, column: Column, language: string) {
  if (!drawnKinds.has(column.kind)) return plainValue(row, column)
  return <Value value={valueAt(row, column.path)} field={column.field} language={language} />
}
