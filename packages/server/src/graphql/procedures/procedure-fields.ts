import {
  procedures,
  ServiceError,
  type ProcedureName,
  type ProcedureRow,
  type ResponseKind,
  type RootField,
} from '@tain/contract'
import { procedureSchemas } from '@tain/contract/schemas'
import { GraphQLList, GraphQLNonNull, type GraphQLOutputType } from 'graphql'
import { inputOf } from '../../lib/read-input.ts'
import type { Result, SignedIn } from '../../procedure.ts'
import type { Arguments } from '../request/selected-query.ts'
import { scalars } from '../schema/scalars.ts'
import type { Types } from '../schema/types.ts'
import type { Answer, ProcedureCall, ProcedureField } from './root-procedure.ts'
import { argumentsOf, namedTypes, outputType } from './schema-types.ts'

/** How a result becomes the value of a root field. */
interface Form {
  readonly type: (name: ProcedureName, row: ProcedureRow) => ProcedureField['type']
  readonly answer: (result: unknown, call: ProcedureCall) => Answer | Promise<Answer>
}

const collectionOf = ({ items }: ProcedureRow, { visibility }: Types) =>
  items === undefined ? undefined : visibility.schema.system.get(items)

const itemOf =
  (wrap: (type: GraphQLOutputType) => GraphQLOutputType) =>
  (_: ProcedureName, row: ProcedureRow) =>
  (types: Types): GraphQLOutputType => {
    const collection = collectionOf(row, types)
    return collection === undefined ? scalars.JSON : wrap(types.output(collection, 'item'))
  }

const outputOf = (name: ProcedureName) => outputType(procedureSchemas[name].output)
const boolean = () => scalars.Boolean
const shown = (value: unknown): Answer => ({ value })

const forms: Readonly<Record<ResponseKind, Form>> = {
  data: { type: outputOf, answer: shown },
  body: { type: outputOf, answer: shown },
  health: { type: outputOf, answer: shown },
  text: { type: outputOf, answer: shown },
  'json text': { type: outputOf, answer: (result) => shown((result as Result<'readOpenApi'>).pieces.join('')) },
  'long text': { type: outputOf, answer: async (pieces) => shown(await textOf(pieces as Result<'showSdl'>)) },
  file: { type: outputOf, answer: async (file) => shown(await textOf((file as Result<'readSdl'>).content)) },
  item: { type: itemOf((type) => type), answer: (result) => ({ json: (result as Result<'readMe'>).data }) },
  'new item': {
    type: itemOf((type) => type),
    answer: (result) => ({ json: (result as Result<'importFile'>).data ?? 'null' }),
  },
  items: {
    type: itemOf((type) => new GraphQLNonNull(new GraphQLList(type))),
    answer: (result) => ({ json: `[${(result as Result<'myRoles'>).join(',')}]` }),
  },
  'data or file': {
    type: outputOf,
    answer: async (result) => {
      const found = result as Result<'readSnapshot'>
      return shown('file' in found ? await textOf(found.file.content) : found.data)
    },
  },
  removed: { type: outputOf, answer: (_, { args }) => ({ value: args }) },
  nothing: { type: boolean, answer: () => ({ value: true }) },
  done: { type: boolean, answer: () => ({ value: true }) },
  tokens: {
    type: outputOf,
    answer: (result, { visitor }) => {
      visitor.signedIn(result as SignedIn)
      return { value: withoutCookies(result as SignedIn) }
    },
  },
  'signed out': {
    type: boolean,
    answer: (_, { visitor }) => {
      visitor.signedOut()
      return { value: true }
    },
  },
  redirect: { type: boolean, answer: (user) => ({ value: user !== null }) },
}

async function textOf(content: string | AsyncIterable<string>): Promise<string> {
  if (typeof content === 'string') return content
  let text = ''
  for await (const piece of content) text += piece
  return text
}

/** Tokens that go into cookies are left out of the response body. */
function withoutCookies({ mode, accessToken, refreshToken, expires }: SignedIn): object {
  switch (mode) {
    case 'json':
      return { access_token: accessToken, refresh_token: refreshToken, expires: String(expires) }
    case 'cookie':
      return { access_token: accessToken, expires: String(expires) }
    case 'session':
      return { expires: String(expires) }
  }
}

/** Whether a call with these arguments reads or sets cookies. */
function usesCookies({ cookies }: ProcedureRow, { mode = null, refresh_token: token = null }: Arguments): boolean {
  if (cookies === undefined || mode === 'json') return false
  return mode !== null || (cookies === 'read' && token === null)
}

/** The input as it was sent. */
function payloadOf({ input }: ProcedureRow, { argument, names = {} }: RootField, args: Arguments): unknown {
  if (argument !== undefined) return args[argument]
  return Object.fromEntries(Object.keys(input).map((member) => [member, args[names[member] ?? member] ?? null]))
}

const dryRuns: Readonly<Record<ProcedureRow['dryRun'], Pick<ProcedureField, 'dryRun'>>> = {
  harmless: { dryRun: 'harmless' },
  rollback: { dryRun: 'honoured' },
  plan: {},
  refused: {},
}

const nothingSent = (): never => {
  throw new TypeError('a root field has no document')
}

function fieldOf(name: ProcedureName, row: ProcedureRow, graphql: RootField): ProcedureField {
  const { callers, isOpen, dryRun, response } = row
  const { type, answer } = forms[response]
  return {
    operation: graphql.operation,
    name: graphql.name,
    callers,
    ...dryRuns[dryRun],
    ...(graphql.isOnce === undefined ? {} : { isOnce: graphql.isOnce }),
    ...(isOpen === undefined ? {} : { isOpen }),
    type: type(name, row),
    ...(row.items === undefined ? {} : { item: (types) => collectionOf(row, types) }),
    args: argumentsOf(name, row.input, graphql),
    resolve: async (call) => {
      const run = call.services.procedures[name]
      if (run === undefined) throw new ServiceError('FORBIDDEN')
      if (usesCookies(row, call.args)) call.visitor.checkOrigin()
      if (row.isSecret === true) call.visitor.keepSecret()
      const result = await run({
        actor: call.actor as never,
        get input() {
          return inputOf(name, payloadOf(row, graphql, call.args)) as never
        },
        get context() {
          return call.visitor.context()
        },
        origin: call.origin,
        isDryRun: dryRun === 'rollback' && call.isDryRun,
        selection: call.shape,
        document: nothingSent,
      })
      return answer(result, call)
    },
  }
}

/** The root fields of the contract's table. */
export const tableFields: readonly ProcedureField[] = (
  Object.entries(procedures) as [ProcedureName, ProcedureRow][]
).flatMap(([name, row]) => (row.graphql === null ? [] : [fieldOf(name, row, row.graphql)]))

/** Types of procedures; complete once the fields exist. */
export const procedureTypes = namedTypes
