import { dataOf, queryOf } from '../lib/service.ts'
import { grant, type Row, type Stage } from './stage.ts'
import { attack, mustHold, works, type Attack, type Verdict } from './verdict.ts'

async function tryOldRevisions(stage: Stage, verdict: Verdict, special: string): Promise<void> {
  const { admin, make } = stage
  const word = `before-${special}`
  const { id } = await make('/items/articles', { title: 'plain', internal: word })
  dataOf(await admin.send('PATCH', `/items/articles/${id}`, { internal: `${word}-2` }))
  const own = { collection: { _eq: 'articles' }, item: { _eq: id } }
  const starts = { data: { _json: { internal: { _starts_with: word } } } }
  const ask = (query: Row) => admin.get(`/revisions?${queryOf({ filter: own, ...query })}`)
  const countOf = async (filter: Row, more: Row = {}) =>
    (dataOf(await ask({ fields: 'id', filter: { _and: [own, filter] }, ...more })) as Row[]).length
  mustHold('revisions show the plain value before', (await ask({ fields: 'data' })).text.includes(word))
  mustHold('conditions find it before', (await countOf(starts)) === 2)
  const setSpecial = (value: string | null) =>
    admin.send('PATCH', '/fields/articles/internal', { meta: { special: value } })
  dataOf(await setSpecial(special))
  try {
    for (const query of [
      { fields: 'data' },
      { fields: 'data,delta' },
      { fields: 'json(data, internal)' },
      { fields: 'activity.revisions.data' },
      { fields: 'data', export: 'csv' },
      { groupBy: 'json(data, internal)', aggregate: { count: '*' } },
    ])
      verdict.holds(`${special}: ${JSON.stringify(query)} shows it`, !(await ask(query)).text.includes(word))
    verdict.holds(`${special}: a condition on data finds it`, (await countOf(starts)) === 0)
    const contains = { delta: { _json: { internal: { _contains: word } } } }
    verdict.holds(`${special}: a condition on delta finds it`, (await countOf(contains)) === 0)
    verdict.holds(`${special}: a search finds it`, (await countOf({}, { search: word })) === 0)
    const document = `{ revisions(filter: { item: { _eq: "${id}" } }) { data delta } }`
    const graphql = works('GraphQL', await admin.graphql(document, { scope: '/graphql/system' }))
    verdict.holds(`${special}: GraphQL shows it`, !graphql.text.includes(word))
    const rest = works('the revisions', await ask({ fields: 'data' }))
    mustHold('the other fields are shown', rest.text.includes('plain'))
  } finally {
    dataOf(await setSpecial(null))
  }
}

const oldRevisions = attack('H10', 'revisions from before a field became a secret', async (stage, verdict) => {
  for (const special of ['conceal', 'hash', 'encrypt']) await tryOldRevisions(stage, verdict, special)
})

const hiddenNames = attack('H17', 'names of hidden fields in metadata', async ({ admin, person }, verdict) => {
  const meta = { sort_field: 'internal', archive_field: 'internal', display_template: '{{title}} {{internal}}' }
  dataOf(await admin.send('PATCH', '/collections/articles', { meta }))
  try {
    const caller = await person([grant('articles', 'read', { fields: ['id', 'title'] })])
    const reader = await person([grant('articles', 'read', { fields: ['id', 'title', 'internal'] })])
    for (const path of ['/collections', '/collections/articles', '/fields', '/fields/articles', '/relations']) {
      const { text } = works(path, await caller.get(path))
      verdict.holds(`${path} names the field`, !text.includes('internal'))
    }
    const document = '{ collections { collection meta { sort_field archive_field display_template } } }'
    const { text } = works('GraphQL', await caller.graphql(document, { scope: '/graphql/system' }))
    verdict.holds('GraphQL names the field', text.includes('articles') && !text.includes('internal'))
    const open = await reader.get('/collections/articles')
    mustHold('a caller who may read it is told', open.text.includes('"sort_field":"internal"'))
  } finally {
    const none = { sort_field: 'place', archive_field: null, display_template: null }
    dataOf(await admin.send('PATCH', '/collections/articles', { meta: none }))
  }
})

export const hiddenAttacks: readonly Attack[] = [oldRevisions, hiddenNames]
