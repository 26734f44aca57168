import { Button } from '../ui/button.tsx'
import type { InterfaceProps } from './interface.ts'
import styles from './interfaces.module.css'

const sizes = new Intl.NumberFormat('en', { style: 'unit', unit: 'byte', unitDisplay: 'narrow' })

/** Bytes arrive as Base64: their size is shown, and they can be downloaded. */
export function BytesInput({ field, label, value, control }: InterfaceProps) {
  const bytes = typeof value === 'string' ? value : null
  const count = bytes === null ? 0 : Math.floor((bytes.replaceAll('=', '').length * 3) / 4)
  return (
    <div id={control.id} className={styles['bytes']} role="group" aria-label={label}>
      <span>{bytes === null ? <code>NULL</code> : sizes.format(count)}</span>
      {bytes === null ? null : (
        <Button kind="quiet" icon="download" onClick={() => download(bytes, field.field)}>
          Download
        </Button>
      )}
      <span className={styles['faint']}>Bytes are changed through the API.</span>
    </div>
  )
}

function download(base64: string, name: string): void {
  const url = URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (sign) => sign.codePointAt(0) ?? 0)]))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.bin`
  link.click()
  URL.revokeObjectURL(url)
}
