import { DESCRIPTION_VERSION, type FieldDescription, type SchemaDescription } from '@tain/contract'

const readOnly = (name: string, type: FieldDescription['type'], more: Partial<FieldDescription> = {}) =>
  ({ name, type, read: 'value', ...more }) as const satisfies FieldDescription

const needed = (name: string, type: FieldDescription['type'], more: Partial<FieldDescription> = {}) =>
  readOnly(name, type, { create: 'required', update: true, ...more })

const nullable = (name: string, type: FieldDescription['type'], more: Partial<FieldDescription> = {}) =>
  readOnly(name, type, { read: 'nullable', create: 'optional', update: true, clearable: true, ...more })

const list = (name: string, to: string, more: Partial<FieldDescription> = {}) =>
  readOnly(name, 'alias', {
    create: 'optional',
    update: true,
    clearable: true,
    relation: { kind: 'many', to: [to] },
    ...more,
  })

const all = ['read', 'create', 'update', 'delete'] as const

/** A schema with every kind of relation, and with names and notes that break careless generators. */
export const shop: SchemaDescription = {
  version: DESCRIPTION_VERSION,
  collections: [
    {
      name: 'articles',
      type: 'Articles',
      path: '/items/articles',
      key: ['slug'],
      may: all,
      fields: [
        needed('slug', 'string', { create: 'required' }),
        nullable('title', 'text', { note: 'Ends a comment: */ const broken = 1\nand has a second line.' }),
        list('tags', 'tags', { inferred: true }),
      ],
    },
    {
      name: 'customers',
      type: 'Customers',
      path: '/items/customers',
      note: 'People who order.',
      key: ['id'],
      may: ['read', 'create'],
      fields: [
        readOnly('id', 'bigInteger', { create: 'optional' }),
        needed('name', 'string', { note: 'As on the envelope.' }),
        nullable('born', 'date'),
        nullable('details', 'json'),
        nullable('place', 'geometry.Point'),
        nullable('secret', 'hash'),
        list('orders', 'orders', { inferred: true }),
      ],
    },
    {
      name: 'order-lines',
      type: 'OrderLines',
      path: '/items/order-lines',
      key: ['order', 'line'],
      may: all,
      fields: [
        needed('order', 'integer', { relation: { kind: 'one', to: ['orders'] } }),
        needed('line', 'integer'),
        needed("it's odd", 'decimal'),
        nullable('year(placed)', 'boolean'),
        nullable('_and', 'float'),
      ],
    },
    {
      name: 'orders',
      type: 'Orders',
      path: '/items/orders',
      key: ['id'],
      may: all,
      fields: [
        readOnly('id', 'integer'),
        nullable('customer', 'bigInteger', { relation: { kind: 'one', to: ['customers'] }, note: 'Who ordered.' }),
        needed('status', 'string', { values: ['open', 'paid', "won't"], create: 'optional' }),
        readOnly('placed', 'timestamp', { create: 'optional', update: true }),
        nullable('day', 'date'),
        nullable('labels', 'csv'),
        nullable('agent', 'integer', { relation: { kind: 'one', to: [] } }),
        list('lines', 'order-lines'),
        readOnly('shop', 'alias', { inferred: true, relation: { kind: 'one', to: ['shops'] }, create: 'optional' }),
      ],
    },
    {
      name: 'page_blocks',
      type: 'PageBlocks',
      path: '/items/page_blocks',
      key: ['id'],
      may: all,
      fields: [
        readOnly('id', 'uuid'),
        nullable('collection', 'string'),
        nullable('item', 'string', {
          relation: { kind: 'any', to: ['articles', 'customers'], collection: 'collection' },
        }),
      ],
    },
    {
      name: 'letters',
      type: 'Letters',
      path: '/items/letters',
      key: [],
      may: ['create'],
      fields: [{ name: 'text', type: 'text', create: 'required' }],
    },
    {
      name: 'open_orders',
      type: 'OpenOrders',
      path: '/items/open_orders',
      note: 'A view.',
      key: [],
      may: ['read'],
      fields: [readOnly('id', 'integer', { read: 'nullable' }), readOnly('at', 'dateTime', { read: 'nullable' })],
    },
    {
      name: 'settings',
      type: 'Settings',
      path: '/items/settings',
      key: ['id'],
      singleton: true,
      may: ['read', 'update'],
      fields: [readOnly('id', 'integer', { read: 'nullable' }), nullable('opens', 'time')],
    },
    {
      name: 'shops',
      type: 'Shops',
      path: '/items/shops',
      key: ['country', 'number'],
      may: ['read'],
      fields: [readOnly('country', 'string'), readOnly('number', 'integer'), readOnly('x', 'unknown')],
    },
    {
      name: 'tags',
      type: 'Tags',
      path: '/items/tags',
      key: ['id'],
      may: all,
      fields: [readOnly('id', 'integer'), needed('word', 'string'), list('articles', 'articles', { inferred: true })],
    },
  ],
}
