// tain files check, sweep and migrate.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runCommand } from '../lib/command.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { openService, TOKEN, type Service } from '../lib/service.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const authorization = { authorization: `Bearer ${TOKEN}` }
const ORPHAN = '00000000-0000-4000-8000-000000000000.txt'

interface Row {
  readonly id: string
  readonly filename_disk: string
  readonly storage: string
}

describe.each(testDialects)('tain files on %s', (dialect) => {
  let database: TestDatabase
  let folder: string
  let service: Service
  let environment: Readonly<Record<string, string>>

  /** `said` is the last line for people; lines before it tell how far the work is. */
  const tain = async (...words: readonly string[]) => {
    const { code, out, error } = await runCommand(['files', ...words], { environment })
    return { code, out, said: error.trim().split('\n').at(-1) }
  }
  const objects = async (place: string) =>
    (await readdir(join(folder, place))).filter((name) => name !== '.part').sort()
  const upload = async (content: string): Promise<Row> => {
    const form = new FormData()
    form.append('file', new Blob([content], { type: 'text/plain' }), 'a.txt')
    const response = await fetch(`${service.url}/files`, { method: 'POST', body: form, headers: authorization })
    return ((await response.json()) as { readonly data: Row }).data
  }
  const contentOf = async (id: string) =>
    (await fetch(`${service.url}/assets/${id}`, { headers: authorization })).text()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tain-files-'))
    database = await createDatabase(dialect)
    environment = {
      DATABASE_URL: database.url,
      STORAGE_LOCATIONS: 'first,second',
      STORAGE_FIRST_DRIVER: 'local',
      STORAGE_FIRST_ROOT: join(folder, 'first'),
      STORAGE_SECOND_DRIVER: 'local',
      STORAGE_SECOND_ROOT: join(folder, 'second'),
    }
    service = await openService(environment)
  })
  afterAll(async () => {
    await service?.stop()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  test('check finds nothing where every file has its content', async () => {
    await upload('whole')
    expect(await tain('check')).toMatchObject({
      code: 0,
      out: '',
      said: '1 file checked, 0 wrong, 0 objects of no file.',
    })
  })

  test('check tells lost and changed content and exits with 1; without reading, a change of the same size is not seen', async () => {
    const [lost, changed] = [await upload('lost'), await upload('before')]
    await rm(join(folder, 'first', lost.filename_disk))
    await writeFile(join(folder, 'first', changed.filename_disk), 'beyond')
    const deep = await tain('check', '--json')
    const found = deep.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; subject: string })
    expect(deep.code).toBe(1)
    expect(found).toHaveLength(2)
    expect(found).toContainEqual(expect.objectContaining({ kind: 'lost', subject: lost.id }))
    expect(found).toContainEqual(expect.objectContaining({ kind: 'content', subject: changed.id }))
    expect((await tain('check', '--quick')).out).not.toContain(changed.id)
    await service.send('DELETE', '/files', [lost.id, changed.id])
    await vi.waitFor(async () => expect(await objects('first')).toHaveLength(1))
  })

  test('sweep removes objects of no file, and nothing else; a dry run only lists them', async () => {
    await writeFile(join(folder, 'first', ORPHAN), 'nobody')
    await writeFile(join(folder, 'first', 'notes.md'), 'not made by the service')
    const before = await objects('first')
    expect((await tain('sweep', '--dry-run', '--older-than', '0s')).out).toBe(`first: ${ORPHAN} (6 bytes)\n`)
    expect((await tain('sweep')).said).toBe('0 objects removed.')
    expect(await objects('first')).toEqual(before)
    expect((await tain('sweep', '--older-than', '0s')).said).toBe('1 object removed.')
    expect(await objects('first')).toEqual(before.filter((name) => name !== ORPHAN))
    expect(await tain('sweep', '--older-than', 'soon')).toMatchObject({ code: 2 })
  })

  test('migrate moves content to another storage, and the service goes on serving it', async () => {
    const file = await upload('moving')
    const moved = await tain('migrate', '--from', 'first', '--to', 'second')
    expect(moved).toMatchObject({ code: 0, said: '2 files moved from first to second.' })
    expect(await objects('first')).toEqual(['notes.md'])
    expect(await objects('second')).toContain(file.filename_disk)
    expect(await contentOf(file.id)).toBe('moving')
    const { body } = await service.get(`/files/${file.id}?fields=storage,checksum`)
    const checksum = createHash('sha256').update('moving').digest('hex')
    expect(body).toEqual({ data: { storage: 'second', checksum } })
    expect(await tain('migrate', '--from', 'first', '--to', 'second')).toMatchObject({ code: 0 })
    expect(await tain('migrate', '--from', 'first', '--to', 'nowhere')).toMatchObject({ code: 2 })
  })
})
