import { useEffect, useRef, useState } from 'react'
import { Input } from '../../ui/input.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { IconButton } from '../../ui/button.tsx'
import styles from './browse.module.css'

/** Typing is searched after a pause. */
const PAUSE = 300

interface SearchBoxProps {
  readonly search: string
  /** `isContinued`: the same search, typed further. */
  readonly onSearch: (search: string, isContinued: boolean) => void
}

export function SearchBox({ search, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useState(search)
  const sent = useRef(search)
  useEffect(() => {
    if (search !== sent.current) setTyped(search)
    sent.current = search
  }, [search])
  useEffect(() => {
    const text = typed.trim()
    if (text === sent.current) return
    const timer = setTimeout(() => {
      const isContinued = sent.current !== '' && text !== ''
      sent.current = text
      onSearch(text, isContinued)
    }, PAUSE)
    return () => clearTimeout(timer)
  })
  return (
    <Input
      className={styles['search'] ?? ''}
      icon="search"
      aria-label="Search in this collection"
      placeholder="Search"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        if (typed === '') event.currentTarget.blur()
        setTyped('')
      }}
      end={
        typed === '' ? (
          <Kbd keys="/" />
        ) : (
          <IconButton icon="x" size={13} label="Clear the search" onClick={() => setTyped('')} />
        )
      }
    />
  )
}
