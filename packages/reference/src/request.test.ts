import { expect, test } from 'vitest'
import { addressOf, curlOf, type Asked } from './request.ts'

const asked: Asked = {
  method: 'GET',
  path: '/items/goods/{id}',
  inPath: { id: 'a/b,7' },
  inQuery: { fields: '*.*', filter: '{"name":{"_eq":"x&y"}}', sort: '' },
  body: null,
  isDryRun: false,
  hasToken: true,
}

test('an address has the key and the parameters that were filled in', () => {
  expect(addressOf(asked)).toBe(
    '/items/goods/a%2Fb,7?fields=*.*&filter=%7B%22name%22%3A%7B%22_eq%22%3A%22x%26y%22%7D%7D',
  )
})

test('a command can be passed on: the token is not in it, and quotes do not end it', () => {
  const command = curlOf(
    { ...asked, method: 'PATCH', inQuery: {}, body: `{"name":"it's"}`, isDryRun: true },
    'http://localhost:8055',
  )
  expect(command.split(' \\\n  ')).toEqual([
    "curl -X PATCH 'http://localhost:8055/items/goods/a%2Fb,7'",
    '-H "Authorization: Bearer $TOKEN"',
    "-H 'content-type: application/json'",
    "-H 'prefer: tx=rollback'",
    `-d '{"name":"it'\\''s"}'`,
  ])
})
