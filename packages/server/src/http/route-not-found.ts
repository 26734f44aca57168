import { ServiceError } from '@tain/contract'
import type { HttpContext } from './context.ts'

/** The error for a path without a route. It says why, where a setting or a missing upgrade is the reason. */
export function routeNotFound(
  path: string,
  { openEventStream, socketPath }: Pick<HttpContext, 'openEventStream' | 'socketPath'>,
): ServiceError {
  const isSocket = path === socketPath
  const isOff = openEventStream === null && (isSocket || path.startsWith('/realtime/'))
  if (isOff) return notFound(path, `Route ${path} is not served: WEBSOCKETS_ENABLED is not set.`)
  if (!isSocket) return notFound(path, `Route ${path} doesn't exist.`)
  return notFound(
    path,
    `Route ${path} opens WebSockets only. The request has no "Upgrade: websocket"; a proxy has to pass it on.`,
  )
}

const notFound = (path: string, message: string) => new ServiceError('ROUTE_NOT_FOUND', message, { path })
