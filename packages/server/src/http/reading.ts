import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Also reads: its requests say what they do. */
    mayRead?: 'graphql' | 'override'
  }
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'SEARCH', 'QUERY'])

export const isReadMethod = (method: string): boolean => methods.has(method)

/** Whether the request only reads. A GraphQL operation is checked when it is known. */
export const isReading = ({ method, headers, routeOptions: { config } }: FastifyRequest): boolean =>
  isReadMethod(method) || config.mayRead === 'graphql' || (config.mayRead === 'override' && isReadOverride(headers))

/** For proxies that know only the usual methods. */
export function isReadOverride(headers: FastifyRequest['headers']): boolean {
  const override = headers['x-http-method-override']
  return typeof override === 'string' && /^(SEARCH|QUERY)$/iu.test(override)
}
