// The schema of the shop in world.ts, as "tain types generate" would write it for an administrator.

type Every = 'read' | 'create' | 'update' | 'delete'

interface IntegerFilter {
  _eq?: number
  _in?: readonly number[]
  _gt?: number
}
interface TextFilter {
  _eq?: string
  _contains?: string
  _starts_with?: string
  _in?: readonly string[]
}

interface Customers {
  id: number
  name: string
  born: string | null
  details: unknown
  orders: number[] | Orders[]
}
interface Orders {
  id: number
  customer: Customers['id'] | Customers | null
  status: string
  total: string
  placed: string
  order_lines: string[] | OrderLines[]
}
interface OrderLines {
  order_id: Orders['id'] | Orders
  line: number
  quantity: number
}
interface Tags {
  id: number
  name: string
}
interface Texts {
  id: number
  content: string
}
interface Pictures {
  id: number
  url: string
}
interface Blocks {
  id: number
  collection: string | null
  item: Texts['id'] | Texts | Pictures | null
}
interface Site {
  id: number
  motto: string | null
}
interface ServiceUsers {
  id: string
  email: string | null
}

interface CustomersFilter {
  id?: IntegerFilter
  name?: TextFilter
}
interface OrderLinesFilter {
  order_id?: IntegerFilter
  quantity?: IntegerFilter
}
interface OrdersFilter {
  id?: IntegerFilter
  customer?: IntegerFilter | CustomersFilter
  status?: TextFilter
  order_lines?: OrderLinesFilter
}
interface TagsFilter {
  id?: IntegerFilter
  name?: TextFilter
}

interface OrdersCreate {
  customer?: number | { name: string } | null
  status?: string
  total: string | number
  placed: string
  order_lines?: readonly { line: number; quantity: number }[]
}

export interface Schema {
  customers: {
    row: Customers
    key: number
    create: { name: string; born?: string | null; details?: unknown }
    update: { name?: string; born?: string | null; details?: unknown }
    filter: CustomersFilter
    may: Every
    singleton: false
    types: { id: 'integer'; name: 'string'; born: 'date'; details: 'json' }
    relations: { orders: { many: 'orders' } }
    inferred: 'orders'
  }
  orders: {
    row: Orders
    key: number
    create: OrdersCreate
    update: Partial<OrdersCreate>
    filter: OrdersFilter
    may: Every
    singleton: false
    types: { id: 'integer'; customer: 'integer'; status: 'string'; total: 'decimal'; placed: 'dateTime' }
    relations: { customer: { one: 'customers' }; order_lines: { many: 'order_lines' } }
    inferred: 'order_lines'
  }
  order_lines: {
    row: OrderLines
    key: string
    create: { order_id: number; line: number; quantity: number }
    update: { quantity?: number }
    filter: OrderLinesFilter
    may: Every
    singleton: false
    types: { order_id: 'integer'; line: 'integer'; quantity: 'integer' }
    relations: { order_id: { one: 'orders' } }
    inferred: never
  }
  tags: {
    row: Tags
    key: number
    create: { name: string }
    update: { name?: string }
    filter: TagsFilter
    may: Every
    singleton: false
    types: { id: 'integer'; name: 'string' }
    relations: object
    inferred: never
  }
  texts: {
    row: Texts
    key: number
    create: { content: string }
    update: { content?: string }
    filter: object
    may: Every
    singleton: false
    types: { id: 'integer'; content: 'text' }
    relations: object
    inferred: never
  }
  pictures: {
    row: Pictures
    key: number
    create: { url: string }
    update: { url?: string }
    filter: object
    may: Every
    singleton: false
    types: { id: 'integer'; url: 'string' }
    relations: object
    inferred: never
  }
  blocks: {
    row: Blocks
    key: number
    create: { collection: string; item: unknown }
    update: { item?: unknown }
    filter: object
    may: Every
    singleton: false
    types: { id: 'integer'; collection: 'string'; item: 'string' }
    relations: { item: { any: 'texts' | 'pictures'; collection: 'collection' } }
    inferred: never
  }
  site: {
    row: Site
    key: number
    create: never
    update: { motto?: string | null }
    filter: object
    may: 'read' | 'update'
    singleton: true
    types: { id: 'integer'; motto: 'string' }
    relations: object
    inferred: never
  }
  service_users: {
    row: ServiceUsers
    key: string
    create: { email: string; password: string }
    update: { email?: string }
    filter: { email?: TextFilter }
    may: Every
    singleton: false
    types: { id: 'uuid'; email: 'string' }
    relations: object
    inferred: never
  }
}
