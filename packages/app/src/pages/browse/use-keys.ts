import { useEffect, useRef } from 'react'

type Handlers = Readonly<Record<string, () => void>>

/** Single keys of a page. They do nothing while something is typed, an overlay is open, or another key is held. */
export function useKeys(handlers: Handlers): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isBusy(event.target)) return
      const handler = latest.current[event.key]
      if (handler === undefined) return
      event.preventDefault()
      handler()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector('[role=dialog], [role=menu]') !== null ||
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=grid]') !== null)
