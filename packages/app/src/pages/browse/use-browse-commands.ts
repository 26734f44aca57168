import { useEffect, useMemo, useRef } from 'react'
import { useCommands, type Command } from '../../app/commands.ts'
import type { IconName } from '../../ui/icon-names.ts'

/** Controls of the page that are also called from the palette, by the name in their `data-command`. */
const controls: readonly {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly keys?: string
  readonly also?: string
}[] = [
  { id: 'filter', label: 'Add a filter', icon: 'filter', keys: 'f', also: 'where condition' },
  { id: 'sort', label: 'Sort the rows', icon: 'arrow-up-down', also: 'order' },
  { id: 'group', label: 'Group the rows', icon: 'group', also: 'group by' },
  { id: 'fields', label: 'Choose fields', icon: 'columns-3', also: 'columns hide show' },
  { id: 'export', label: 'Export this view', icon: 'download', also: 'csv json download' },
  { id: 'request', label: 'Show the API request', icon: 'code', also: 'curl rest twin' },
  { id: 'save-view', label: 'Save as a new view', icon: 'bookmark-plus', also: 'bookmark preset' },
]

/** The control is focused first: what it opens gives the focus back to it. */
function press(id: string): void {
  const control = document.querySelector<HTMLElement>(`#work [data-command="${id}"]`)
  control?.focus()
  control?.click()
}

/** The keys and commands of a list. */
export function useBrowseCommands(refresh: () => void): void {
  const latest = useRef(refresh)
  useEffect(() => {
    latest.current = refresh
  })
  useCommands(
    useMemo(
      (): readonly Command[] => [
        {
          id: 'reload',
          label: 'Refresh the rows',
          group: 'This page',
          icon: 'refresh-cw',
          keys: 'r',
          audience: 'signed in',
          also: 'reload',
          run: () => latest.current(),
        },
        ...controls.map(({ id, ...rest }): Command => ({
          id,
          group: 'This page',
          audience: 'signed in',
          run: () => press(id),
          ...rest,
        })),
      ],
      [],
    ),
  )
}
