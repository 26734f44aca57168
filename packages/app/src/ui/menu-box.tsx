import type { RefObject } from 'react'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Icon } from './icon.tsx'
import { Kbd } from './kbd.tsx'
import type { MenuEntry } from './menu.tsx'
import type { Placement } from './popover.tsx'
import box from './popover.module.css'
import styles from './menu.module.css'

interface MenuBoxProps {
  readonly control: RefObject<HTMLElement | null>
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly placement: Placement
  readonly onOpenChange: (isOpen: boolean) => void
}

export const MenuBox = ({ control, label, entries, placement, onOpenChange }: MenuBoxProps) => (
  <Popover
    aria-label={label}
    isOpen
    onOpenChange={onOpenChange}
    triggerRef={control}
    placement={placement}
    offset={6}
    className={box['box'] ?? ''}
  >
    <Menu
      aria-label={label}
      className={styles['menu'] ?? ''}
      autoFocus="first"
      onClose={() => onOpenChange(false)}
      disabledKeys={entries.filter(({ whyNot }) => typeof whyNot === 'string').map(({ id }) => id)}
      onAction={(id) => entries.find((entry) => entry.id === id)?.run()}
    >
      {entries.map(({ id, label: text, icon, keys, hint, isDanger, isChosen, whyNot }) => (
        <MenuItem
          key={id}
          id={id}
          textValue={text}
          className={styles['entry'] ?? ''}
          data-danger={isDanger === true || undefined}
        >
          {icon === undefined ? null : <Icon name={icon} size={15} />}
          <span className={styles['words']}>
            {text}
            {typeof whyNot === 'string' || hint !== undefined ? <small>{whyNot ?? hint}</small> : null}
          </span>
          {isChosen === true ? <Icon name="check" size={15} /> : null}
          {keys === undefined ? null : <Kbd keys={keys} />}
        </MenuItem>
      ))}
    </Menu>
  </Popover>
)
