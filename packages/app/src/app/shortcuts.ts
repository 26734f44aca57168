import { useEffect, useRef } from 'react'
import { commandsAt, type Place } from './commands.ts'

/** Text is typed there, or keys have a meaning of their own. */
const takesKeys =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=grid], [role=menu], [role=listbox], [role=tree]'

const isTaken = (target: EventTarget | null): boolean => target instanceof Element && target.closest(takesKeys) !== null

const hasOverlay = (): boolean => document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null

/** Single keys call their command wherever no text is typed and nothing lies over the page. */
export function useShortcuts(place: Place, isAdministrator: boolean): void {
  const latest = useRef({ place, isAdministrator })
  useEffect(() => {
    latest.current = { place, isAdministrator }
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (event.key.length !== 1 || isTaken(event.target) || hasOverlay()) return
      const { place: here, isAdministrator: mayRule } = latest.current
      const command = commandsAt(here, mayRule).find(({ keys }) => keys?.toLowerCase() === event.key.toLowerCase())
      if (command === undefined) return
      event.preventDefault()
      command.run(here)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

export interface Shortcut {
  readonly keys: string
  readonly what: string
}

/** Keys that belong to a part of the app and not to a command, for the sheet of all keys. */
export const fixedShortcuts: readonly { readonly title: string; readonly rows: readonly Shortcut[] }[] = [
  {
    title: 'Everywhere',
    rows: [
      { keys: '⌘K', what: 'Search or jump to anything' },
      { keys: 'esc', what: 'Close what is open' },
      { keys: 'tab', what: 'Next control' },
    ],
  },
  {
    title: 'Rows',
    rows: [
      { keys: '↑ ↓ ← →', what: 'Move between cells' },
      { keys: '↵', what: 'Change the cell; once more to go down' },
      { keys: 'esc', what: 'Put the old value back' },
      { keys: 'space', what: 'Look into the row' },
      { keys: 'ctrl ↵', what: 'Open the row' },
      { keys: 'del', what: 'Set to NULL' },
      { keys: 'ctrl C', what: 'Copy the selected cells' },
      { keys: 'ctrl V', what: 'Paste cells' },
      { keys: 'ctrl D', what: 'Fill down' },
      { keys: 'ctrl Z', what: 'Undo the last change' },
      { keys: 'shift space', what: 'Select the row' },
    ],
  },
  {
    title: 'An item',
    rows: [{ keys: 'ctrl S', what: 'Save' }],
  },
]
