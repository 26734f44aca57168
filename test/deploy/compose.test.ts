import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { settings } from '../../packages/server/src/config.ts'

const top = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(top, name), 'utf8')

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

interface Service {
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly read_only?: boolean
}

const { services, volumes } = parse(read('compose.yaml')) as Compose
const storage = /STORAGE_LOCAL_ROOT=(\S+)/u.exec(read('Dockerfile'))?.[1] ?? ''

test('the image stores files in a folder that belongs to its user', () => {
  expect(storage).toMatch(/^\/data\/./u)
  expect(read('Dockerfile')).toMatch(/^COPY .*--chown=1000:1000 \/data \/data$/mu)
  expect(read('Dockerfile')).toMatch(/^USER 1000:1000$/mu)
})

test('compose.yaml keeps files and rows in named volumes, and gives the read-only container a /tmp', () => {
  const mounts = Object.values(services).flatMap(({ volumes: given = [] }) => given.map((mount) => mount.split(':')))
  expect(new Set(mounts.map(([name]) => name))).toEqual(new Set(Object.keys(volumes)))
  const folders = (services['tain']?.volumes ?? []).map((mount) => mount.split(':')[1] ?? '')
  expect(folders.some((folder) => storage.startsWith(`${folder}/`))).toBe(true)
  expect(services['tain']).toMatchObject({ read_only: true, tmpfs: ['/tmp'] })
})

test('compose.yaml sets settings that there are, with sockets', () => {
  const { environment = {} } = services['tain'] ?? {}
  const names = new Set(Object.values(settings).map(({ name }) => name))
  for (const name of Object.keys(environment)) expect(names).toContain(name)
  expect(environment['WEBSOCKETS_ENABLED']).toBe('${WEBSOCKETS_ENABLED:-true}')
})
