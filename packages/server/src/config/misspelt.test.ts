import { expect, test } from 'vitest'
import { settings } from '../config.ts'
import { misspeltIn } from './misspelt.ts'

const names = new Set<string>(Object.values(settings).map(({ name }) => name))

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['PUBLIC_ULR', 'PUBLIC_URL'],
  ['SECRTE_PREVIOUS', 'SECRET_PREVIOUS'],
  ['SECRE', 'SECRET'],
  ['SECRETT_FILE', 'SECRET_FILE'],
  ['WEBSOCKET_ENABLED', 'WEBSOCKETS_ENABLED'],
  ['WEBSOCKETS_ENABLE', 'WEBSOCKETS_ENABLED'],
])('%s is nearly %s', (name, meant) => {
  expect(misspeltIn([name], names)).toEqual([{ name, meant }])
})

test('settings, and variables of other programs, are not misspelt', () => {
  const others = [
    'HOME',
    'PATH',
    'USER',
    'SHELL',
    'LANG',
    'TERM',
    'PWD',
    'HOSTNAME',
    'LOGNAME',
    'EDITOR',
    'PAGER',
    'MAIL',
  ]
  const programs = ['NODE_OPTIONS', 'NODE_PATH', 'PGHOST', 'PGPORT', 'TAIN_TOKEN', 'npm_config_cache', 'XDG_DATA_DIRS']
  const storages = ['STORAGE_S3_KEY', 'STORAGE_LOCAL_ROOT']
  expect(misspeltIn([...names, 'SECRET_FILE', ...others, ...programs, ...storages], names)).toEqual([])
})
