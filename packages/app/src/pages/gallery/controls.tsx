import { useState } from 'react'
import { Button, IconButton, type ButtonKind } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { iconNames } from '../../ui/icon-names.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ARABIC, LONG, Sample } from './sample.tsx'
import styles from './gallery.module.css'

/** The table names every kind, so that none is forgotten. */
const kinds: Readonly<Record<ButtonKind, string>> = {
  solid: 'Save',
  plain: 'Cancel',
  quiet: 'Filter',
  danger: 'Delete',
  link: 'Undo',
}

export function Controls() {
  const [tab, setTab] = useState('all')
  return (
    <div className={styles['samples']}>
      {(Object.keys(kinds) as ButtonKind[]).map((kind) => (
        <Sample key={kind} title={`Button, ${kind}: normal, with icon, count, busy, disabled`}>
          <Button kind={kind}>{kinds[kind]}</Button>
          <Button kind={kind} icon="check">
            {`${kinds[kind]} all`}
          </Button>
          <Button kind={kind} count={3}>
            {`${kinds[kind]} some`}
          </Button>
          <Button kind={kind} isBusy>
            {`${kinds[kind]}…`}
          </Button>
          <Button kind={kind} disabled title="Nothing has changed yet">
            {`${kinds[kind]} none`}
          </Button>
        </Sample>
      ))}
      <Sample title="Button, wide">
        <Button kind="solid" isWide>
          Sign in
        </Button>
        <Button isWide>Cancel</Button>
      </Sample>
      <Sample title="Icon button: normal, pressed, open, disabled">
        <IconButton icon="search" label="Search" keys="/" />
        <IconButton icon="star" label="Favourite" aria-pressed />
        <IconButton icon="ellipsis" label="More" aria-expanded />
        <IconButton icon="trash-2" label="Delete the row" disabled />
      </Sample>
      <Sample title="Long text">
        <Button>{LONG.slice(0, 60)}</Button>
      </Sample>
      <Sample title="Right to left">
        <span dir="rtl">
          <Button icon="filter">{ARABIC}</Button>
        </span>
      </Sample>
      <Sample title="Tabs" isWide>
        <Tabs
          label="Views"
          controls="gallery-views"
          chosen={tab}
          onChoose={setTab}
          tabs={[
            { id: 'all', label: 'All', icon: 'rows-3' },
            { id: 'open', label: 'Open this week', icon: 'bookmark', count: 12 },
            { id: 'unpaid', label: 'Unpaid', icon: 'bookmark' },
          ]}
        />
        <p id="gallery-views" role="tabpanel" aria-label="Chosen view">
          {tab}
        </p>
      </Sample>
      <Sample title="Keys">
        <Kbd keys="⌘ K" />
        <Kbd keys="esc" />
        <Kbd keys="↑ ↓" />
      </Sample>
      <Sample title="Mark">
        <Mark />
        <Mark size={34} />
      </Sample>
      <Sample title="Icons" isWide>
        {iconNames.map((name) => (
          <span key={name} className={styles['icon']}>
            <Icon name={name} size={18} />
            {name}
          </span>
        ))}
      </Sample>
    </div>
  )
}
