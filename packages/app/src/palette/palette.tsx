import { useMemo, useState, type KeyboardEvent } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { commandsAt, type Place } from '../app/commands.ts'
import { recentPaths } from '../app/recent.ts'
import { useIsAdministrator, useStart } from '../app/use-start.ts'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { groupsFor, type Entry, type EntryGroup } from './entries.ts'
import { shown } from './key-sheet.tsx'
import { offerOf } from './offer.ts'
import { useItemByKey } from './use-item-by-key.ts'
import { useUsers } from './use-users.ts'
import styles from './palette.module.css'

interface PaletteProps {
  readonly place: Place
  /** Only users are offered, to view as one of them. */
  readonly isAskingForUser: boolean
  readonly onClose: () => void
}

const LIST = 'palette-list'
const optionId = (index: number): string => `palette-option-${index}`

/** One line to reach everything: type, move with the arrows, choose with Enter. */
export const Palette = ({ onClose, ...rest }: PaletteProps) => (
  <ModalOverlay
    isOpen
    isDismissable
    onOpenChange={(isOpen) => {
      if (!isOpen) onClose()
    }}
    className={styles['scrim'] ?? ''}
  >
    <Modal className={styles['box'] ?? ''}>
      <Dialog aria-label="Search or jump to" className={styles['dialog'] ?? ''}>
        <Search key={rest.isAskingForUser ? 'users' : 'all'} {...rest} onClose={onClose} />
      </Dialog>
    </Modal>
  </ModalOverlay>
)

function Search({ place, isAskingForUser, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { groups, message } = useGroups(typed, place, isAskingForUser)
  const entries = groups.flatMap((group) => group.entries)
  const active = Math.min(at, Math.max(0, entries.length - 1))
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 8, PageUp: active - 8 }[event.key]
    if (next !== undefined && entries.length > 0) {
      event.preventDefault()
      const isStep = event.key.startsWith('Arrow')
      move(isStep ? (next + entries.length) % entries.length : Math.max(0, Math.min(entries.length - 1, next)))
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      choose(entries[active])
    }
  }
  const move = (index: number) => {
    setAt(index)
    document.querySelector(`#${optionId(index)}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <div className={styles['line']}>
        <Icon name={isAskingForUser ? 'eye' : 'search'} size={18} />
        <input
          className={styles['input']}
          role="combobox"
          aria-label={isAskingForUser ? 'View as' : 'Search or jump to'}
          aria-expanded={entries.length > 0}
          aria-controls={LIST}
          aria-autocomplete="list"
          aria-activedescendant={entries.length === 0 ? undefined : optionId(active)}
          placeholder={isAskingForUser ? 'Whose rights do you want to look with?' : 'Search or jump to…'}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        <Kbd keys="esc" />
      </div>
      <List groups={groups} active={active} onMove={setAt} onChoose={choose} />
      <p className={styles['none']} role="status">
        {message ?? (entries.length === 0 ? 'Nothing matches.' : '')}
      </p>
      <footer className={styles['foot']}>
        <Hint keys="↑ ↓" text="move" />
        <Hint keys="↵" text="open" />
        {isAskingForUser ? null : (
          <>
            <Hint keys=">" text="actions only" />
            <Hint keys="#" text="item by key" />
          </>
        )}
      </footer>
    </>
  )
}

interface Found {
  readonly groups: readonly EntryGroup[]
  /** Why there is nothing, or not yet. */
  readonly message: string | null
}

function useGroups(typed: string, place: Place, isAskingForUser: boolean): Found {
  const { collections, me } = useStart()
  const isAdministrator = useIsAdministrator()
  const user = (me as { id?: unknown } | null)?.id
  // Prepared once: the page below does not change while the palette is open.
  const [offer] = useState(() =>
    offerOf({
      collections,
      commands: commandsAt(place, isAdministrator),
      recentPaths: typeof user === 'string' ? recentPaths(user) : [],
      place,
    }),
  )
  const isByKey = typed.startsWith('#') && !isAskingForUser
  const byKey = useItemByKey(place, isByKey ? typed.slice(1).trim() : null)
  const users = useUsers(isAskingForUser ? typed.trim() : null, place)
  const groups = useMemo(
    () => (isByKey || isAskingForUser ? [] : groupsFor(typed, offer)),
    [isByKey, isAskingForUser, typed, offer],
  )
  if (isAskingForUser) return users
  return isByKey ? byKey : { groups, message: null }
}

interface ListProps {
  readonly groups: readonly EntryGroup[]
  readonly active: number
  readonly onMove: (index: number) => void
  readonly onChoose: (entry: Entry) => void
}

function List({ groups, active, onMove, onChoose }: ListProps) {
  let index = -1
  return (
    <div id={LIST} role="listbox" aria-label="Results" className={styles['scroll']}>
      {groups.map(({ title, entries }, group) => (
        <div key={title} role="group" aria-labelledby={`palette-group-${group}`}>
          <div id={`palette-group-${group}`} className={styles['title']} role="presentation">
            {title}
          </div>
          {entries.map((entry) => {
            index += 1
            const here = index
            return (
              <div
                key={entry.id}
                id={optionId(here)}
                role="option"
                aria-selected={here === active}
                className={styles['entry']}
                onPointerMove={() => {
                  if (here !== active) onMove(here)
                }}
                onClick={() => onChoose(entry)}
              >
                <Icon name={entry.icon} />
                <span className={styles['label']} dir="auto">
                  {entry.label}
                </span>
                {entry.hint === undefined ? null : <code className={styles['hint']}>{entry.hint}</code>}
                <span className={styles['grow']} />
                {entry.keys === undefined ? null : <Kbd keys={shown(entry.keys)} />}
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}

const Hint = ({ keys, text }: { readonly keys: string; readonly text: string }) => (
  <span className={styles['key']}>
    <Kbd keys={keys} />
    {text}
  </span>
)
