import { Notice, type Tone } from '../ui/feedback.tsx'
import { optionText, type InterfaceProps } from './interface.ts'
import styles from './interfaces.module.css'

export const Divider = ({ field, label }: InterfaceProps) => (
  <div className={styles['divider']}>
    <span>{optionText(field, 'title') ?? label}</span>
  </div>
)

const tones: Readonly<Record<string, Tone>> = { success: 'good', warning: 'warn', danger: 'danger', info: 'info' }

export const PresentationNotice = ({ field }: InterfaceProps) => {
  const text = optionText(field, 'text')
  return text === undefined ? null : <Notice tone={tones[optionText(field, 'color') ?? ''] ?? 'info'}>{text}</Notice>
}

export const NotHere = ({ label }: InterfaceProps) => (
  <p className={styles['faint']}>{label} holds rows of several collections. They are changed through the API.</p>
)
