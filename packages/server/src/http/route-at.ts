import type { Route, RouteMethod } from '@tain/contract'

/** Methods and URL of a route in the contract's table. */
export const at = ({ methods, path }: Route, below = ''): { readonly method: RouteMethod[]; readonly url: string } => ({
  method: [...methods],
  url: `${below}${path}`,
})
