import { queryString } from './address.ts'
import type { CallOptions } from './options.ts'
import type { Procedure } from './procedure.ts'
import { dataOf, jsonOf, type Reply, type Request, type Send } from './transport.ts'

type Input = Readonly<Record<string, unknown>>
type AnyProcedure = Procedure<never, unknown>
type Address = AnyProcedure['rest'][number]

const isGiven = (value: unknown) => value !== undefined && value !== null

const parameters = (path: string) => [...path.matchAll(/:(\w+)/gu)].map(([, name = '']) => name)

const fits = ([, path, constants = {}]: Address, input: Input) =>
  parameters(path).every((name) => isGiven(input[name])) &&
  Object.entries(constants).every(([name, value]) => (input[name] ?? value) === value)

/** The last address that has everything it needs is the most exact one; without constants given, it is the first. */
function addressOf({ rest }: AnyProcedure, input: Input): Address {
  const fitting = rest.filter((address) => fits(address, input))
  const found = rest.some(([, , constants]) => constants !== undefined) ? fitting[0] : fitting.at(-1)
  if (found === undefined) throw new TypeError(`${rest[0]?.[1]} needs ${parameters(rest[0]?.[1] ?? '').join(', ')}`)
  return found
}

const membersIn = (procedure: AnyProcedure, input: Input, ...sources: readonly string[]) =>
  Object.fromEntries(
    Object.entries(procedure.input).flatMap(([name, source]) =>
      sources.includes(source) && input[name] !== undefined ? [[name, input[name]]] : [],
    ),
  )

/** What is not a member of the input itself shapes the items. */
const selectionIn = (procedure: AnyProcedure, input: Input): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(procedure.input, name)))

function bodyOf(procedure: AnyProcedure, input: Input): unknown {
  if (procedure.hasDocument === true) return input['document']
  const [whole] = Object.values(membersIn(procedure, input, 'whole body'))
  if (whole !== undefined) return whole
  return Object.values(procedure.input).includes('body') ? membersIn(procedure, input, 'body') : undefined
}

/** Answers besides successes. Redirects are for people who follow a link; browsers show them to scripts as 0. */
const accepted: Partial<Record<AnyProcedure['read'], readonly number[]>> = { health: [503], redirect: [0, 302, 303] }

/** The request of a procedure: its members go where the table says. */
export function requestOf(procedure: AnyProcedure, input: Input): Request {
  const [method, path] = addressOf(procedure, input)
  const filled = path.replaceAll(/:(\w+)/gu, (_, name: string) =>
    procedure.input[name] === 'raw path' ? String(input[name]) : encodeURIComponent(String(input[name])),
  )
  const query =
    'items' in procedure ? selectionIn(procedure, input) : membersIn(procedure, input, 'query', 'query list')
  const body = bodyOf(procedure, input)
  return {
    method,
    path: `${filled}${queryString(query)}`,
    ...(body === undefined ? {} : { body }),
    isRepeatable: procedure.isSafe === true && procedure.read !== 'health',
    ...(procedure.isOpen === true ? { isOpen: true } : {}),
    accepts: accepted[procedure.read] ?? [],
  }
}

const results: Readonly<Record<AnyProcedure['read'], (reply: Reply, input: Input) => unknown>> = {
  data: dataOf,
  json: jsonOf,
  health: jsonOf,
  text: ({ text }) => text,
  nothing: () => undefined,
  redirect: () => undefined,
  'data or text': (reply, { export: form }) => (isGiven(form) ? reply.text : dataOf(reply)),
}

export const call = async (send: Send, procedure: AnyProcedure, input: Input, options?: CallOptions) =>
  results[procedure.read](await send(requestOf(procedure, input), options), input)
