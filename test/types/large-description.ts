import { DESCRIPTION_VERSION, type FieldDescription, type SchemaDescription } from '@tain/contract'

const column = (name: string, type: FieldDescription['type'], more: Partial<FieldDescription> = {}) =>
  ({ name, type, read: 'nullable', create: 'optional', update: true, clearable: true, ...more }) as const

const related = (name: string, kind: 'one' | 'many', to: string): FieldDescription =>
  column(name, kind === 'one' ? 'integer' : 'alias', {
    relation: { kind, to: [to] },
    ...(kind === 'many' ? { inferred: true, read: 'value' } : {}),
  })

/** Every collection has 20 fields and leads to four others. */
export const largeDescription = (count: number): SchemaDescription => ({
  version: DESCRIPTION_VERSION,
  collections: Array.from({ length: count }, (_, at) => {
    const other = (step: number) => `c${(at * step + 1) % count}`
    return {
      name: `c${at}`,
      type: `C${at}`,
      path: `/items/c${at}`,
      key: ['id'],
      may: ['read', 'create', 'update', 'delete'],
      fields: [
        { name: 'id', type: 'integer', read: 'value', create: 'optional' },
        column('name', 'string', { read: 'value', create: 'required' }),
        column('status', 'string', { values: ['open', 'paid', 'lost'] }),
        column('total', 'decimal'),
        column('made', 'timestamp'),
        column('day', 'date'),
        column('details', 'json'),
        ...Array.from({ length: 9 }, (_each, index) => column(`text${index}`, 'text')),
        related('a', 'one', other(7)),
        related('b', 'one', other(13)),
        related('list', 'many', other(17)),
        related('others', 'many', other(29)),
      ],
    }
  }),
})
