// The files of the SDK that are made from the tables of the contract.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import {
  aggregates,
  errorCodes,
  fieldFunctions,
  metaValues,
  procedures,
  type ProcedureRow,
  type ResponseKind,
} from '@tain/contract'
import { collections } from '@tain/contract/collections'
import { procedureSchemas } from '@tain/contract/schemas'
import type { Procedure } from '../../packages/sdk/src/procedure.ts'
import { typeText, type NamedTypes } from './json-schema.ts'

const top = join(import.meta.dirname, '../..')
const HEADER = '// Made by "npm run sdk:procedures" from the tables of the contract. Do not edit: it is written anew.\n'

/** How the SDK reads each kind of response. */
const reading: Readonly<Record<ResponseKind, Procedure<never, unknown>['read']>> = {
  data: 'data',
  item: 'data',
  'new item': 'data',
  items: 'data',
  tokens: 'data',
  body: 'json',
  'json text': 'json',
  health: 'health',
  text: 'text',
  'long text': 'text',
  file: 'text',
  'data or file': 'data or text',
  removed: 'nothing',
  nothing: 'nothing',
  done: 'nothing',
  'signed out': 'nothing',
  redirect: 'redirect',
}

const union = (values: readonly string[]) => values.map((value) => JSON.stringify(value)).join(' | ')

/** A document as the body is no part of the schema. */
const extraMembers = ({ hasDocument }: ProcedureRow): readonly string[] =>
  hasDocument === true ? ['readonly document: unknown'] : []

const isRequired = (schema: { readonly required?: readonly string[] }, name: string) =>
  schema.required?.includes(name) === true

function inputText(name: keyof typeof procedures, row: ProcedureRow, named: NamedTypes): string {
  const { input } = procedureSchemas[name]
  // Lists in a query string may be left out: they are empty then.
  const required = Object.keys(row.input).filter((each) => row.input[each] !== 'query list' && isRequired(input, each))
  const parts = [
    ...(Object.keys(row.input).length === 0 ? [] : [typeText({ ...input, required }, named)]),
    ...extraMembers(row).map((member) => `{ ${member} }`),
  ]
  return parts.length === 0 ? 'NoInput' : parts.join(' & ')
}

/** Most return the caller's own items and take nothing. */
const ownInput = (name: keyof typeof procedures, row: ProcedureRow, named: NamedTypes): string =>
  Object.keys(row.input).length === 0 ? '' : `, ${inputText(name, row, named)}`

function procedureText(name: keyof typeof procedures, named: NamedTypes): string {
  const row: ProcedureRow = procedures[name]
  const read = reading[row.response]
  const { output } = procedureSchemas[name]
  const result =
    read === 'nothing' || read === 'redirect' ? 'void' : read === 'text' ? 'string' : typeText(output, named)
  const value = {
    rest: row.rest,
    input: row.input,
    read,
    ...(row.dryRun === 'harmless' ? { isSafe: true } : {}),
    ...(row.hasDocument === true ? { hasDocument: true } : {}),
    ...(row.token === undefined || row.token === 'lenient' ? {} : { isOpen: true }),
    ...(row.items === undefined ? {} : { items: row.items, isList: row.response === 'items' }),
  }
  const type =
    row.items === undefined
      ? `Procedure<${inputText(name, row, named)}, ${result}>`
      : `ItemProcedure<${JSON.stringify(row.items)}, ${row.response === 'items'}${ownInput(name, row, named)}>`
  const callers = `${row.rest.map(([method, path]) => `\`${method} ${path}\``).join(', ')}; for ${row.callers}.`
  return `/** ${callers} */\nexport const ${name}: ${type} = ${JSON.stringify(value)}\n`
}

function proceduresText(): string {
  const named: NamedTypes = new Map()
  const names = Object.keys(procedures) as (keyof typeof procedures)[]
  const texts = names.map((name) => procedureText(name, named))
  const types = [...named].map(([name, text]) => `export type ${name} = ${text}\n`)
  return [HEADER, "import type { ItemProcedure, NoInput, Procedure } from './procedure.ts'\n", ...types, ...texts].join(
    '\n',
  )
}

/** Collections without an address are read and written only as parts of others. */
const systemPaths = () =>
  Object.fromEntries(Object.values(collections).flatMap(({ name, path }) => (path === null ? [] : [[name, path]])))

function contractText(): string {
  const functions = Object.entries(fieldFunctions).map(([name, { types }]) => `${name}: ${union(types)}`)
  const results = Object.entries(aggregates).map(([name, { result }]) => `${name}: ${JSON.stringify(result)}`)
  return [
    HEADER,
    `/** The codes of errors. */\nexport type ErrorCode = ${union(Object.keys(errorCodes))}\n`,
    `/** The values of \`meta\`. */\nexport type MetaValue = ${union(metaValues)}\n`,
    `/** The types of fields that functions accept. */\nexport interface FunctionTypes { ${functions.join('; ')} }\n`,
    `/** Whether an aggregate is a text, or has the type of its field. */\nexport interface AggregateResults { ${results.join('; ')} }\n`,
    `/** Collections of the service itself have addresses of their own. */\nexport const systemPaths = ${JSON.stringify(systemPaths())} as const satisfies Readonly<Record<string, string>>\n`,
  ].join('\n')
}

const formatted = (text: string, path: string): string =>
  execFileSync(process.execPath, [join(top, 'node_modules/oxfmt/bin/oxfmt'), '--stdin-filepath', path], {
    cwd: top,
    input: text,
    encoding: 'utf8',
  })

/** Path → text of each made file. */
export function madeFiles(): ReadonlyMap<string, string> {
  const texts = { 'packages/sdk/src/procedures.ts': proceduresText(), 'packages/sdk/src/contract.ts': contractText() }
  return new Map(Object.entries(texts).map(([path, text]) => [join(top, path), formatted(text, join(top, path))]))
}
