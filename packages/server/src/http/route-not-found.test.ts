import { expect, test } from 'vitest'
import { routeNotFound } from './route-not-found.ts'

const off = { openEventStream: null, socketPath: '/websocket' }
const on = { ...off, openEventStream: () => Promise.reject(new Error('not called')) }

test.each([
  ['/nowhere', off, `Route /nowhere doesn't exist.`],
  ['/websocket', off, 'Route /websocket is not served: WEBSOCKETS_ENABLED is not set.'],
  ['/realtime/items/tags', off, 'Route /realtime/items/tags is not served: WEBSOCKETS_ENABLED is not set.'],
  ['/realtime/tags', on, `Route /realtime/tags doesn't exist.`],
  [
    '/websocket',
    on,
    'Route /websocket opens WebSockets only. The request has no "Upgrade: websocket"; a proxy has to pass it on.',
  ],
  ['/websocket', { ...on, socketPath: null }, `Route /websocket doesn't exist.`],
])('the error for %s says why', (path, context, message) => {
  expect(routeNotFound(path, context)).toMatchObject({ code: 'ROUTE_NOT_FOUND', message, details: { path } })
})
