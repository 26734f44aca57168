import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, TOKEN, type Service } from '../lib/service.ts'

type Row = Readonly<Record<string, unknown>>

/** What the comparison of random requests has found. */
describe.each(testDialects)('rights of files on %s', (dialect) => {
  let database: TestDatabase
  let service: Service
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tain-files-'))
    database = await createDatabase(dialect)
    service = await openService({ DATABASE_URL: database.url, STORAGE_LOCAL_ROOT: folder })
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const formOf = (content: string, name: string) => {
    const form = new FormData()
    form.append('file', new Blob([content], { type: 'text/plain' }), name)
    return form
  }

  async function sendForm(method: string, path: string, form: FormData, token: string = TOKEN) {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${service.url}${path}`, { method, headers, body: form })
    return { status: response.status, text: await response.text() }
  }

  const upload = async (content: string, name: string) =>
    (JSON.parse((await sendForm('POST', '/files', formOf(content, name))).text) as { data: { id: string } }).data.id

  const make = async (path: string, body: Row) => (dataOf(await service.send('POST', path, body)) as { id: string }).id

  let people = 0
  /** A user with one policy for each permission. */
  async function person(...permissions: readonly Row[]): Promise<string> {
    people += 1
    const token = `files-rights-person-${people}-of-${dialect}`
    const user = await make('/users', { email: `person-${people}@example.com`, token })
    for (const permission of permissions) await grant({ user }, {}, permission)
    return token
  }

  async function grant(holder: Row, policy: Row, permission: Row): Promise<string> {
    const id = await make('/policies', { name: 'files', ...policy })
    await make('/access', { ...holder, policy: id })
    await make('/permissions', { policy: id, collection: 'service_files', ...permission })
    return id
  }

  test('a permission without the name opens content where one with the name does not hold', async () => {
    const id = await upload('content', 'secret-name.txt')
    const named = { action: 'read', fields: ['filename_download'], permissions: { title: { _eq: 'Other' } } }
    const token = await person(named, { action: 'read', fields: ['id'] })
    const answer = await service.get(`/assets/${id}`, { token })
    expect([answer.status, answer.text]).toEqual([200, 'content'])
    expect(answer.headers.get('content-disposition')).toBe('inline')
  })

  test('replacing a missing file is refused in the words of a closed one, whatever else is wrong', async () => {
    const id = await upload('content', 'closed.txt')
    const token = await person({
      action: 'update',
      fields: ['*'],
      permissions: { title: { _eq: 'Other' } },
      validation: { type: { _eq: 'text/csv' } },
    })
    const before = await readdir(folder)
    const replace = (key: string) => sendForm('PATCH', `/files/${key}`, formOf('new', 'new.txt'), token)
    const closed = await replace(id)
    expect(await replace('6a8e5bd5-2f36-4c0c-a0a3-6cc4ef2a16f2')).toEqual(closed)
    expect(await readdir(folder)).toEqual(before)
  })

  test('an error about content may not be kept by caches', async () => {
    const id = await upload('content', 'lost.txt')
    const outside = await service.get(`/assets/${id}`, { headers: { range: 'bytes=99-' } })
    await rm(join(folder, `${id}.txt`))
    const lost = await service.get(`/assets/${id}`)
    expect([codeOf(outside), codeOf(lost)]).toEqual(['RANGE_NOT_SATISFIABLE', 'SERVICE_UNAVAILABLE'])
    for (const { headers } of [outside, lost]) {
      expect(headers.get('cache-control') ?? '').not.toContain('max-age')
      expect([headers.get('etag'), headers.get('content-disposition'), headers.get('repr-digest')]).toEqual([
        null,
        null,
        null,
      ])
    }
  })

  test('content that the public may read from some addresses alone is not for shared caches', async () => {
    const id = await upload('content', 'inside.txt')
    await grant({}, { ip_access: ['127.0.0.1'] }, { action: 'read', fields: ['*'], permissions: { id: { _eq: id } } })
    const answer = await service.get(`/assets/${id}`, { token: null })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, expect.stringMatching(/^private/u)])
  })
})
