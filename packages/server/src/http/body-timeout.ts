import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TOO_SLOW } from './client-errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is processed while it arrives, at the speed of the processing. */
    isSlow?: boolean
  }
}

/** Minimum rate for long bodies, in bytes per millisecond. */
const LEAST_RATE = 4

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function cut({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (!reply.raw.headersSent) raw.socket.write(TOO_SLOW)
  raw.socket.destroySoon()
}

/**
 * Node has one timeout for all request bodies, but a file import may take much longer. On such routes, only time spent
 * waiting for the client counts, and each received byte extends the limit.
 */
export function limitBodyTime(app: FastifyInstance, milliseconds: number): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (hasBody(request)) {
      const timer =
        request.routeOptions.config.isSlow === true
          ? limitWaiting(request, reply, milliseconds)
          : setTimeout(cut, milliseconds, request, reply)
      const stop = () => clearTimeout(timer)
      payload.once('end', stop).once('close', stop)
      reply.raw.once('close', stop)
    }
    done(null, payload)
  })
}

/** A body that is read by an iterator counts as paused all the time. */
const isRead = (raw: IncomingMessage) => raw.listenerCount('readable') > 0 || !raw.isPaused()

const isWaiting = (raw: IncomingMessage) => raw.readableLength === 0 && !raw.complete && isRead(raw)

function limitWaiting(request: FastifyRequest, reply: FastifyReply, milliseconds: number): NodeJS.Timeout {
  const { raw } = request
  const before = raw.socket.bytesRead
  const step = Math.min(1000, milliseconds / 4)
  let waited = 0
  const timer = setInterval(() => {
    if (isWaiting(raw)) waited += step
    if (waited <= milliseconds + (raw.socket.bytesRead - before) / LEAST_RATE) return
    clearInterval(timer)
    cut(request, reply)
  }, step)
  return timer
}
