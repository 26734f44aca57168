declare const authorized: unique symbol

/** A query or write tree with access rules applied. Only this folder creates one; planners accept nothing else. */
export type Authorized<T> = T & { readonly [authorized]: true }

export const authorize = <T>(tree: T): Authorized<T> => tree as Authorized<T>
