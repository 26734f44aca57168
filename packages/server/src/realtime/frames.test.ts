import { ServiceError } from '@tain/contract'
import { expect, test } from 'vitest'
import { frameOf, messageOf } from './frames.ts'
import type { Told } from './hub.ts'

const update: Told = { kind: 'update', data: '[{"id":1}]', rows: [{ key: '1', json: '{"id":1}' }], position: 'a-2' }

test('what is told becomes a message with the uid in it', () => {
  const read = (told: Told, uid: string | null) => JSON.parse(messageOf(told, uid)) as unknown
  expect(read(update, '5')).toEqual({
    type: 'subscription',
    event: 'update',
    data: [{ id: 1 }],
    uid: '5',
    position: 'a-2',
  })
  const init = { kind: 'init', data: null, meta: null, position: 'a-1', isResumed: true } as const
  expect(read(init, null)).toEqual({ type: 'subscription', event: 'init', position: 'a-1', resumed: true })
  expect(read({ ...init, data: '[]', meta: '{"total_count":0}', isResumed: null }, 'x"')).toEqual({
    type: 'subscription',
    event: 'init',
    data: [],
    meta: { total_count: 0 },
    uid: 'x"',
    position: 'a-1',
  })
  const error = new ServiceError('FORBIDDEN')
  expect(read({ kind: 'error', error }, '5')).toEqual({
    type: 'subscribe',
    status: 'error',
    error: { code: 'FORBIDDEN', message: error.message },
    uid: '5',
  })
})

test('connections that are told the same under the same name share the bytes', () => {
  expect(frameOf(update, '5')).toBe(frameOf(update, '5'))
  expect(frameOf(update, null)).not.toBe(frameOf(update, '5'))
  expect(frameOf({ ...update }, '5')).not.toBe(frameOf(update, '5'))
})
