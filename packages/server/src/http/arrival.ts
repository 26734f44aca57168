import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is worked on while it arrives, at the pace of the work. */
    isSlow?: boolean
  }
}

const TOO_SLOW = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function cut({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (!reply.raw.headersSent) raw.socket.write(TOO_SLOW)
  raw.socket.destroySoon()
}

/** Node knows one limit for all requests to arrive, and a file being imported may need much longer than the others. */
export function limitArrival(app: FastifyInstance, milliseconds: number): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.routeOptions.config.isSlow !== true && hasBody(request)) {
      const timer = setTimeout(cut, milliseconds, request, reply)
      payload.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
    }
    done(null, payload)
  })
}
