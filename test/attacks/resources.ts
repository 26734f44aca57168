import { randomUUID } from 'node:crypto'
import type { TestDatabase } from '../lib/databases.ts'
import { bounds } from '../hostile/campaign.ts'
import { largestConnection, peakOf } from '../hostile/memory.ts'
import { codeOf, dataOf, until } from '../lib/service.ts'
import { grant, type Stage } from './stage.ts'
import { answerTo, attack, mustHold, refusedSoon, works, type Attack, type Verdict } from './verdict.ts'

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

async function isAlive({ service }: Stage, verdict: Verdict): Promise<void> {
  const answer = await service.get('/server/ping').catch(() => null)
  verdict.holds(`the process has ended: ${service.log().slice(-500)}`, answer?.status === 200)
}

const hugeCell = attack('H2a', 'a nested answer of 600 MB in one cell', async (stage, verdict) => {
  const { admin, withService } = stage
  const path = '/items/kids?limit=1&fields=parent.kids.parent.kids.parent.kids.text'
  const answer = await answerTo(admin.get(path))
  // On a slow machine the statement is cancelled, or its connection given up, before its response is known to be too large.
  const isStopped = answer.status === 503 && /too slow|Service unavailable/u.test(answer.text)
  if (!isStopped) verdict.refused('600 MB', answer, 400)
  await isAlive(stage, verdict)
  // The same with a smaller limit, which every machine reaches in time: 6 MB in one cell.
  await withService({ MAX_RESPONSE_SIZE: '1mb' }, async (service) => {
    const rest = () => service.get('/items/kids?limit=1&fields=parent.kids.parent.kids.text')
    const query = '{ kids(limit: 1) { parent { kids { parent { kids { text } } } } } }'
    verdict.refused('6 MB', await rest(), 400)
    verdict.refused('6 MB through GraphQL', await service.send('POST', '/graphql', { query }))
    await isAlive({ ...stage, service }, verdict)
    works('one level of it', await service.get('/items/kids?limit=1&fields=parent.kids.text'))
  })
})

const LONGEST_TEXT = 537_000_000

/** A text of this length. MariaDB limits values to max_allowed_packet, so its rows are as long as that allows. */
const longTexts: Readonly<Record<Stage['dialect'], string>> = {
  postgres: `select id, repeat('x', ${LONGEST_TEXT}) as text from kids where id = 1`,
  sqlite: `select id, hex(zeroblob(${LONGEST_TEXT / 2})) as text from kids where id = 1`,
  mysql: `select id, repeat('x', 6000000) as text from kids`,
}

const hugeText = attack('H2b', 'a cell of more than 512 MiB, or rows that are together', async (stage, verdict) => {
  const { database, admin, dialect } = stage
  await database.query(`create view long_text as ${longTexts[dialect]}`)
  try {
    const isServed = async () => (await admin.get('/items/long_text?fields=id&filter[id][_lt]=0')).status === 200
    await until(isServed, 30, 'the view is served')
    verdict.refused('REST', await answerTo(admin.get('/items/long_text?fields=text')))
    await isAlive(stage, verdict)
    verdict.refused('GraphQL', await answerTo(admin.graphql('{ long_text { text } }')))
    await isAlive(stage, verdict)
  } finally {
    await database.query('drop view long_text')
  }
})

const related = { author: { articles: { comments: { id: { _eq: 1 } } } } }

/**
 * MariaDB reports the current memory: memory reserved during a statement is freed, that of prepared statements is not.
 */
async function heldByConnection(database: TestDatabase): Promise<number | null> {
  if (database.dialect !== 'mysql') return largestConnection(database)
  const [row] = await database.query(
    `select max(memory_used) from information_schema.processlist where db = '${database.name}'`,
  )
  return Number(row?.[0] ?? 0) / 1024 ** 2
}

const shapes = attack('H3', 'shapes that fill memory as prepared statements', async (stage, verdict) => {
  const { admin, database, service } = stage
  for (const count of [1000, 3000]) {
    const filter = { _or: times(count, () => related) }
    verdict.refused(`${count} relational conditions`, await admin.search('articles', { filter }), 400)
    const document = 'query ($filter: articles_filter) { articles(filter: $filter) { id } }'
    verdict.refused(`${count} through GraphQL`, await admin.graphql(document, { variables: { filter } }))
  }
  // Allowed filters are still large; each of these is a different statement.
  for (let count = 60; count < 140; count += 2)
    works(
      `${count} relational conditions`,
      await admin.search('articles', { filter: { _or: times(count, () => related) }, limit: 1 }),
    )
  const connection = await heldByConnection(database)
  mustHold('memory of connections can be read', connection !== 0)
  verdict.holds(`a connection holds ${connection} MB`, (connection ?? 0) <= bounds.connection)
  if (stage.dialect !== 'sqlite') return
  // SQLite's statements use the memory of the service, which has also read 600 MB for other attacks.
  verdict.holds(`the service has held ${peakOf(service.pid)} MB`, peakOf(service.pid) <= 3 * bounds.service)
})

const many = 20_000

/** Lists that the service once processed entry by entry before counting them. */
const lists: Readonly<Record<string, object>> = {
  groupBy: { aggregate: { count: '*' }, groupBy: times(many, () => 'author.name') },
  sort: { sort: times(many, () => 'author.name') },
  fields: { fields: times(many, () => 'author.name') },
  alias: { alias: Object.fromEntries(times(many, (index) => [`a${index}`, 'title'])) },
  filter: { filter: { _or: times(many, (id) => ({ id: { _eq: id } })) } },
  'filter over relations': { filter: { _or: times(many, () => ({ author: { name: { _eq: 'x' } } })) } },
  aggregate: { aggregate: { count: times(many, () => 'id') } },
  deep: { deep: { comments: { _sort: times(many, () => 'id') } } },
}

const longLists = attack('H4a', '20,000 entries in a query', async (stage, verdict) => {
  const { admin } = stage
  works('three entries', await admin.search('articles', { sort: ['author.name', 'title', 'id'] }))
  for (const [what, query] of Object.entries(lists))
    await refusedSoon(stage, verdict, what, () => admin.search('articles', query))
  await isAlive(stage, verdict)
})

const longDocuments = attack('H4b', '20,000 entries in a GraphQL document', async (stage, verdict) => {
  const { admin } = stage
  const names = times(many, () => '"author"').join()
  const documents: Readonly<Record<string, string>> = {
    groupBy: `{ articles_aggregated(groupBy: [${names}]) { count { id } } }`,
    sort: `{ articles(sort: [${names}]) { id } }`,
    aliases: `{ articles { ${times(many, (index) => `a${index}: title`).join(' ')} } }`,
    'root fields': `{ ${times(many, (index) => `a${index}: articles { id }`).join(' ')} }`,
  }
  works('a short document', await admin.graphql('{ articles_aggregated(groupBy: ["author"]) { count { id } } }'))
  for (const [what, document] of Object.entries(documents))
    await refusedSoon(stage, verdict, what, () => admin.graphql(document))
  const variables = { filter: { _or: times(many, (id) => ({ id: { _eq: id } })) } }
  const document = 'query ($filter: articles_filter) { articles(filter: $filter) { id } }'
  await refusedSoon(stage, verdict, 'filter', () => admin.graphql(document, { variables }))
  await isAlive(stage, verdict)
})

const deepKids = `kids.${times(4, () => 'parent.kids').join('.')}`

/** Queries beyond each limit of the cost model; the error names the setting. */
const beyond: Readonly<Record<string, readonly [collection: string, query: object]>> = {
  MAX_QUERY_ENTRIES: ['articles', { sort: times(2001, () => 'id') }],
  MAX_QUERY_CONDITIONS: ['articles', { filter: { _or: times(1001, (id) => ({ id: { _eq: id } })) } }],
  MAX_QUERY_JOINS: ['articles', { filter: { _or: times(900, () => related) } }],
  MAX_QUERY_NODES: ['articles', { fields: ['*.*.*.*.*.*.*.*.*.*'] }],
  MAX_QUERY_ROWS: ['parents', { limit: -1, fields: [`${deepKids}.id`] }],
  MAX_LIST_LENGTH: ['articles', { filter: { id: { _in: times(10_001, (id) => id) } } }],
}

const cost = attack('H4c', 'queries beyond each limit of cost', async ({ admin }, verdict) => {
  for (const [setting, [collection, query]] of Object.entries(beyond)) {
    const answer = await admin.search(collection, query)
    verdict.refused(setting, answer, 400)
    if (setting !== 'MAX_LIST_LENGTH')
      mustHold(`${setting} is why: ${answer.text.slice(0, 200)}`, answer.text.includes(setting))
  }
  const filter = { _or: times(600, (id) => ({ id: { _eq: id } })) }
  const rootOf = (name: string) => `${name}: articles(filter: $filter) { id }`
  const document = (roots: readonly string[]) => `query ($filter: articles_filter) { ${roots.map(rootOf).join(' ')} }`
  works('600 conditions', await admin.graphql(document(['a']), { variables: { filter } }))
  verdict.refused('1,200 in two root fields', await admin.graphql(document(['a', 'b']), { variables: { filter } }))
  const joins = { _or: times(900, () => related) }
  verdict.refused('joins through GraphQL', await admin.graphql(document(['a']), { variables: { filter: joins } }))
  const values = { id: { _in: times(10_001, (id) => id) } }
  verdict.refused('a list through GraphQL', await admin.graphql(document(['a']), { variables: { filter: values } }))
  const rows = deepKids.split('.').reduceRight((inner, name) => `${name} { ${inner} }`, 'id')
  verdict.refused('rows through GraphQL', await admin.graphql(`{ parents(limit: -1) { ${rows} } }`))
  const nodes = times(60, (a) => `a${a}: author { ${times(100, (b) => `b${b}: name`).join(' ')} }`).join(' ')
  verdict.refused('nodes through GraphQL', await admin.graphql(`{ articles { ${nodes} } }`))
})

const EXPONENTIAL = String.raw`^(\w+\s?)+$`
const values = [`${'a'.repeat(30)}!`, `${'a'.repeat(100_000)}!`, `${'a '.repeat(50_000)}!`]

const patterns = attack('H5a', 'a pattern of a validation that backtracks without end', async (stage, verdict) => {
  const { admin, person } = stage
  const caller = await person([grant('articles', 'create', { validation: { title: { _regex: EXPONENTIAL } } })])
  const write = (title: string) => caller.send('POST', '/items/articles', { title })
  works('a text that matches', await write('one two three'))
  for (const value of values) await refusedSoon(stage, verdict, `${value.length} characters`, () => write(value))
  const validation = { text: { _regex: EXPONENTIAL } }
  dataOf(await admin.send('PATCH', '/fields/comments/text', { meta: { validation } }))
  try {
    works('a text that matches a field', await admin.send('POST', '/items/comments', { text: 'one two' }))
    for (const text of values)
      await refusedSoon(stage, verdict, `field, ${text.length} characters`, () =>
        admin.send('POST', '/items/comments', { text }),
      )
  } finally {
    dataOf(await admin.send('PATCH', '/fields/comments/text', { meta: { validation: null } }))
  }
})

const passwordPolicy = attack(
  'H5b',
  'a password policy that backtracks, through registration',
  async (stage, verdict) => {
    const { admin, anyone } = stage
    const settings = { public_registration: true, public_registration_verify_email: false }
    dataOf(await admin.send('PATCH', '/settings', { ...settings, auth_password_policy: EXPONENTIAL }))
    try {
      const register = (password: string) =>
        anyone.send('POST', '/users/register', { email: `${randomUUID()}@example.com`, password })
      works('a password that matches', await register('one two three'))
      for (const password of [`${'a'.repeat(30)}!`, `${'a'.repeat(120)}!`])
        await refusedSoon(stage, verdict, `${password.length} characters`, () => register(password))
      const unusable = await admin.send('PATCH', '/settings', { auth_password_policy: String.raw`(a)\1` })
      verdict.refused('a policy that needs backtracking', unusable, 400)
      mustHold('the refusal is that of the policy', codeOf(await register('!!')) === 'FAILED_VALIDATION')
    } finally {
      dataOf(await admin.send('PATCH', '/settings', { auth_password_policy: null, public_registration: false }))
    }
  },
)

/** Attacks that would end the process come last, so that the others run first. */
export const resourceAttacks: readonly Attack[] = [
  longLists,
  longDocuments,
  cost,
  patterns,
  passwordPolicy,
  shapes,
  hugeCell,
  hugeText,
]
