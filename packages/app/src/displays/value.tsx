import type { ReactNode } from 'react'
import type { Field } from '../model/field.ts'
import { kindOf, type Kind } from '../model/kind.ts'
import { Chip } from '../ui/chip.tsx'
import { displays, rawText } from './display.ts'
import styles from './value.module.css'

interface ValueProps {
  readonly value: unknown
  readonly field: Field
  /** The language of numbers and dates; by default that of the page. */
  readonly language?: string
}

/** A value as people read it. */
export const Value = ({ value, field, language = document.documentElement.lang || 'en' }: ValueProps) =>
  valueNode(value, field, kindOf(field), language)

/** The drawing of a value without a component around it, for places that draw very many. */
export function valueNode(
  value: unknown,
  field: Field,
  kind: Kind,
  language: string,
  fit: (text: string) => string = (text) => text,
): ReactNode {
  if (value === null || value === undefined) return absent('NULL')
  if (value === '') return absent('""')
  const { text, node } = displays[kind]
  const words = fit(text(value, field, language))
  switch (node) {
    case 'chip':
      return <Chip value={rawText(value)} text={words} />
    case 'mark':
      return mark(value === true)
    case 'code':
      return <code className={styles['code']}>{words}</code>
    case 'secret':
    case undefined:
      return words
  }
}

const absent = (words: string): ReactNode => <span className={styles['absent']}>{words}</span>

const mark = (isTrue: boolean): ReactNode => (
  <span className={styles[isTrue ? 'yes' : 'no']} role="img" aria-label={isTrue ? 'yes' : 'no'}>
    {isTrue ? '✓' : '–'}
  </span>
)
