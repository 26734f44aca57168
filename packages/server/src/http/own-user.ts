import { users } from '@tain/contract/collections'
import type { FastifyInstance } from 'fastify'
import { routes } from '@tain/contract'
import { userOf } from '../system/procedures/self.ts'
import type { HttpContext } from './context.ts'
import { honoured } from './dry-run.ts'
import { at } from './route-at.ts'
import { writeHandler } from './writes.ts'

/** The caller's own row: a write like any other, at another address. */
export function ownUserRoute(app: FastifyInstance, context: HttpContext): void {
  const named = () => ({ name: users.name, isSystem: true })
  app.route({
    ...at(routes.updateMe),
    ...honoured,
    handler: writeHandler(context, named, (_, actor) => [userOf(actor)]),
  })
}
