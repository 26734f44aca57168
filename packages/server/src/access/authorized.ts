declare const authorized: unique symbol

/** A tree that access rules have been written into. Only this folder makes them; planners take nothing else. */
export type Authorized<T> = T & { readonly [authorized]: true }

export const authorize = <T>(tree: T): Authorized<T> => tree as Authorized<T>
