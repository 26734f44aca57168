import { isForBody, keyInBody, keyInPath } from './address.ts'
import { assertConditions } from './defined.ts'

/** Keys are values or lists of parts; an object is a query or a payload. */
export const isQuery = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Rows by their keys or by a query; `all` stands beside the query. */
function target(which: unknown) {
  if (Array.isArray(which)) return { keys: which.map(keyInBody) }
  if (!isQuery(which)) throw new TypeError('updateMany and deleteMany need a list of keys or a query')
  assertConditions(which)
  const { all, ...query }: { readonly all?: unknown } = which
  return { ...(all === undefined ? {} : { all }), query }
}

/** Writes on the collection at an address, as method, path and body. */
export const operationsOf = (base: string) => ({
  create: (items: unknown) => ({ method: 'POST', path: base, body: items }),
  upsert: (items: unknown) => ({ method: 'PUT', path: base, body: items }),
  update: (key: unknown, patch: unknown) =>
    isForBody(key)
      ? { method: 'PATCH', path: base, body: { keys: [key], data: patch }, isOfList: true as const }
      : { method: 'PATCH', path: `${base}/${keyInPath(key)}`, body: patch },
  updateMany: (which: unknown, patch: unknown) => ({
    method: 'PATCH',
    path: base,
    body: { ...target(which), data: patch },
  }),
  delete: (key: unknown) =>
    isForBody(key)
      ? { method: 'DELETE', path: base, body: { keys: [key] }, isOfList: true as const }
      : { method: 'DELETE', path: `${base}/${keyInPath(key)}` },
  deleteMany: (which: unknown) => ({ method: 'DELETE', path: base, body: target(which) }),
})
