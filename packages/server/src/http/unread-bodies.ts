import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long the rest of a refused body is taken and dropped. */
const LINGER = 10_000

/**
 * A connection that is closed with unread bytes is reset, and the reset can overtake the response. So the rest of a body
 * that is too large is read and dropped for a while; Node.js would close the connection at once after `Connection: close`.
 */
export function drainBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return
  void reply.header('connection', 'keep-alive')
  raw.resume()
  const timer = setTimeout(() => raw.socket.destroy(), LINGER)
  timer.unref()
  raw.socket.once('close', () => clearTimeout(timer))
  raw.once('end', () => clearTimeout(timer))
}
