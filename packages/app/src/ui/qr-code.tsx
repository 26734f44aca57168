import { qrMatrix } from './qr.ts'
import styles from './qr-code.module.css'

/** Light modules around the code, without which readers do not find it. */
const MARGIN = 4

/** A picture that phones read. Nothing is shown for a text that is too long for it. */
export function QrCode({
  text,
  label,
  size = 184,
}: {
  readonly text: string
  readonly label: string
  readonly size?: number
}) {
  const matrix = qrMatrix(text)
  if (matrix === null) return null
  const side = matrix.length + 2 * MARGIN
  const lines = matrix.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : [])),
  )
  return (
    <svg
      className={styles['code']}
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} className={styles['light']} />
      <path d={lines.join('')} className={styles['dark']} />
    </svg>
  )
}
