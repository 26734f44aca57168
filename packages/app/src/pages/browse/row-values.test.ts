import { expect, test } from 'vitest'
import type { Column } from '../../grid/column.ts'
import { valueAt } from '../../grid/value-at.ts'
import { toCsv, toTsv } from './row-values.ts'

const column = (path: string, label: string, related?: Column['related']): Column => ({
  path,
  label,
  field: { collection: 'orders', field: path, type: 'string', schema: null, meta: null },
  kind: 'text',
  width: 100,
  whyReadOnly: null,
  ...(related === undefined ? {} : { related }),
})

test('a path leads through related rows, and a count has a name of its own', () => {
  const row = { customer: { region: { name: 'North' } }, lines_count: 3, agent: null }
  expect(valueAt(row, 'customer.region.name')).toBe('North')
  expect(valueAt(row, 'count(lines)')).toBe(3)
  expect(valueAt(row, 'agent.name')).toBeNull()
})

test('rows are copied as a spreadsheet takes them', () => {
  const columns = [
    column('id', 'ID'),
    column('customer', 'Customer', { collection: 'customers', template: '{{name}}', key: ['id'] }),
    column('note', 'Note'),
  ]
  const rows = [
    { id: 1, customer: { id: 9, name: 'Ada' }, note: 'two\nlines' },
    { id: 2, customer: null, note: 'a, "b"' },
  ]
  expect(toTsv(rows, columns)).toBe('ID\tCustomer\tNote\n1\tAda\t"two\nlines"\n2\t\t"a, ""b"""')
  expect(toCsv(rows, columns)).toBe('ID,Customer,Note\n1,Ada,"two\nlines"\n2,,"a, ""b"""')
})
