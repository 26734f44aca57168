import { useEffect, useRef } from 'react'

interface Keys {
  readonly onSave: () => void
  readonly onNext: () => void
  readonly onPrevious: () => void
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** Ctrl or Cmd and S saves; J and K open the next and the previous row. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isBehindDialog = document.querySelector('[role=dialog], [role=menu]') !== null
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
        event.preventDefault()
        if (!isBehindDialog) latest.current.onSave()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isBehindDialog) return
      if (event.key === 'j') latest.current.onNext()
      if (event.key === 'k') latest.current.onPrevious()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
