import { collections, type SystemCollection } from './collections/index.ts'
import { procedures, type ProcedureRow } from './procedures/index.ts'
import { itemRoutes, itemWriteRoutes, ITEMS_PATH, routes, type Route, type RouteMethod } from './procedures/routes.ts'

export interface Address {
  readonly method: RouteMethod
  readonly path: string
  readonly callers: Route['callers']
}

const addressesOf = (rows: Readonly<Record<string, Route>>, below = ''): readonly Address[] =>
  Object.values(rows).flatMap(({ methods, path, callers }) =>
    methods.map((method) => ({ method, path: `${below}${path}`, callers })),
  )

const ofProcedure = ({ rest, callers }: ProcedureRow): readonly Address[] =>
  rest.map(([method, path]) => ({ method, path, callers }))

const ofCollection = ({ path, isReadOnly }: SystemCollection): readonly Address[] =>
  path === null
    ? []
    : [...addressesOf(itemRoutes, `/${path}`), ...(isReadOnly ? [] : addressesOf(itemWriteRoutes, `/${path}`))]

/** Every address of the REST interface. */
export const addresses: readonly Address[] = [
  ...Object.values<ProcedureRow>(procedures).flatMap(ofProcedure),
  ...addressesOf({ ...itemRoutes, ...itemWriteRoutes }, ITEMS_PATH),
  ...Object.values<SystemCollection>(collections).flatMap(ofCollection),
  ...addressesOf(routes),
]
