import type { Statement } from '../driver.ts'

/** The tables of the demo shop, parents before children, and its view. */
export const shopTables: readonly string[] = [
  `create table customers (
    id integer primary key, first_name varchar(60) not null, last_name varchar(60) not null,
    email varchar(120) not null unique, newsletter boolean not null default false, created_at timestamp not null)`,
  `create table addresses (
    id integer primary key, customer integer not null references customers (id) on delete cascade,
    kind varchar(10) not null check (kind in ('billing', 'shipping')), street varchar(120) not null,
    postcode varchar(10) not null, city varchar(60) not null, country char(2) not null)`,
  `create table suppliers (
    id integer primary key, name varchar(120) not null, city varchar(60) not null, country char(2) not null)`,
  `create table employees (
    id integer primary key, first_name varchar(60) not null, last_name varchar(60) not null, job varchar(60) not null,
    manager integer references employees (id), hired_on date not null)`,
  `create table categories (
    id integer primary key, name varchar(60) not null, slug varchar(60) not null unique,
    parent integer references categories (id))`,
  `create table products (
    id integer primary key, sku varchar(12) not null unique, name varchar(120) not null, description text,
    price decimal(10, 2) not null check (price >= 0), stock integer not null default 0,
    is_active boolean not null default true, supplier integer references suppliers (id), tags json)`,
  `create table product_categories (
    product integer not null references products (id) on delete cascade,
    category integer not null references categories (id) on delete cascade, primary key (product, category))`,
  `create table orders (
    id integer primary key, customer integer not null references customers (id),
    shipping_address integer references addresses (id), handled_by integer references employees (id),
    status varchar(10) not null default 'new'
      check (status in ('new', 'paid', 'packed', 'shipped', 'delivered', 'cancelled')),
    ordered_at timestamp not null, note text)`,
  `create table order_items (
    order_id integer not null references orders (id) on delete cascade, line integer not null,
    product integer not null references products (id), quantity integer not null check (quantity > 0),
    unit_price decimal(10, 2) not null, primary key (order_id, line))`,
  `create table reviews (
    id integer primary key, product integer not null references products (id) on delete cascade,
    customer integer references customers (id) on delete set null, rating integer not null check (rating between 1 and 5),
    body text, created_at timestamp not null)`,
  `create table pages (
    id integer primary key, title varchar(120) not null, slug varchar(120) not null unique,
    status varchar(10) not null default 'draft' check (status in ('draft', 'published')))`,
  `create table pages_blocks (
    id integer primary key, page integer not null references pages (id) on delete cascade,
    collection varchar(64) not null, item varchar(64) not null, sort integer)`,
  'create table block_text (id integer primary key, body text not null)',
  'create table block_gallery (id integer primary key, title varchar(120), pictures json)',
  'create table block_quote (id integer primary key, quote text not null, author varchar(120))',
  `create view order_totals as
    select o.id, o.customer, o.status, count(i.line) as items, round(sum(i.quantity * i.unit_price), 2) as total
    from orders o join order_items i on i.order_id = o.id group by o.id, o.customer, o.status`,
]

/** Indexes are created after the rows, which is faster. */
export const shopIndexes: readonly string[] = [
  'create index addresses_customer on addresses (customer)',
  'create index products_supplier on products (supplier)',
  'create index product_categories_category on product_categories (category)',
  'create index orders_customer on orders (customer)',
  'create index orders_ordered_at on orders (ordered_at)',
  'create index order_items_product on order_items (product)',
  'create index reviews_product on reviews (product)',
  'create index pages_blocks_page on pages_blocks (page)',
]

/** Many rows in one statement; the rows are one JSON value. Columns are taken in the order of the table. */
export function insertRows(table: string, width: number, rows: readonly (readonly unknown[])[]): Statement {
  const cells = Array.from({ length: width }, (_, at) => `json_extract(value, '$[${at}]')`)
  return { text: `insert into "${table}" select ${cells.join(', ')} from json_each(?)`, values: [JSON.stringify(rows)] }
}

/** Leaves one file that needs no other beside it. */
export const closeJournal: Statement = { text: 'pragma journal_mode = delete', values: [] }
