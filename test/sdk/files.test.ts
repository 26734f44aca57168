import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, isTainError } from '@tain/sdk'
import { getFileUrl } from '@tain/sdk/procedures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TOKEN } from '../lib/service.ts'
import { startWorld, type World } from './world.ts'

interface FileRow {
  readonly id: string
  readonly title: string
  readonly filesize: string
}

let world: World
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tain-sdk-files-'))
  world = await startWorld({ STORAGE_LOCAL_ROOT: folder })
})
afterAll(async () => {
  await world.end()
  await rm(folder, { recursive: true, force: true })
})

function formOf(content: string, title?: string): FormData {
  const form = new FormData()
  if (title !== undefined) form.append('title', title)
  form.append('file', new Blob([content], { type: 'text/plain' }), 'note.txt')
  return form
}

test('a form is uploaded, read, replaced and found among the rows', async () => {
  const { files } = world.tain
  const file = await files.upload<FileRow>(formOf('first', 'Note'), { fields: ['id', 'title', 'filesize'] })
  expect(file).toEqual({ id: file.id, title: 'Note', filesize: '5' })
  expect(await (await files.content(file.id)).text()).toBe('first')
  await files.replace(file.id, formOf('second'))
  expect(await (await files.content(file.id, { download: '' })).text()).toBe('second')
  expect(files.address(file.id, { width: 20, transforms: [['flip']] })).toBe(
    `${world.service.url}/assets/${file.id}?width=20&transforms=%5B%5B%22flip%22%5D%5D`,
  )
  const loose = createClient({ url: world.service.url, auth: TOKEN })
  expect(await loose.items('service_files').list({ fields: ['id'] })).toEqual([{ id: file.id }])
})

test('a link opens the content for everybody', async () => {
  const { files, call } = world.tain
  const { id } = await files.upload<FileRow>(formOf('shared'))
  const { url } = await call(getFileUrl, { id })
  expect(await (await fetch(new URL(url, world.service.url))).text()).toBe('shared')
})

test('content that may not be read is a refusal', async () => {
  const { id } = await world.tain.files.upload<FileRow>(formOf('closed'))
  const error: unknown = await world
    .client({})
    .files.content(id)
    .catch((reason: unknown) => reason)
  expect(isTainError(error) && error.code).toBe('FORBIDDEN')
})
