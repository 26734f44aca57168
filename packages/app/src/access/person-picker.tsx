import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { nameOfUser } from '../app/use-start.ts'
import { Avatar } from '../ui/chip.tsx'
import { Icon } from '../ui/icon.tsx'
import { Input } from '../ui/input.tsx'
import { Popover } from '../ui/popover.tsx'
import { peopleQuery, type Person } from './queries.ts'
import styles from './person-picker.module.css'

/** A user, or the public: nobody who is signed in. */
export type Caller = Person | 'public'

export const callerName = (caller: Caller): string => (caller === 'public' ? 'the public' : nameOfUser(caller))
export const callerId = (caller: Caller): string | null => (caller === 'public' ? null : caller.id)

interface PersonPickerProps {
  readonly label: string
  readonly chosen: Caller | null
  readonly onChoose: (caller: Caller) => void
  readonly hasPublic?: boolean
  /** Shown while nobody is chosen. */
  readonly empty?: string
  readonly id?: string
}

/** Chooses a user by name or address. */
export function PersonPicker({
  label,
  chosen,
  onChoose,
  hasPublic = false,
  empty = 'Choose a user',
  id,
}: PersonPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const choose = (caller: Caller) => {
    onChoose(caller)
    setOpen(false)
  }
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      label={label}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          id={id}
          className={styles['trigger']}
          aria-label={`${label}: ${chosen === null ? empty : callerName(chosen)}`}
        >
          {chosen === null ? null : <CallerMark caller={chosen} />}
          <span>{chosen === null ? empty : callerName(chosen)}</span>
          <Icon name="chevrons-up-down" size={13} />
        </button>
      )}
    >
      <People hasPublic={hasPublic} onChoose={choose} />
    </Popover>
  )
}

const CallerMark = ({ caller }: { readonly caller: Caller }) =>
  caller === 'public' ? <Icon name="globe" size={15} /> : <Avatar name={nameOfUser(caller)} size={18} />

function People({ hasPublic, onChoose }: { readonly hasPublic: boolean; readonly onChoose: (caller: Caller) => void }) {
  const [typed, setTyped] = useState('')
  const { data = [], isPending } = useQuery(peopleQuery(useDeferredValue(typed).trim()))
  return (
    <div className={styles['box']}>
      <Input
        icon="search"
        aria-label="Search users"
        placeholder="Name or address"
        value={typed}
        autoFocus
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          const [first] = data
          if (event.key === 'Enter' && first !== undefined) onChoose(first)
        }}
      />
      <ul className={styles['list']}>
        {hasPublic && typed === '' ? (
          <li>
            <button type="button" className={styles['person']} onClick={() => onChoose('public')}>
              <Icon name="globe" size={18} />
              <span>
                The public<small>Anybody, without signing in</small>
              </span>
            </button>
          </li>
        ) : null}
        {data.map((person) => (
          <li key={person.id}>
            <button type="button" className={styles['person']} onClick={() => onChoose(person)}>
              <Avatar name={nameOfUser(person)} size={22} />
              <span>
                {nameOfUser(person)}
                <small>{[person.role?.name, person.email].filter((each) => each !== undefined).join(' · ')}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {data.length === 0 && !isPending ? <p className={styles['none']}>Nobody matches.</p> : null}
    </div>
  )
}
