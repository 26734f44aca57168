import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { examineConfig } from '../config.ts'
import { driverSettings } from './storage.ts'

const examine = (environment: Record<string, string>) => {
  const { config, problems } = examineConfig({ DATABASE_URL: 'sqlite:x.db', ...environment })
  return { storages: config.storages, problems }
}
const bucket = {
  STORAGE_LOCATIONS: 's3',
  STORAGE_S3_DRIVER: 's3',
  STORAGE_S3_KEY: 'key',
  STORAGE_S3_SECRET: 'hunter2',
  STORAGE_S3_BUCKET: 'files',
}

test('without settings, files lie in a folder beside the service', () => {
  expect(examine({})).toEqual({ storages: [{ driver: 'local', name: 'local', root: './uploads' }], problems: [] })
})

test('a bucket has its own settings, and some have defaults', () => {
  const { storages, problems } = examine({ ...bucket, STORAGE_S3_ENDPOINT: 'http://host:1/', STORAGE_S3_ROOT: '/a/b/' })
  expect(problems).toEqual([])
  expect(storages).toEqual([
    {
      driver: 's3',
      name: 's3',
      key: 'key',
      secret: 'hunter2',
      bucket: 'files',
      region: 'us-east-1',
      endpoint: 'http://host:1',
      forcePathStyle: false,
      root: 'a/b',
      acl: null,
      serverSideEncryption: null,
    },
  ])
})

test('several storages keep their order, and one name may begin with another', () => {
  const { storages, problems } = examine({
    ...bucket,
    STORAGE_LOCATIONS: 's3, s3_old ,local',
    STORAGE_S3_OLD_DRIVER: 'local',
    STORAGE_S3_OLD_ROOT: '/old',
  })
  expect(problems).toEqual([])
  expect(storages.map(({ name, root }) => [name, root])).toEqual([
    ['s3', ''],
    ['s3_old', '/old'],
    ['local', './uploads'],
  ])
})

test.each([
  [{ STORAGE_LOCATIONS: 'a b' }, /^STORAGE_LOCATIONS has to be a list/u],
  [{ STORAGE_LOCATIONS: 'local,LOCAL' }, /^STORAGE_LOCATIONS has to be a list of different names/u],
  [{ STORAGE_LOCATIONS: ',' }, /^STORAGE_LOCATIONS has to be a list/u],
  [{ STORAGE_LOCATIONS: 'files' }, /^STORAGE_FILES_DRIVER is not set: the kind of the storage files: local or s3$/u],
  [{ STORAGE_LOCAL_DRIVER: 'gcs' }, /^STORAGE_LOCAL_DRIVER has to be .*local or s3$/u],
  [{ ...bucket, STORAGE_S3_KEY: '' }, /^STORAGE_S3_KEY is not set: access key/u],
  [{ ...bucket, STORAGE_S3_ENDPOINT: 'host' }, /^STORAGE_S3_ENDPOINT has to be an address/u],
  [{ ...bucket, STORAGE_S3_FORCE_PATH_STYLE: 'maybe' }, /^STORAGE_S3_FORCE_PATH_STYLE has to be true or false/u],
  [{ ...bucket, STORAGE_S3_ROOT: 'a/../b' }, /^STORAGE_S3_ROOT has to be a path/u],
  [{ ...bucket, STORAGE_S3_BUKET: 'x' }, /^STORAGE_S3_BUKET is no setting of this storage; STORAGE_S3_BUCKET is$/u],
  [{ STORAGE_LOCAL_BUCKET: 'x' }, /^STORAGE_LOCAL_BUCKET is no setting of this storage/u],
  [{ ...bucket, STORAGE_S3_SECRET_FILE: '/nowhere' }, /^STORAGE_S3_SECRET and STORAGE_S3_SECRET_FILE are both set/u],
])('%j is a problem', (environment, problem) => {
  const { problems } = examine(environment)
  expect(problems).toEqual([expect.stringMatching(problem)])
  expect(problems.join()).not.toContain('hunter2')
})

test('docs/configuration.md lists the settings of every driver', () => {
  const document = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  const rows = [...document.matchAll(/^\| `(\w+)` \| `([A-Z_0-9]+)` \| (.*) \| (.*) \|$/gmu)].map((row) => row.slice(1))
  const printed = (fallback?: string | boolean | null) =>
    fallback === undefined ? 'required' : fallback === null || fallback === '' ? 'none' : `\`${fallback}\``
  const expected = Object.entries(driverSettings).flatMap(([driver, settings]) =>
    Object.values(settings).map(({ name, fallback, what }) => [driver, name, printed(fallback), what]),
  )
  expect(rows).toEqual(expected)
})
