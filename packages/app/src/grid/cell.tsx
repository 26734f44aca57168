import type { ReactNode } from 'react'
import { valueNode } from '../displays/value.tsx'
import type { Row } from '../model/key.ts'
import { Avatar } from '../ui/chip.tsx'
import type { Column } from './column.ts'
import { fitText, type Measure } from './fit.ts'
import { relatedText, valueAt } from './value-at.ts'

/** How cells are drawn. One object for all of them, so that rows are drawn again only when it changes. */
export interface Drawing {
  readonly language: string
  readonly measure: Measure
}

const PADDING = 20
const CHIP = 44
const PICTURE = 25

/** Scripts that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u

/** What a cell shows. Text is cut here, not clipped: see `fit.ts`. */
export function cellNode(column: Column, row: Row, { language, measure }: Drawing): ReactNode {
  const value = valueAt(row, column.path)
  const room = column.width - PADDING
  if (column.related !== undefined && value !== null && value !== undefined) {
    const words = relatedText(value, column)
    return (
      <>
        <Avatar name={words} size={18} /> {isolated(fitText(words, room - PICTURE, measure))}
      </>
    )
  }
  const space = column.kind === 'choice' ? column.width - CHIP : room
  const node = valueNode(value, column.field, column.kind, language, (text) => fitText(text, space, measure))
  return typeof node === 'string' ? isolated(node) : node
}

/** Keeps words in their own direction; only where it differs, as every element costs. */
const isolated = (text: string): ReactNode => (rightToLeft.test(text) ? <bdi>{text}</bdi> : text)
