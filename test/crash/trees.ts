// Nested trees whose root lists its content, so that a partial tree is detected.
import { createHash } from 'node:crypto'
import type { TestConnection } from '../lib/databases.ts'

export interface Tree {
  readonly id: string
  readonly body: object
}

const pick = (least: number, most: number) => least + Math.floor(Math.random() * (most - least + 1))

/**
 * Builds a tree of three levels with every kind of relation. The note of the root holds the count and hash of its
 * descendants. A quick tree fits into one statement.
 */
export function makeTree(id: string, isQuick = Math.random() < 0.5): Tree {
  const texts = (kind: string, count: number) => Array.from({ length: count }, (_, index) => `${id} ${kind} ${index}`)
  const comments = texts('comment', pick(1, 4))
  const tags = texts('tag', isQuick ? 0 : pick(1, 3))
  const topics = texts('topic', isQuick ? 0 : pick(1, 2))
  const heroes = texts('hero', isQuick ? 0 : pick(1, 2))
  const author = `${id} author`
  return {
    id,
    body: {
      title: id,
      note: sumOf([author, ...comments, ...tags, ...topics, ...heroes]),
      author: { name: author },
      comments: comments.map((body) => ({ body })),
      ...(isQuick
        ? {}
        : {
            tags: tags.map((name) => ({ tags_id: { name } })),
            topics: topics.map((name) => ({ name })),
            blocks: heroes.map((headline) => ({ collection: 'heroes', item: { headline } })),
          }),
    },
  }
}

const sumOf = (texts: readonly string[]) =>
  `${texts.length} ${createHash('sha256').update(texts.toSorted().join('\n')).digest('hex')}`

interface Found {
  readonly id: string
  readonly note: string
  readonly texts: readonly string[]
}

const LEAVES = `
  select a.id as article, u.name as leaf from articles a join authors u on u.id = a.author
  union all select article, body from comments
  union all select j.articles_id, t.name from articles_tags j join tags t on t.id = j.tags_id
  union all select j.article_id, t.name from articles_topics j join topics t on t.id = j.topic_id
  union all select b.article, h.headline from blocks b join heroes h on b.collection = 'heroes' and cast(h.id as text) = b.item`

async function findTrees({ query }: Pick<TestConnection, 'query'>): Promise<Found[]> {
  const leaves = new Map<string, string[]>()
  for (const [article, leaf] of await query(LEAVES))
    if (article && leaf) leaves.set(article, [...(leaves.get(article) ?? []), leaf])
  const rows = await query('select id, title, note from articles where note is not null')
  return rows.map(([key, id, note]) => ({ id: id ?? '', note: note ?? '', texts: leaves.get(key ?? '') ?? [] }))
}

/** Rows that belong to no tree: leaves whose root is missing. */
const STRAYS = `select
  (select count(*) from authors u where u.name like '% author' and not exists (select 1 from articles a where a.author = u.id)) +
  (select count(*) from comments where body like '% comment %' and article is null) +
  (select count(*) from tags t where t.name like '% tag %' and not exists (select 1 from articles_tags j where j.tags_id = t.id)) +
  (select count(*) from topics t where t.name like '% topic %' and not exists (select 1 from articles_topics j where j.topic_id = t.id)) +
  (select count(*) from heroes h where h.headline like '% hero %'
    and not exists (select 1 from blocks b where b.collection = 'heroes' and b.item = cast(h.id as text)))`

/** Tables with one activity record per row. Rows of a pure junction have none. */
const RECORDED = ['articles', 'authors', 'comments', 'tags', 'articles_tags', 'topics', 'heroes', 'blocks']

/** The highest key of the fixture's own rows in each table. */
export async function floorsOf({ query }: Pick<TestConnection, 'query'>): Promise<ReadonlyMap<string, string>> {
  const floors = new Map<string, string>()
  for (const name of RECORDED)
    floors.set(name, (await query(`select coalesce(max(id), 0) from ${name}`))[0]?.[0] ?? '0')
  return floors
}

export interface Verdict {
  readonly trees: number
  readonly partial: readonly string[]
  readonly duplicates: readonly string[]
  readonly strays: number
  /** Rows without a record, records without a row, and records without a revision or vice versa. */
  readonly mismatches: number
}

/** The number of rows that only one of the two queries returns. */
const gapOf = (a: string, b: string) => `(select coalesce(sum(abs(n)), 0) from (select sum(n) as n from (
  select collection, item, 1 as n from (${a}) one union all select collection, item, -1 from (${b}) other) both_sides
  group by collection, item) gaps)`

/** `own` is the prefix of the service's own tables. */
export async function judgeTrees(
  connection: Pick<TestConnection, 'query'>,
  floors: ReadonlyMap<string, string>,
  own = 'tain.',
): Promise<{ readonly verdict: Verdict; readonly ids: ReadonlySet<string> }> {
  const found = await findTrees(connection)
  const ids = new Set(found.map(({ id }) => id))
  const written = RECORDED.map(
    (name) =>
      `select '${name}' as collection, cast(id as text) as item from ${name} where id > ${floors.get(name) ?? '0'}`,
  ).join(' union all ')
  const recorded = `select collection, item from ${own}service_activity where action = 'create'`
  const revised = `select collection, item from ${own}service_revisions`
  const gaps = `${gapOf(written, recorded)} + ${gapOf(recorded, revised)}`
  const [row] = await connection.query(`select (${STRAYS}), ${gaps}`)
  const times = Map.groupBy(found, ({ id }) => id)
  return {
    ids,
    verdict: {
      trees: found.length,
      partial: found.filter(({ note, texts }) => note !== sumOf(texts)).map(({ id }) => id),
      duplicates: [...ids].filter((id) => (times.get(id)?.length ?? 0) > 1),
      strays: Number(row?.[0]),
      mismatches: Number(row?.[1]),
    },
  }
}
