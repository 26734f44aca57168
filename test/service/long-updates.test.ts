import { describe, expect, test } from 'vitest'
import { PART } from '../../packages/server/src/engine/write/in-parts.ts'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const ROWS = PART + 200
const MOST = ROWS + 100

interface Note {
  readonly id: number
  readonly body: string
}

describe.each(testDialects)('more updates than are written at once, on %s', (dialect) => {
  const { database, service } = useWorld({
    dialect,
    tables: async (database) => {
      await database.query('create table notes (id integer primary key, body varchar(40) not null, rank integer)')
      const rows = Array.from({ length: ROWS }, (_, at) => `(${at + 1}, 'note ${at + 1}', ${at + 1})`)
      await database.query(`insert into notes values ${rows.join(', ')}`)
    },
    environment: { MAX_BATCH_MUTATION: String(MOST), MAX_PAYLOAD_SIZE: '10mb' },
  })

  const updates = (word: string, count = ROWS): Note[] =>
    Array.from({ length: count }, (_, at) => ({ id: ROWS - at, body: `${word} ${ROWS - at}` }))
  const bodies = async () => (await database.query('select body from notes order by id')).flat()
  const activities = async () => {
    const [row] = dataOf(await service.get('/activity?aggregate[count]=id')) as [{ count: { id: string } }]
    return Number(row.count.id)
  }

  test('are all written and recorded, and returned in the order sent', async () => {
    const before = await activities()
    const sent = updates('first')
    const answer = dataOf(await service.send('PATCH', '/items/notes?fields=id,body', sent)) as Note[]
    expect(answer).toEqual(sent)
    expect(await bodies()).toEqual(sent.toReversed().map(({ body }) => body))
    expect((await activities()) - before).toBe(ROWS)
  })

  test('of one row show its last state, wherever they are in the list', async () => {
    const sent = [{ id: 7, body: 'early' }, ...updates('second').filter(({ id }) => id !== 7), { id: 7, body: 'late' }]
    const answer = dataOf(await service.send('PATCH', '/items/notes?fields=id,body', sent)) as Note[]
    expect([answer[0], answer.at(-1)]).toEqual([
      { id: 7, body: 'late' },
      { id: 7, body: 'late' },
    ])
  })

  test('are written completely or not at all, and an error tells the position in the list', async () => {
    const before = await bodies()
    const last = ROWS - 1
    const wrong = (more: object) => updates('third').map((note, at) => (at === last ? { ...note, ...more } : note))
    const unknown = await service.send('PATCH', '/items/notes', wrong({ nothing: 1 }))
    expect([codeOf(unknown), unknown.body]).toMatchObject([
      'INVALID_PAYLOAD',
      { errors: [{ extensions: { row: last } }] },
    ])
    expect(codeOf(await service.send('PATCH', '/items/notes', wrong({ body: null })))).toBe('FAILED_VALIDATION')
    expect(codeOf(await service.send('PATCH', '/items/notes', wrong({ id: 999_999 })))).toBe('FORBIDDEN')
    expect(await bodies()).toEqual(before)
  })

  test('are limited as all others are', async () => {
    const many = [...updates('fourth'), ...updates('fifth', MOST - ROWS + 1)]
    const answer = await service.send('PATCH', '/items/notes', many)
    expect(answer.text).toContain(`max batch mutation limit of ${MOST}`)
  })
})
