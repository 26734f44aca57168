import { commandLabel, type Command, type Place } from '../app/commands.ts'
import { fixedShortcuts, type Shortcut } from '../app/shortcuts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import styles from './key-sheet.module.css'

interface KeySheetProps {
  readonly place: Place
  readonly commands: readonly Command[]
  readonly onClose: () => void
}

/** All keys: those of the commands that can be used here, and those of parts of the app. */
export function KeySheet({ place, commands, onClose }: KeySheetProps) {
  const own = commands.flatMap((command): readonly Shortcut[] =>
    command.keys === undefined ? [] : [{ keys: shown(command.keys), what: commandLabel(command, place) }],
  )
  return (
    <Dialog isOpen kind="wide" title="Keys" onClose={onClose}>
      <p className={styles['note']}>Single keys work when no text is being typed.</p>
      <div className={styles['columns']}>
        <Section title="On this page" rows={own} />
        {fixedShortcuts.map((section) => (
          <Section key={section.title} {...section} />
        ))}
      </div>
    </Dialog>
  )
}

export const shown = (keys: string): string => (keys.length === 1 ? keys.toUpperCase() : keys)

const Section = ({ title, rows }: { readonly title: string; readonly rows: readonly Shortcut[] }) => (
  <section className={styles['section']} aria-label={title}>
    <h3>{title}</h3>
    <dl>
      {rows.map(({ keys, what }) => (
        <div key={`${keys} ${what}`} className={styles['row']}>
          <dt>{what}</dt>
          <dd>
            <Kbd keys={keys} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
)
