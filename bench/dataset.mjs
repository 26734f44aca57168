// The data of dataset.sql for MariaDB and SQLite, row by row. DATABASE_URL names an empty database.
import { createHash } from 'node:crypto'
import { databaseOf } from './engines.mjs'

const md5 = (i) => createHash('md5').update(String(i)).digest('hex')
const times = (start, minutes) => new Date(Date.parse(start) + minutes * 60_000).toISOString().slice(0, 23).replace('T', ' ')
const pick = (list, i) => list[i % list.length]
const countries = ['DE', 'FR', 'US', 'GB', 'IN', 'BR', 'JP', 'KE']
const kinds = ['blocks_hero', 'blocks_text', 'blocks_gallery']
const states = ['published', 'published', 'published', 'draft', 'archived']

// A type of columns is a word that both databases know; `key` and `moment` are spelled by each.
const tables = [
  { name: 'authors', count: 1000, columns: { name: 'text not null', email: 'text not null', bio: 'text', country: 'text', created_at: 'moment' },
    row: (i) => [`Author ${i}`, `author${i}@example.com`, `Bio of author ${i}. `.repeat(8), pick(countries, i), times('2020-01-01T00:00:00Z', i * 60)] },
  { name: 'articles', count: 100_000, columns: { author: 'int references authors(id) on delete set null', title: 'text not null', slug: 'text not null', body: 'text', status: "varchar(20) not null default 'draft'", views: 'int not null default 0', rating: 'decimal(4,2)', published_at: 'moment', created_at: 'moment' },
    row: (i) => [1 + (i * 7919) % 1000, `Article number ${i} about ${md5(i)}`, `article-${i}`, `${md5(i)} lorem ipsum dolor sit amet, consectetur `.repeat(14), pick(states, i), (i * 31) % 10_000, ((i * 13) % 500) / 100, times('2021-01-01T00:00:00Z', (i * 17) % 2_000_000), times('2021-01-01T00:00:00Z', i)] },
  { name: 'comments', count: 500_000, columns: { article: 'int references articles(id) on delete cascade', author_name: 'text', body: 'text', likes: 'int not null default 0', created_at: 'moment' },
    row: (i) => [1 + (i * 104_729) % 100_000, `Reader ${i % 5000}`, `Comment ${i} ${`${md5(i)} `.repeat(3)}`, i % 50, times('2022-01-01T00:00:00Z', i)] },
  { name: 'tags', count: 200, columns: { name: 'text not null', color: 'text' }, row: (i) => [`tag-${i}`, `#${md5(i).slice(0, 6)}`] },
  { name: 'article_tags', count: 300_000, columns: { article: 'int references articles(id) on delete cascade', tag: 'int references tags(id) on delete cascade' },
    row: (i) => { const article = Math.ceil(i / 3); return [article, 1 + (article * 37 + (((i - 1) % 3) + 1) * 61) % 200] } },
  { name: 'pages', count: 2000, columns: { title: 'text not null', slug: 'text', published: 'boolean not null default true' }, row: (i) => [`Page ${i}`, `page-${i}`, i % 10 === 0 ? 0 : 1] },
  { name: 'page_blocks', count: 12_000, columns: { page: 'int references pages(id) on delete cascade', collection: 'text', item: 'text', sort: 'int' },
    row: (i) => { const page = Math.ceil(i / 6), k = (i - 1) % 6; return [page, kinds[k % 3], String((page * 2 + Math.trunc(k / 3) - 1) % 4000 + 1), k] } },
  { name: 'blocks_hero', count: 4000, columns: { headline: 'text', subline: 'text', image_url: 'text' }, row: (i) => [`Hero ${i}`, 'sub '.repeat(10), `https://cdn.example.com/h/${i}.jpg`] },
  { name: 'blocks_text', count: 4000, columns: { title: 'text', content: 'text' }, row: (i) => [`Text ${i}`, `Paragraph content ${i} `.repeat(15)] },
  { name: 'blocks_gallery', count: 4000, columns: { title: 'text', images: 'json', columns: 'int' }, row: (i) => [`Gallery ${i}`, JSON.stringify([`a${i}.jpg`, `b${i}.jpg`, `c${i}.jpg`]), 1 + (i % 4)] },
]
const indexes = ['articles(author)', 'articles(status, published_at desc)', 'articles(published_at)', 'comments(article)', 'article_tags(article)', 'article_tags(tag)', 'page_blocks(page)']

const database = await databaseOf(process.env.DATABASE_URL)
const { quote, words } = database
await database.prepare?.()
for (const { name, columns } of tables) {
  const lines = Object.entries(columns).map(([column, type]) => `${quote(column)} ${type === 'moment' ? words.moment : type}`)
  await database.run(`create table ${name} (${[`id ${words.key}`, ...lines].join(', ')})`)
}
for (const { name, columns, count, row } of tables) await database.fill(name, Object.keys(columns), count, row)
for (const [i, index] of indexes.entries()) await database.run(`create index bench_${i} on ${index}`)
await database.run(words.analyze(tables.map(({ name }) => name)))
await database.close()
