import type { FastifyInstance } from 'fastify'

/** Methods and paths of all routes of a server that is ready; parameters of the same place share a name. */
export function routesOf(server: FastifyInstance): string[] {
  const parents: string[] = []
  return server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', path = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/u.exec(line) ?? []
      if (path === '') return []
      const depth = indent.length / 4
      parents.splice(depth, Infinity, path.replace(/:id\|:key/u, ':key'))
      // The slash before a wildcard is not printed.
      const route = parents.join('').replace(/(?<=[^/])\*$/u, '/*')
      return methods.split(', ').map((method) => `${method} ${route}`)
    })
}
