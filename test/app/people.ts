// The users of the shop: an administrator, an editor with rules, and a viewer.
import { dataOf, type Service } from '../lib/service.ts'

export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly password: string
  readonly token: string
}

export const kinds = ['administrator', 'editor', 'viewer'] as const
export type Kind = (typeof kinds)[number]
export type People = Readonly<Record<Kind, Person>>

/** The collections of the shop that everybody in it may read. */
const catalogue = ['categories', 'products', 'product_categories', 'suppliers', 'reviews', 'pages']
const sales = ['customers', 'addresses', 'order_items', 'order_totals', 'employees']

type Permission = Readonly<Record<string, unknown>>

const read = (collection: string, more: Permission = {}): Permission => ({
  collection,
  action: 'read',
  fields: ['*'],
  permissions: {},
  ...more,
})

/** Orders that are not cancelled; open ones can be changed, in two fields. */
const editorPermissions: readonly Permission[] = [
  ...[...catalogue, ...sales].map((collection) => read(collection)),
  read('orders', { permissions: { status: { _neq: 'cancelled' } } }),
  { collection: 'orders', action: 'create', fields: ['*'], permissions: {} },
  {
    collection: 'orders',
    action: 'update',
    fields: ['status', 'note', 'handled_by'],
    permissions: { status: { _in: ['new', 'paid', 'packed'] } },
  },
  { collection: 'order_items', action: 'create', fields: ['*'], permissions: {} },
  { collection: 'products', action: 'update', fields: ['price', 'stock', 'is_active'], permissions: {} },
  { collection: 'customers', action: 'create', fields: ['*'], permissions: {} },
  { collection: 'customers', action: 'update', fields: ['*'], permissions: {} },
  { collection: 'reviews', action: 'delete', fields: null, permissions: { rating: { _lte: 2 } } },
]

/** The catalogue only, customers without their addresses of mail. */
const viewerPermissions: readonly Permission[] = [
  ...catalogue.map((collection) => read(collection)),
  read('customers', { fields: ['id', 'first_name', 'last_name'] }),
]

const plans: Readonly<Record<Kind, { readonly name: readonly [string, string]; readonly policy: Permission }>> = {
  administrator: { name: ['Ada', 'Keller'], policy: { name: 'Owners', admin_access: true, app_access: true } },
  editor: { name: ['Emil', 'Fischer'], policy: { name: 'Sales', app_access: true, permissions: editorPermissions } },
  viewer: { name: ['Nora', 'Vogel'], policy: { name: 'Visitors', app_access: true, permissions: viewerPermissions } },
}

async function makePerson(service: Service, kind: Kind): Promise<Person> {
  const { name, policy } = plans[kind]
  const [first, last] = name
  const email = `${first}.${last}@example.com`.toLowerCase()
  const [password, token] = [`the password of ${first}`, `token-of-the-${kind}`]
  const role = { name: String(policy['name']), policies: [{ policy }] }
  const user = { email, password, token, first_name: first, last_name: last, role }
  const { id } = dataOf(await service.send('POST', '/users', user)) as { id: string }
  return { id, name: `${first} ${last}`, email, password, token }
}

export async function makePeople(service: Service): Promise<People> {
  const made: Partial<Record<Kind, Person>> = {}
  for (const kind of kinds) made[kind] = await makePerson(service, kind)
  return made as People
}
