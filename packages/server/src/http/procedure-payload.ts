import { invalidQuery, type ProcedureRow, type Source } from '@tain/contract'
import type { FastifyRequest } from 'fastify'
import { nearest } from '../lib/nearest.ts'
import { withoutQuery } from './addressed-collection.ts'
import { rawQuery } from './token-sources.ts'

type Constants = Readonly<Record<string, string>>
type Reader = (request: FastifyRequest, name: string, constants: Constants) => unknown

/** Reads a member of the input from where the table says it is. */
const readers: Readonly<Record<Exclude<Source, 'body'>, Reader>> = {
  'whole body': ({ body }) => body,
  path: ({ params }, name) => (params as Readonly<Record<string, string>>)[name],
  'raw path': ({ raw, params }, name) =>
    Object.hasOwn(params as object, name) ? lastPart(withoutQuery(raw.url ?? '')) : undefined,
  query: (request, name) => new URLSearchParams(rawQuery(request)).get(name),
  'query list': (request, name) =>
    new URLSearchParams(rawQuery(request))
      .getAll(name)
      .flatMap((value) => value.split(',').filter((part) => part !== '')),
  address: (_, name, constants) => constants[name],
}

const lastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** The input as it was sent. A body with members is passed on as a whole, so that unknown members are noticed. */
export function payloadOf({ input, isStrict }: ProcedureRow, request: FastifyRequest, constants: Constants): unknown {
  if (isStrict === true) checkParameters(input, request)
  const members = Object.entries(input)
  const elsewhere = members.flatMap(([name, source]) =>
    source === 'body' ? [] : [[name, readers[source](request, name, constants)] as const],
  )
  if (elsewhere.length === members.length) return Object.fromEntries(elsewhere)
  const { body } = request
  if (elsewhere.length === 0) return body
  // A list has no members.
  return { ...(typeof body === 'object' && !Array.isArray(body) ? body : {}), ...Object.fromEntries(elsewhere) }
}

function checkParameters(input: ProcedureRow['input'], request: FastifyRequest): void {
  const known = Object.keys(input).filter((name) => input[name]?.startsWith('query') === true)
  for (const name of new URLSearchParams(rawQuery(request)).keys()) {
    if (known.includes(name) || name === 'access_token' || name.startsWith('_')) continue
    const hint = nearest(name, known)
    throw invalidQuery(`There is no parameter "${name}" here${hint === undefined ? '' : `; did you mean "${hint}"?`}`)
  }
}
