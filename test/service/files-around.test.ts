import { execFileSync } from 'node:child_process'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, TOKEN, until, type Service } from '../lib/service.ts'

type Row = Readonly<Record<string, unknown>>

/** Files that come from elsewhere, leave together, and are shared for a while. */
describe.each(testDialects)('files on %s', (dialect) => {
  let database: TestDatabase
  let service: Service
  let folder: string
  let origin: Server
  let elsewhere: string
  let seen: IncomingHttpHeaders | undefined

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tain-files-'))
    origin = createServer((request, response) => {
      seen = request.headers
      response.writeHead(200, { 'content-type': 'text/plain' }).end('from elsewhere')
    })
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
    elsewhere = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`
    database = await createDatabase(dialect)
    await database.query(`create table tags (id integer primary key, name varchar(20), secret varchar(20));
      insert into tags values (1, 'math', 'x'), (2, 'art', 'y'), (3, 'law', 'z')`)
    service = await openService({
      DATABASE_URL: database.url,
      STORAGE_LOCAL_ROOT: join(folder, 'uploads'),
      IMPORT_IP_ALLOW_LIST: '127.0.0.1',
    })
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
    origin.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function upload(content: string, name: string, fields: Readonly<Record<string, string>> = {}): Promise<string> {
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.append(field, value)
    form.append('file', new Blob([content], { type: 'text/plain' }), name)
    const headers = { authorization: `Bearer ${TOKEN}` }
    const response = await fetch(`${service.url}/files`, { method: 'POST', headers, body: form })
    return ((await response.json()) as { data: { id: string } }).data.id
  }

  const make = async (path: string, body: Row) =>
    dataOf(await service.send('POST', path, body)) as Readonly<{ id: string }>

  let people = 0
  async function person(...permissions: readonly Row[]): Promise<{ readonly id: string; readonly token: string }> {
    people += 1
    const token = `token-of-person-${people}`
    const policy = await make('/policies', { name: token, permissions })
    const { id } = await make('/users', { token, policies: { create: [{ policy: policy.id }] } })
    return { id, token }
  }
  const may = (collection: string, action: string, more: Row = {}) => ({ collection, action, fields: ['*'], ...more })

  test('a new file was changed when it was made', async () => {
    const id = await upload('new', 'new.txt')
    const row = dataOf(await service.get(`/files/${id}?fields=created_on,modified_on`)) as Row
    expect(row['modified_on']).toBe(row['created_on'])
  })

  async function unpacked(path: string, body: Row, token: string = TOKEN): Promise<Readonly<Record<string, string>>> {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
    const file = join(folder, `${Math.random()}.zip`)
    await writeFile(file, Buffer.from(await response.arrayBuffer()))
    const names = execFileSync('unzip', ['-Z1', file], { encoding: 'utf8' }).trim().split('\n')
    const contentOf = (name: string) => execFileSync('unzip', ['-p', file, name], { encoding: 'utf8' })
    return Object.fromEntries(names.map((name) => [name, contentOf(name)]))
  }

  test('an import becomes a file, and the other server learns nothing about the caller', async () => {
    const data = { title: 'Given' }
    const file = dataOf(await service.send('POST', '/files/import', { url: `${elsewhere}/a%20b.txt`, data })) as Row
    expect(file).toMatchObject({ title: 'Given', filename_download: 'a b.txt', type: 'text/plain', filesize: '14' })
    expect((await service.get(`/assets/${String(file['id'])}`)).text).toBe('from elsewhere')
    expect(Object.keys(seen ?? {}).sort()).toEqual(['accept-encoding', 'connection', 'host', 'user-agent'])
  })

  test('an import that may not be read answers nothing; one that may not be made asks nobody', async () => {
    const blind = await person(may('service_files', 'create'))
    const url = `${elsewhere}/blind.txt`
    expect((await service.send('POST', '/files/import', { url }, blind)).status).toBe(204)
    const list = await service.get('/files?filter[filename_download][_eq]=blind.txt&fields=uploaded_by')
    expect(dataOf(list)).toEqual([{ uploaded_by: blind.id }])
    seen = undefined
    expect(codeOf(await service.send('POST', '/files/import', { url }, await person()))).toBe('FORBIDDEN')
    expect(seen).toBeUndefined()
  })

  test('an import that is only tried leaves nothing', async () => {
    const before = await readdir(join(folder, 'uploads'))
    const options = { headers: { prefer: 'tx=rollback' } }
    expect(
      dataOf(await service.send('POST', '/files/import?fields=type', { url: `${elsewhere}/tried` }, options)),
    ).toEqual({ type: 'text/plain' })
    expect(await readdir(join(folder, 'uploads'))).toEqual(before)
    expect(dataOf(await service.get('/files?filter[filename_download][_eq]=tried&fields=id'))).toEqual([])
  })

  test('an archive holds the files under names of their own, in the order of the keys', async () => {
    const ids = [await upload('one', 'same.txt'), await upload('two', 'same.txt'), await upload('three', 'x.txt')]
    expect(await unpacked('/assets/files', { ids })).toEqual({
      'same.txt': 'one',
      'same (2).txt': 'two',
      'x.txt': 'three',
    })
  })

  test('a folder is packed with those below it, as far as the caller may read', async () => {
    const { id: top } = await make('/folders', { name: 'Top' })
    const { id: open } = await make('/folders', { name: 'Open', parent: top })
    const { id: closed } = await make('/folders', { name: 'Closed', parent: top })
    await upload('top', 'a.txt', { folder: top })
    await upload('open', 'a.txt', { folder: open })
    await upload('hidden', 'hidden.txt', { folder: open })
    await upload('closed', 'a.txt', { folder: closed })
    expect(await unpacked(`/assets/folder/${top}`, {})).toEqual({
      'a.txt': 'top',
      'Open/a.txt': 'open',
      'Open/hidden.txt': 'hidden',
      'Closed/a.txt': 'closed',
    })
    const { token } = await person(
      may('service_folders', 'read', { permissions: { name: { _neq: 'Closed' } } }),
      may('service_files', 'read', { permissions: { filename_download: { _neq: 'hidden.txt' } } }),
    )
    expect(await unpacked(`/assets/folder/${top}`, {}, token)).toEqual({ 'a.txt': 'top', 'Open/a.txt': 'open' })
    expect(codeOf(await service.send('POST', `/assets/folder/${closed}`, {}, { token }))).toBe('FORBIDDEN')
  })

  test.each([[{}], [{ ids: [] }], [{ ids: [7] }], [{ ids: 'x' }], [{ ids: ['x'], more: 1 }]])(
    '%j is no list of files',
    async (body) => expect(codeOf(await service.send('POST', '/assets/files', body))).toBe('INVALID_PAYLOAD'),
  )

  test('one file that is closed or missing closes the archive', async () => {
    const id = await upload('x', 'x.txt')
    const missing = '00000000-0000-4000-8000-000000000000'
    for (const ids of [[id, missing], ['x']])
      expect(codeOf(await service.send('POST', '/assets/files', { ids }))).toBe('FORBIDDEN')
    expect(codeOf(await service.send('POST', '/assets/files', { ids: [id] }, await person()))).toBe('FORBIDDEN')
  })

  test('a link opens the file for anybody, while its maker may read it', async () => {
    const reader = await person(may('service_files', 'read'))
    const id = await upload('linked', 'linked.txt')
    const { url } = dataOf(await service.get(`/files/${id}/url?download&expires_in=60`, reader)) as { url: string }
    const opened = await service.get(url, { token: null })
    expect([opened.status, opened.text]).toEqual([200, 'linked'])
    expect(opened.headers.get('content-disposition')).toMatch(/^attachment/u)
    expect(Number(/max-age=(\d+)/u.exec(opened.headers.get('cache-control') ?? '')?.[1])).toBeLessThanOrEqual(60)
    for (const other of [`${url}&x=1`, url.replace('download', 'Download'), url.replace(id, await upload('', 'o'))])
      expect(codeOf(await service.get(other, { token: null }))).toBe('FORBIDDEN')
    await service.send('PATCH', `/users/${reader.id}`, { status: 'suspended' })
    expect(codeOf(await service.get(url, { token: null }))).toBe('FORBIDDEN')
  })

  test('a link needs a maker who may read the file, and parameters that exist', async () => {
    const id = await upload('x', 'x.txt')
    expect(codeOf(await service.get(`/files/${id}/url`, await person()))).toBe('FORBIDDEN')
    expect(codeOf(await service.get(`/files/${id}/url`, { token: null }))).toBe('FORBIDDEN')
    expect(codeOf(await service.get(`/files/${id}/url?widht=3`))).toBe('INVALID_QUERY')
  })

  test('a field that holds a file is emptied with it', async () => {
    const image = { field: 'image', type: 'uuid', schema: {}, meta: { special: ['file'] } }
    dataOf(await service.send('POST', '/fields/tags', image))
    const relation = { collection: 'tags', field: 'image', related_collection: 'service_files' }
    dataOf(await service.send('POST', '/relations', { ...relation, schema: { on_delete: 'SET NULL' }, meta: {} }))
    const id = await upload('cover', 'cover.txt')
    const read = async (fields: string) => dataOf(await service.get(`/items/tags/1?fields=${fields}`))
    dataOf(await service.send('PATCH', '/items/tags/1', { image: id }))
    expect(await read('image.filename_download')).toEqual({ image: { filename_download: 'cover.txt' } })
    const missing = '00000000-0000-4000-8000-000000000000'
    expect(codeOf(await service.send('PATCH', '/items/tags/1', { image: missing }))).toBe('INVALID_FOREIGN_KEY')
    const snapshot = dataOf(await service.get('/schema/snapshot'))
    expect((await service.send('POST', '/schema/diff', snapshot)).status).toBe(204)
    expect((await service.send('DELETE', `/files/${id}`)).status).toBe(204)
    expect(await read('image')).toEqual({ image: null })
    expect((await service.send('DELETE', '/fields/tags/image')).status).toBe(204)
  })

  test('an export leaves a file of its caller and a notification', async () => {
    const caller = await person(
      may('tags', 'read', { fields: ['id', 'name'], permissions: { id: { _lt: 3 } } }),
      may('service_files', 'create'),
      may('service_files', 'read'),
      may('service_notifications', 'read', { permissions: { recipient: { _eq: '$CURRENT_USER' } } }),
    )
    const order = { query: { sort: ['-id'] }, format: 'json', file: { title: 'Ours' } }
    expect((await service.send('POST', '/utils/export/tags', order, caller)).status).toBe(204)
    const notes = async () =>
      dataOf(await service.get('/notifications?fields=item,collection,subject', caller)) as readonly Row[]
    await until(async () => (await notes()).length > 0, 20, 'a notification')
    const [note] = await notes()
    expect(note).toMatchObject({ collection: 'service_files', subject: 'Your export of "tags" is ready' })
    const file = dataOf(await service.get(`/files/${String(note?.['item'])}`, caller)) as Row
    expect(file).toMatchObject({ title: 'Ours', uploaded_by: caller.id, type: 'application/json' })
    expect(file['filename_download']).toMatch(/^export-tags-\d{8}-\d{6}\.json$/u)
    expect(JSON.parse((await service.get(`/assets/${String(file['id'])}`, caller)).text)).toEqual([
      { id: 2, name: 'art' },
      { id: 1, name: 'math' },
    ])
  })

  test('what an export may not do is refused at once', async () => {
    const order = { query: {}, format: 'json' }
    const send = (path: string, body: Row, options?: { token: string | null }) =>
      service.send('POST', `/utils/export/${path}`, body, options)
    expect(codeOf(await send('tags', { ...order, format: 'docx' }))).toBe('INVALID_PAYLOAD')
    expect(codeOf(await send('tags', { format: 'json' }))).toBe('INVALID_PAYLOAD')
    expect(codeOf(await send('tags', { ...order, file: { filesize: 1 } }))).toBe('INVALID_PAYLOAD')
    expect(codeOf(await send('tags', { ...order, query: { limt: 1 } }))).toBe('INVALID_QUERY')
    expect(codeOf(await send('tags', { ...order, query: { filter: { nope: 1 } } }))).toBe('FORBIDDEN')
    expect(codeOf(await send('nothing_here', order))).toBe('FORBIDDEN')
    expect(codeOf(await send('tags', order, await person(may('tags', 'read'))))).toBe('FORBIDDEN')
    expect(codeOf(await send('tags', order, await person(may('service_files', 'create'))))).toBe('FORBIDDEN')
    expect(codeOf(await send('tags', order, { token: null }))).toBe('INVALID_CREDENTIALS')
  })
})
