import { useCallback, useId, useMemo, useRef, useState, useSyncExternalStore, type CSSProperties } from 'react'
import { Active } from './active.tsx'
import { drawnColumns, edgesOf } from './drawn-columns.ts'
import { Face } from './face.tsx'
import type { GridProps } from './grid-props.ts'
import { Header } from './header.tsx'
import { PastePreview } from './paste-dialog.tsx'
import { HEADER, isOneCell, rectangleOf } from './rectangle.ts'
import { GridRow } from './row.tsx'
import { isChecked, withChecked } from './selection.ts'
import { useActions } from './use-actions.ts'
import { useClipboard } from './use-clipboard.ts'
import { useDrawing } from './use-drawing.ts'
import { usePointer } from './use-pointer.ts'
import { HEAD, useSheet } from './use-sheet.ts'
import { useWrites } from './use-writes.ts'
import styles from './grid.module.css'

export type { GridProps }

/** The rows of a view as a sheet. */
export function Grid(props: GridProps) {
  const { source, columns, rowHeight, sort, selection, onSelect, label } = props
  const id = useId()
  const snapshot = useSyncExternalStore(source.subscribe, source.snapshot)
  const { writes, version } = useWrites(source)
  const sheet = useSheet(source, snapshot, rowHeight)
  const drawing = useDrawing(sheet.element)
  const table = useRef<HTMLDivElement>(null)
  const edges = useMemo(() => edgesOf(columns, sheet.gutter), [columns, sheet.gutter])
  const drawn = useMemo(
    () => drawnColumns(columns, edges, sheet.left, sheet.width),
    [columns, edges, sheet.left, sheet.width],
  )
  const actions = useActions({ ...props, snapshot, writes, sheet, edges, table })
  const clipboard = useClipboard({
    source,
    columns,
    selection,
    actions,
    writes,
    isEditable: props.isEditable,
    snapshot,
  })
  const pointer = usePointer({ source, selection, onSelect, sheet, actions, onFill: clipboard.fill })
  const [filling, setFilling] = useState<number | null>(null)
  const { range, doing } = actions
  const { active } = range
  const hasKey = source.query.collection.key.length > 0
  const { first, last, offset } = sheet
  const width = edges.at(-1) ?? 0

  const rows = useMemo(() => {
    const made = []
    for (let index = first; index < last; index++) {
      const key = source.key(index)
      made.push(
        <GridRow
          key={index}
          id={id}
          row={source.row(index)}
          index={index}
          top={index * rowHeight - offset}
          height={rowHeight}
          columns={drawn.columns}
          firstColumn={drawn.first}
          lead={drawn.lead}
          drawing={drawing}
          isChecked={isChecked(selection, key)}
          isPlaceEstimated={snapshot.isPlaceEstimated}
          hasKey={hasKey}
          states={writes.states(key)}
          isMoved={writes.isMoved(key)}
        />,
      )
    }
    return made
    // `version` stands for what the writes know, `snapshot` for the rows
  }, [source, snapshot, version, writes, first, last, offset, rowHeight, drawn, drawing, selection, hasKey, id])

  const column = columns[active.column]
  const rectangle = rectangleOf(range)
  const isInSheet = active.row !== HEADER && active.row < snapshot.total
  const topOf = (row: number): number => HEAD + row * rowHeight - offset
  // a rectangle may be taller than any browser draws: only what is near the view is drawn
  const shownTop = Math.max(rectangle.top, first - 1)
  const shownBottom = Math.min(filling === null ? rectangle.bottom : Math.max(filling, rectangle.bottom), last + 1)
  const box = {
    insetInlineStart: edges[rectangle.left],
    width: (edges[rectangle.right + 1] ?? 0) - (edges[rectangle.left] ?? 0),
    top: topOf(shownTop),
    height: Math.max(0, shownBottom - shownTop + 1) * rowHeight,
  }
  const left = edges[active.column] ?? 0
  // asked only while something is checked: it goes through thousands of keys
  const isAllChecked =
    selection.isAll || (selection.keys.size > 0 && source.loadedKeys().every((key) => selection.keys.has(key)))
  const onCheckAll = useCallback(
    (isOn: boolean) => {
      const loaded = source.loadedKeys()
      onSelect(withChecked(selection, loaded, isOn, loaded))
    },
    [source, selection, onSelect],
  )
  return (
    <div className={styles['frame']}>
      <div ref={sheet.element} className={styles['scroller']} onContextMenu={pointer.onContextMenu}>
        <div
          ref={table}
          role="grid"
          aria-label={label}
          aria-rowcount={snapshot.isExact ? snapshot.total + 1 : -1}
          aria-colcount={columns.length + 1}
          aria-multiselectable="true"
          aria-readonly={!props.isEditable}
          aria-activedescendant={column === undefined ? undefined : `${id}-${active.row}-${active.column}`}
          tabIndex={0}
          className={styles['sheet']}
          style={{ width, '--gutter': `${sheet.gutter}px` } as CSSProperties}
          onKeyDown={actions.onKeyDown}
          onPointerDown={pointer.onPointerDown}
          onDoubleClick={pointer.onDoubleClick}
          onClick={pointer.onClick}
          onCopy={clipboard.onCopy}
          onPaste={clipboard.onPaste}
        >
          <Header
            id={id}
            columns={drawn.columns}
            firstColumn={drawn.first}
            lead={drawn.lead}
            width={width}
            sort={sort}
            measure={drawing.measure}
            activeColumn={active.row === HEADER ? active.column : null}
            isAllChecked={isAllChecked}
            hasKey={hasKey}
            onSort={props.onSort}
            onResize={props.onResize}
            onCheckAll={onCheckAll}
          />
          <div role="rowgroup" className={styles['body']} style={{ height: sheet.height, width }}>
            {rows}
          </div>
        </div>
        {isInSheet && column !== undefined ? (
          <>
            {isOneCell(range) && filling === null ? null : (
              <div className={styles['range']} data-filling={filling !== null || undefined} style={box} />
            )}
            <Active
              place={{
                left,
                top: topOf(active.row),
                width: column.width,
                height: rowHeight,
                isLow: active.row > last - 12 && active.row > first + 8,
                isFarRight: left - sheet.left > sheet.width - 340,
              }}
              column={column}
              row={source.row(active.row)}
              rowKey={source.key(active.row)}
              collection={source.query.collection}
              doing={doing}
              trouble={writes.trouble(source.key(active.row), column.path)}
              language={drawing.language}
              entries={actions.entries(clipboard.copy)}
              onCommit={actions.commit}
              onDone={actions.done}
              onOverwrite={actions.overwrite}
              onTakeTheirs={actions.takeTheirs}
            />
            {props.isEditable && hasKey && doing.kind === 'nothing' ? (
              <i
                className={styles['handle']}
                aria-hidden="true"
                title="Drag to fill"
                style={{ top: topOf(rectangle.bottom + 1), insetInlineStart: edges[rectangle.right + 1] }}
                onPointerDown={(event) => pointer.beginFill(event, setFilling)}
              />
            ) : null}
          </>
        ) : null}
      </div>
      <Face snapshot={snapshot} source={source} />
      <PastePreview plan={clipboard.plan} source={source} onClose={clipboard.closePreview} />
    </div>
  )
}
