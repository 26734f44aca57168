// A schema as "tain types generate" writes it, for the tests of types.

type Decimal = string
type Timestamp = string

interface IntegerFilter {
  _eq?: number | null
  _gt?: number
  _in?: readonly number[]
  _null?: boolean
}
interface TextFilter {
  _eq?: string | null
  _contains?: string
  _in?: readonly string[]
  _null?: boolean
}
interface TimeFilter {
  _gt?: string
  _lt?: string
}
interface Conditions<F> {
  _and?: readonly F[]
  _or?: readonly F[]
}

export interface Cities {
  id: number
  name: string
}
export interface Customers {
  id: number
  name: string
  born: string | null
  city: Cities['id'] | Cities | null
  details: unknown
  orders: Orders['id'][] | Orders[]
}
export interface Orders {
  id: number
  customer: Customers['id'] | Customers | null
  status: 'open' | 'paid'
  total: Decimal
  created: Timestamp
  shipped: Timestamp | null
  lines: string[] | OrderLines[]
}
export interface OrderLines {
  order_id: Orders['id'] | Orders
  line: number
  quantity: number
}
export interface PageBlocks {
  id: number
  collection: string | null
  item: Articles['id'] | Articles | Pictures['id'] | Pictures | null
}
export interface Articles {
  id: number
  title: string
}
export interface Pictures {
  id: string
  url: string
}
export interface Settings {
  id: number
  motto: string | null
}
export interface ServiceUsers {
  id: string
  email: string | null
}

/** Columns with characters that have a meaning in paths. */
export interface Oddities {
  id: number
  'a.b': number
  'c,d': string | null
  'g(h)': number
  '-rank': number
}

export interface OrdersCreate {
  customer?: number | { name: string } | null
  status?: 'open' | 'paid'
  total: Decimal | number
}
export interface OrdersFilter extends Conditions<OrdersFilter> {
  id?: IntegerFilter
  customer?: IntegerFilter | CustomersFilter
  status?: TextFilter
  created?: TimeFilter
  lines?: OrderLinesFilter
}
export interface CustomersFilter extends Conditions<CustomersFilter> {
  id?: IntegerFilter
  name?: TextFilter
}
export interface OrderLinesFilter {
  quantity?: IntegerFilter
}

export interface Schema {
  orders: {
    row: Orders
    key: number
    create: OrdersCreate
    update: Partial<OrdersCreate>
    filter: OrdersFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: {
      id: 'integer'
      customer: 'integer'
      status: 'string'
      total: 'decimal'
      created: 'timestamp'
      shipped: 'timestamp'
    }
    relations: { customer: { one: 'customers' }; lines: { many: 'order_lines' } }
    inferred: 'lines'
  }
  customers: {
    row: Customers
    key: number
    create: never
    update: never
    filter: CustomersFilter
    may: 'read'
    singleton: false
    types: { id: 'integer'; name: 'string'; born: 'date'; city: 'integer'; details: 'json' }
    relations: { city: { one: 'cities' }; orders: { many: 'orders' } }
    inferred: never
  }
  oddities: {
    row: Oddities
    key: number
    create: Oddities
    update: Partial<Oddities>
    filter: { 'a.b'?: IntegerFilter }
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; 'a.b': 'integer'; 'c,d': 'string'; 'g(h)': 'integer'; '-rank': 'integer' }
    relations: object
    inferred: never
  }
  cities: {
    row: Cities
    key: number
    create: { name: string }
    update: never
    filter: { name?: TextFilter }
    may: 'read' | 'create'
    singleton: false
    types: { id: 'integer'; name: 'string' }
    relations: object
    inferred: never
  }
  order_lines: {
    row: OrderLines
    key: string
    create: never
    update: never
    filter: OrderLinesFilter
    may: 'read'
    singleton: false
    types: { order_id: 'integer'; line: 'integer'; quantity: 'integer' }
    relations: { order_id: { one: 'orders' } }
    inferred: never
  }
  page_blocks: {
    row: PageBlocks
    key: number
    create: never
    update: never
    filter: object
    may: 'read'
    singleton: false
    types: { id: 'integer'; collection: 'string'; item: 'string' }
    relations: { item: { any: 'articles' | 'pictures'; collection: 'collection' } }
    inferred: never
  }
  articles: {
    row: Articles
    key: number
    create: never
    update: never
    filter: object
    may: 'read'
    singleton: false
    types: { id: 'integer'; title: 'string' }
    relations: object
    inferred: never
  }
  pictures: {
    row: Pictures
    key: string
    create: never
    update: never
    filter: object
    may: 'read'
    singleton: false
    types: { id: 'uuid'; url: 'string' }
    relations: object
    inferred: never
  }
  settings: {
    row: Settings
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
  open_orders: {
    row: { id: number | null }
    key: never
    create: never
    update: never
    filter: { id?: IntegerFilter }
    may: 'read'
    singleton: false
    types: { id: 'integer' }
    relations: object
    inferred: never
  }
  letters: {
    row: object
    key: number
    create: { text: string }
    update: never
    filter: object
    may: 'create'
    singleton: false
    types: object
    relations: object
    inferred: never
  }
  service_users: {
    row: ServiceUsers
    key: string
    create: { email: string }
    update: { email?: string }
    filter: object
    may: 'read' | 'create' | 'update'
    singleton: false
    types: { id: 'uuid'; email: 'string' }
    relations: object
    inferred: never
  }
}

export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only if the value has exactly this type. */
export type Exactly = <Expected>() => <Actual>(
  actual: () => Promise<Actual>,
  ...same: Equal<Actual, Expected> extends true ? [] : [expected: Expected, got: Actual]
) => void
export declare const exactly: Exactly
