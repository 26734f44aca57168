import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icon-names.ts'
import { Input } from '../ui/input.tsx'
import styles from './combobox.module.css'

export interface ComboboxOption {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly icon?: IconName
  /** It can be opened instead of chosen: the text to go on with. */
  readonly opens?: string
}

interface ComboboxProps {
  readonly label: string
  readonly placeholder?: string
  /** What is shown while nothing is typed: the chosen value. */
  readonly shown: string
  readonly options: readonly ComboboxOption[]
  readonly onType: (text: string) => void
  readonly onChoose: (option: ComboboxOption) => void
  /** Enter without an option under the cursor. */
  readonly onEnter?: () => void
  readonly input: RefObject<HTMLInputElement | null>
  readonly note?: string | null
}

/** A text field that offers what matches. The list floats over whatever is around. */
export function Combobox(props: ComboboxProps) {
  const { label, placeholder, shown, options, onType, onChoose, onEnter, input, note } = props
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const place = usePlace(input, isOpen)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at, isOpen])
  const type = (text: string) => {
    setTyped(text)
    setAt(0)
    setOpen(true)
    onType(text)
  }
  const close = () => {
    setOpen(false)
    setTyped(null)
    onType('')
  }
  const choose = (option: ComboboxOption) => {
    onChoose(option)
    close()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const option = isOpen ? options[at] : undefined
    const isAtEnd = event.currentTarget.selectionStart === event.currentTarget.value.length
    const handlers: Readonly<Record<string, () => boolean>> = {
      ArrowDown: () => (isOpen ? setAt(Math.min(at + 1, options.length - 1)) : setOpen(true), true),
      ArrowUp: () => (setAt(Math.max(at - 1, 0)), true),
      ArrowRight: () => {
        if (option?.opens === undefined || !isAtEnd) return false
        type(option.opens)
        return true
      },
      Enter: () => {
        if (option !== undefined) choose(option)
        else onEnter?.()
        return true
      },
      Escape: () => {
        if (!isOpen) return false
        close()
        return true
      },
    }
    if (handlers[event.key]?.() !== true) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span className={styles['combobox']}>
      <Input
        ref={input}
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options[at] !== undefined ? `${id}-${at}` : undefined}
        placeholder={placeholder}
        value={typed ?? shown}
        onChange={(event) => type(event.target.value)}
        onFocus={(event) => event.target.select()}
        onClick={() => setOpen(true)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {isOpen && place !== null ? (
        <div className={styles['list']} style={place}>
          <ul ref={list} id={`${id}-list`} role="listbox" aria-label={label}>
            {options.map((option, index) => (
              <li
                key={option.id}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === at}
                onPointerMove={() => setAt(index)}
                onMouseDown={(event) => {
                  event.preventDefault()
                  const isArrow = event.target instanceof Element && event.target.closest('[data-opens]') !== null
                  if (isArrow && option.opens !== undefined) type(option.opens)
                  else choose(option)
                }}
              >
                {option.icon === undefined ? null : <Icon name={option.icon} size={14} />}
                <span dir="auto">{option.label}</span>
                {option.hint === undefined ? null : <small>{option.hint}</small>}
                {option.opens === undefined ? null : (
                  <span data-opens title="Fields of the related row (→)">
                    <Icon name="chevron-right" size={14} />
                  </span>
                )}
              </li>
            ))}
          </ul>
          {options.length === 0 ? <p>{note ?? 'Nothing matches.'}</p> : null}
        </div>
      ) : null}
    </span>
  )
}

interface Place {
  readonly top: number
  readonly left: number
  readonly minWidth: number
  readonly maxHeight: number
}

/** Where the list floats: below its field, or above it when there is more room. */
function usePlace(input: RefObject<HTMLInputElement | null>, isOpen: boolean): Place | null {
  const [place, setPlace] = useState<Place | null>(null)
  useLayoutEffect(() => {
    if (!isOpen) return
    const look = () => {
      const box = input.current?.parentElement?.getBoundingClientRect()
      if (box === undefined) return
      const below = innerHeight - box.bottom - 12
      const maxHeight = Math.min(300, Math.max(below, 160))
      const top = below >= 160 ? box.bottom + 4 : Math.max(8, box.top - maxHeight - 4)
      setPlace({
        top,
        left: Math.min(box.left, innerWidth - Math.max(box.width, 240) - 8),
        minWidth: box.width,
        maxHeight,
      })
    }
    look()
    addEventListener('scroll', look, true)
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look, true)
      removeEventListener('resize', look)
    }
  }, [isOpen, input])
  return place
}
