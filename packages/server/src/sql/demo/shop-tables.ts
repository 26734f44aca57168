import type { Statement } from '../driver.ts'

type Row = readonly (string | number | null)[]

/** How a database writes the demo shop. */
export interface ShopStatements {
  /** One row: the number of tables and views that are there already. */
  readonly countTables: Statement
  readonly tables: readonly string[]
  /** Many rows in one statement, with the columns in the order of the table. */
  readonly insertRows: (table: string, rows: readonly Row[]) => Statement
  /** After the rows: indexes, which are faster to create then, and what keeps later rows apart from these. */
  readonly finish: readonly Statement[]
}

/** The tables of the demo shop, parents before children, and its view. `KEY` and `MOMENT` are types of the database. */
const tables: readonly string[] = [
  `create table customers (
    id KEY, first_name varchar(60) not null, last_name varchar(60) not null,
    email varchar(120) not null unique, newsletter boolean not null default false, created_at MOMENT)`,
  `create table addresses (
    id KEY, customer integer not null references customers (id) on delete cascade,
    kind varchar(10) not null check (kind in ('billing', 'shipping')), street varchar(120) not null,
    postcode varchar(10) not null, city varchar(60) not null, country char(2) not null)`,
  `create table suppliers (
    id KEY, name varchar(120) not null, city varchar(60) not null, country char(2) not null)`,
  `create table employees (
    id KEY, first_name varchar(60) not null, last_name varchar(60) not null, job varchar(60) not null,
    manager integer references employees (id), hired_on date not null)`,
  `create table categories (
    id KEY, name varchar(60) not null, slug varchar(60) not null unique,
    parent integer references categories (id))`,
  `create table products (
    id KEY, sku varchar(12) not null unique, name varchar(120) not null, description text,
    price decimal(10, 2) not null check (price >= 0), stock integer not null default 0,
    is_active boolean not null default true, supplier integer references suppliers (id), tags json)`,
  `create table product_categories (
    product integer not null references products (id) on delete cascade,
    category integer not null references categories (id) on delete cascade, primary key (product, category))`,
  `create table orders (
    id KEY, customer integer not null references customers (id),
    shipping_address integer references addresses (id), handled_by integer references employees (id),
    status varchar(10) not null default 'new'
      check (status in ('new', 'paid', 'packed', 'shipped', 'delivered', 'cancelled')),
    ordered_at MOMENT, note text)`,
  `create table order_items (
    order_id integer not null references orders (id) on delete cascade, line integer not null,
    product integer not null references products (id), quantity integer not null check (quantity > 0),
    unit_price decimal(10, 2) not null, primary key (order_id, line))`,
  `create table reviews (
    id KEY, product integer not null references products (id) on delete cascade,
    customer integer references customers (id) on delete set null, rating integer not null check (rating between 1 and 5),
    body text, created_at MOMENT)`,
  `create table pages (
    id KEY, title varchar(120) not null, slug varchar(120) not null unique,
    status varchar(10) not null default 'draft' check (status in ('draft', 'published')))`,
  `create table pages_blocks (
    id KEY, page integer not null references pages (id) on delete cascade,
    collection varchar(64) not null, item varchar(64) not null, sort integer)`,
  'create table block_text (id KEY, body text not null)',
  'create table block_gallery (id KEY, title varchar(120), pictures json)',
  'create table block_quote (id KEY, quote text not null, author varchar(120))',
  `create view order_totals as
    select o.id, o.customer, o.status, cast(count(i.line) as integer) as items,
      cast(sum(i.quantity * i.unit_price) as decimal(12, 2)) as total
    from orders o join order_items i on i.order_id = o.id group by o.id, o.customer, o.status`,
]

/** Indexes are created after the rows, which is faster. */
const indexes: readonly string[] = [
  'create index addresses_customer on addresses (customer)',
  'create index products_supplier on products (supplier)',
  'create index product_categories_category on product_categories (category)',
  'create index orders_customer on orders (customer)',
  'create index orders_ordered_at on orders (ordered_at)',
  'create index order_items_product on order_items (product)',
  'create index reviews_product on reviews (product)',
  'create index pages_blocks_page on pages_blocks (page)',
]

/** Tables whose keys the database counts. */
const counted = tables.flatMap((text) => /^create table (\w+) \(\s*id KEY/u.exec(text)?.[1] ?? [])

export interface ShopDialect {
  readonly countTables: string
  /** A column of keys that the database counts. */
  readonly key: string
  readonly moment: string
  /** After the columns of a table. */
  readonly tableOptions?: string
  readonly insertRows: ShopStatements['insertRows']
  /** After the indexes, with the tables whose keys are counted. */
  readonly finish: (counted: readonly string[]) => readonly string[]
}

/** A cell as a value of a statement. */
export const valueOf = (cell: Row[number]): string | null => (cell === null ? null : String(cell))

const plain = (text: string): Statement => ({ text, values: [] })

export const shopStatements = ({
  countTables,
  key,
  moment,
  tableOptions = '',
  insertRows,
  finish,
}: ShopDialect): ShopStatements => ({
  countTables: plain(countTables),
  tables: tables.map((text) => {
    const typed = text.replaceAll('KEY', key).replaceAll('MOMENT', `${moment} not null`)
    return text.startsWith('create table') ? `${typed}${tableOptions}` : typed
  }),
  insertRows,
  finish: [...indexes, ...finish(counted)].map(plain),
})
