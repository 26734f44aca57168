import type { Row } from '../../../driver.ts'

export const textAt = (row: Row, index: number): string => row[index] ?? ''

export const integerOf = (value: string | null | undefined): number | null =>
  value === null || value === undefined ? null : Number(value)

export const parseList = (json: string | null | undefined): readonly string[] =>
  JSON.parse(json ?? '[]') as readonly string[]
