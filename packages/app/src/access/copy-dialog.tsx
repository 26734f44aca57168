import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox } from '../ui/input.tsx'
import type { Place } from './draft.ts'
import { MatrixHead } from './matrix-head.tsx'
import { actionWords, columns } from './permission.ts'
import styles from './copy-dialog.module.css'

interface CopyDialogProps {
  readonly from: Place
  readonly label: string
  readonly lines: readonly { readonly collection: string; readonly label: string }[]
  readonly onClose: () => void
  readonly onCopy: (places: readonly Place[]) => void
}

const idOf = ({ collection, action }: Place): string => `${collection}\n${action}`

/** Chooses the cells that get the same permission as one. */
export function CopyDialog({ from, label, lines, onClose, onCopy }: CopyDialogProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Place>>(new Map())
  const toggle = (place: Place) =>
    setChosen((now) => {
      const next = new Map(now)
      if (!next.delete(idOf(place))) next.set(idOf(place), place)
      return next
    })
  return (
    <Dialog
      isOpen
      kind="wide"
      title={`Copy “${label}” to`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="solid"
            disabled={chosen.size === 0}
            onClick={() => {
              onCopy([...chosen.values()])
              onClose()
            }}
          >
            {chosen.size === 1 ? 'Copy to 1 cell' : `Copy to ${chosen.size} cells`}
          </Button>
        </>
      }
    >
      <p className={styles['note']}>
        Rows, fields and presets are copied, and replace what is there. Fields that another collection does not have
        grant nothing in it.
      </p>
      <table className={styles['table']}>
        <MatrixHead />
        <tbody>
          {lines.slice(0, 200).map((line) => (
            <tr key={line.collection}>
              <th scope="row">{line.label}</th>
              {columns.map((action) => {
                const place = { collection: line.collection, action }
                return (
                  <td key={action}>
                    <Checkbox
                      aria-label={`${actionWords[action]} ${line.label}`}
                      disabled={idOf(place) === idOf(from)}
                      checked={chosen.has(idOf(place))}
                      onChange={() => toggle(place)}
                    />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
