import { isForBody, keyInBody, keyInPath } from './address.ts'

/** Keys are values or lists of parts; an object is a query or a payload. */
export const isQuery = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const target = (which: unknown) => (Array.isArray(which) ? { keys: which.map(keyInBody) } : { query: which })

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
