import { routes, type PageProps, type Route } from './routes.ts'

export interface Match {
  readonly route: Route
  readonly params: PageProps
}

/** The parts of a path that stand where a pattern has `:names`; null: the path is another one. */
export function matchPath(pattern: string, path: string): PageProps | null {
  const [wanted, given] = [partsOf(pattern), partsOf(path)]
  if (wanted.length !== given.length) return null
  const isSame = wanted.every((part, at) => part.startsWith(':') || part === given[at])
  if (!isSame) return null
  return Object.fromEntries(wanted.flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), given[at]]] : [])))
}

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '')

/** The page of a path below the app; the first route that matches wins. */
export function matchRoute(path: string): Match | null {
  for (const route of routes) {
    const params = matchPath(route.path, path)
    if (params !== null) return { route, params }
  }
  return null
}
