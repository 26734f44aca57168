import { expect, test } from 'vitest'
import type { Column } from '../../grid/column.ts'
import type { Kind } from '../../model/kind.ts'
import { cardColumns } from './card-columns.ts'

const column = (path: string, kind: Kind): Column => ({
  path,
  kind,
  label: path,
  width: 100,
  whyReadOnly: null,
  field: { collection: 'orders', field: path, type: 'string', schema: null, meta: null },
})

test('a card has a name, a line below it and a state at the end', () => {
  const columns = [column('id', 'key'), column('number', 'text'), column('total', 'number'), column('status', 'choice')]
  const { title, below, end } = cardColumns(columns, '')
  expect([title?.path, below?.path, end?.path]).toEqual(['number', 'total', 'status'])
})

test('a table of one column has cards of one field', () => {
  const { title, below, end } = cardColumns([column('total', 'number')], '')
  expect([title?.path, below, end]).toEqual(['total', null, null])
})

test('the display template names the row where the columns have all its values', () => {
  const columns = [column('sku', 'text'), column('name', 'text'), column('price', 'number')]
  const { template, below, end } = cardColumns(columns, '{{name}}')
  expect([template, below?.path, end?.path]).toEqual(['{{name}}', 'sku', 'price'])
  expect(cardColumns(columns, '{{name}} {{brand}}').template).toBeNull()
})
