import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, type DialogProps } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Popover } from '../../ui/popover.tsx'
import { LONG, Sample } from './sample.tsx'
import styles from './gallery.module.css'

const kinds: Readonly<Record<NonNullable<DialogProps['kind']>, string>> = {
  dialog: 'Delete 3 rows',
  wide: 'Compare two versions',
  drawer: 'Change 400 rows',
}

const nothing = () => undefined

export function Overlays() {
  const [kind, setKind] = useState<keyof typeof kinds | null>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles['samples']}>
      <Sample title="Dialogs">
        {(Object.keys(kinds) as (keyof typeof kinds)[]).map((each) => (
          <Button key={each} onClick={() => setKind(each)}>
            {`Open: ${each}`}
          </Button>
        ))}
        <Dialog
          isOpen={kind !== null}
          kind={kind ?? 'dialog'}
          title={kinds[kind ?? 'dialog']}
          onClose={() => setKind(null)}
          actions={
            <>
              <Button onClick={() => setKind(null)}>Cancel</Button>
              <Button kind="solid" onClick={() => setKind(null)}>
                Go on
              </Button>
            </>
          }
        >
          <Field label="Reason" note={LONG}>
            {(control) => <Input {...control} defaultValue="Ordered twice" />}
          </Field>
        </Dialog>
      </Sample>
      <Sample title="Menu">
        <Menu
          label="Actions of the row"
          trigger={(props) => (
            <Button {...props} icon="ellipsis">
              Open the menu
            </Button>
          )}
          entries={[
            { id: 'open', label: 'Open', icon: 'external-link', keys: '↵', run: nothing },
            { id: 'copy', label: 'Copy', icon: 'copy', hint: 'As text, JSON or SQL', run: nothing },
            { id: 'pin', label: 'Pinned', icon: 'pin', isChosen: true, run: nothing },
            { id: 'move', label: 'Move', icon: 'arrow-right', whyNot: 'The view is sorted.', run: nothing },
            { id: 'delete', label: 'Delete', icon: 'trash-2', isDanger: true, run: nothing },
          ]}
        />
      </Sample>
      <Sample title="Popover">
        <Popover
          label="Filter"
          isOpen={isOpen}
          onOpenChange={setOpen}
          trigger={(props) => (
            <Button {...props} icon="filter">
              Open the popover
            </Button>
          )}
        >
          <div className={styles['sample']}>
            <Field label="City">{(control) => <Input {...control} defaultValue="Rotterdam" />}</Field>
          </div>
        </Popover>
      </Sample>
    </div>
  )
}
