import { parseDigits } from './digits.ts'
import type { GraphNames } from '../graphql-names.ts'
import { NoTwin, render, type Rendered } from './graphql.ts'
import { difference, isRecord } from './interpret/expected.ts'
import type { Reply, Request } from '../../lib/server.ts'
import type { Outcome, Read } from '../rights/answer.ts'
import { tokenOf } from './encoding.ts'
import { explicit, withoutTexts } from './explicit.ts'
import { mayName } from '../rights/name-check.ts'
import type { Caller } from '../rights/rights.ts'
import type { View } from '../rights/view.ts'

/** A read as a GraphQL document, with all fields named. */
export interface GraphRead {
  readonly read: Read
  readonly request: Request
  readonly decode: Rendered['decode']
}

/** Returns null if GraphQL cannot express the read. */
export function graphRead(names: GraphNames, view: View, { query, key }: Read, caller: Caller): GraphRead | null {
  const read = { query: explicit(view, query), key }
  const rendered = renderedOf(names, view, read)
  if (rendered === null) return null
  const body = { query: rendered.query, variables: rendered.variables }
  const request = { method: 'POST', path: '/graphql', body, ...tokenOf(caller) }
  return { read, request, decode: rendered.decode }
}

function renderedOf(names: GraphNames, { model }: View, { query, key }: Read): Rendered | null {
  try {
    return render(model, names, query, key)
  } catch (error) {
    if (error instanceof NoTwin) return null
    throw error
  }
}

/** Describes the first error of a response; null if it is correct. */
export function graphFault(view: View, { read, decode }: GraphRead, expected: Outcome, actual: Reply): string | null {
  const code = codeIn(actual.body)
  switch (expected.status) {
    case 200: {
      if (actual.status !== 200 || code !== null) return `status ${actual.status} with ${code}, expected rows`
      const { data } = parseDigits(actual.text) as { data: Readonly<Record<string, unknown>> }
      return difference(expected.body.data, decode(data))
    }
    case 401:
      return codes(actual.status, code, 401, expected.code)
    case 400:
    case 403: {
      // A field without permission is unknown to the GraphQL schema. In a string path it is only rejected at execution.
      if (!mayName(view, withoutTexts(read.query))) return codes(actual.status, code, 400, 'GRAPHQL_VALIDATION')
      const root = isRecord(actual.body) && isRecord(actual.body['data']) ? actual.body['data']['root'] : null
      return root === null ? codes(actual.status, code, 200, expected.code) : 'refused, but not empty'
    }
  }
}

const codes = (status: number, code: string | null, wantedStatus: number, wanted: string): string | null =>
  status === wantedStatus && code === wanted
    ? null
    : `status ${status} with ${code}, expected ${wantedStatus} with ${wanted}`

function codeIn(body: unknown): string | null {
  const errors: unknown = isRecord(body) ? body['errors'] : null
  const first: unknown = Array.isArray(errors) ? errors[0] : null
  if (!isRecord(first)) return null
  const { extensions } = first
  return isRecord(extensions) ? String(extensions['code']) : 'none'
}
