import { apiPath } from '../api/address.ts'
import { itemPath } from '../model/key.ts'
import { plainText } from '../model/plain-text.ts'
import { isAlias, type Field } from '../model/field.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import { toast } from '../ui/toasts.tsx'
import { isEdited, valueAt } from './draft.ts'
import { useForm } from './form-context.ts'
import { defaultOf } from './locks.ts'
import styles from './form.module.css'

interface FieldMenuProps {
  readonly field: Field
  readonly label: string
  readonly whyLocked: string | null
}

/** What can be done with a field besides typing into it. */
export function FieldMenu({ field, label, whyLocked }: FieldMenuProps) {
  const { store, collection, itemKey } = useForm()
  const name = field.field
  const copy = (text: string, what: string) =>
    void navigator.clipboard.writeText(text).then(
      () => toast(`${what} copied.`),
      () => toast('The browser did not allow copying.', { tone: 'danger' }),
    )
  const entries = (): readonly MenuEntry[] => {
    const draft = store.draft()
    const fallback = defaultOf(field)
    const isChanged = isEdited(draft, name)
    const path =
      itemKey === null
        ? apiPath(`/items/${encodeURIComponent(collection.collection)}?fields=${name}`)
        : apiPath(`${itemPath(collection, itemKey)}?fields=${name}`)
    const whyNoNull = field.schema?.is_nullable === false ? 'This column does not allow NULL.' : null
    return [
      ...(whyLocked === null
        ? []
        : [{ id: 'why', label: 'Read-only', icon: 'lock', whyNot: whyLocked, run: () => undefined } as const]),
      ...(isAlias(field)
        ? []
        : [
            {
              id: 'copy',
              label: 'Copy value',
              icon: 'copy',
              run: () => copy(plainText(valueAt(store.draft(), name)), 'Value'),
            } as const,
          ]),
      {
        id: 'undo',
        label: 'Undo change',
        icon: 'undo-2',
        whyNot: isChanged ? null : 'Nothing is changed here.',
        run: () => store.discard(name),
      },
      ...(isAlias(field) || whyLocked !== null
        ? []
        : [
            {
              id: 'default',
              label: 'Set to default',
              icon: 'rotate-ccw',
              ...(fallback === undefined ? {} : { hint: plainText(fallback) }),
              whyNot: fallback === undefined ? 'This column has no default that is known before saving.' : null,
              run: () => store.change(name, fallback),
            } as const,
            {
              id: 'null',
              label: 'Set to NULL',
              icon: 'ban',
              whyNot: whyNoNull,
              run: () => store.change(name, null),
            } as const,
          ]),
      { id: 'path', label: 'Copy API path', icon: 'code', hint: name, run: () => copy(path, 'Path') },
    ]
  }
  return (
    <Menu
      label={`Actions for ${label}`}
      placement="bottom end"
      entries={entries()}
      trigger={(props) => (
        <IconButton
          {...props}
          className={styles['more'] ?? ''}
          icon="ellipsis"
          size={14}
          label={`Actions for ${label}`}
        />
      )}
    />
  )
}
