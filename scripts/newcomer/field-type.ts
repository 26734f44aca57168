import { deepEqual } from 'node:assert/strict'
import { after, before, CONTRACT, instead, SERVER, type Change } from './change.ts'
import { onEveryDatabase } from './service.ts'

const DIALECTS = `${SERVER}/sql/dialects`
const ADDRESS = '2001:db8::1'

export const fieldType: Change = {
  what: 'a field type',
  example: '`ipAddress`',
  row: before(
    `${CONTRACT}/field-types.ts`,
    `  integer: { operators:`,
    `  ipAddress: { operators: 'key', search: null, isNumber: false, isReshaped: false },\n`,
  ),
  rest: [
    before(`${DIALECTS}/base/encoders.ts`, `    integer: own.integer,\n`, `    ipAddress: plain,\n`),
    after(`${DIALECTS}/base/forms.ts`, `  alias: string,\n`, `  ipAddress: own.uuid,\n`),
    before(`${DIALECTS}/base/payload.ts`, `    binary,\n`, `    ipAddress: own.string,\n`),
    before(`${DIALECTS}/postgres/ddl-types.ts`, `  binary: ['bytea'`, `  ipAddress: ['inet', () => sql\`inet\`],\n`),
    before(`${DIALECTS}/mysql/ddl-types.ts`, `  binary: 'longblob',\n`, `  ipAddress: 'inet6',\n`),
    before(`${DIALECTS}/sqlite/ddl-types.ts`, `  binary: 'blob',\n`, `  ipAddress: 'inet_text',\n`),
    instead(`${DIALECTS}/postgres/types.ts`, `  ['inet', 'string'],\n`, `  ['inet', 'ipAddress'],\n`),
    instead(`${DIALECTS}/mysql/types.ts`, `  ['inet6', 'string'],\n`, `  ['inet6', 'ipAddress'],\n`),
    before(`${DIALECTS}/sqlite/types.ts`, `  [/int/u, 'int'`, `  [/^inet_text$/u, 'inet_text', 'ipAddress'],\n`),
    before(`${SERVER}/system/default-value.ts`, `  binary: asBinary,\n`, `  ipAddress: asText,\n`),
    before(`${SERVER}/graphql/schema/shared-types.ts`, `  integer: 'Int',\n`, `  ipAddress: 'String',\n`),
    before(`${SERVER}/openapi/field-schemas.ts`, `  integer: { read:`, `  ipAddress: text,\n`),
    before(`${SERVER}/types/value-types.ts`, `  integer: { read:`, `  ipAddress: text,\n`),
    before(`${SERVER}/types/filter-types.ts`, `  integer: 'IntegerFilter',\n`, `  ipAddress: 'StringFilter',\n`),
  ],
  show: async (copy) => {
    const databases = await onEveryDatabase(copy, async ({ ask, graphql }) => {
      await ask('POST', '/fields/notes', { field: 'address', type: 'ipAddress', schema: { default_value: '::2' } })
      const { type } = (await ask('GET', '/fields/notes/address')) as { readonly type: string }
      deepEqual(type, 'ipAddress')
      await ask('POST', '/items/notes', { id: 4, address: ADDRESS })
      await ask('POST', '/items/notes', { id: 5 })
      const found = `filter[address][_eq]=${encodeURIComponent(ADDRESS)}`
      deepEqual(await ask('GET', `/items/notes?fields=id,address&${found}`), [{ id: 4, address: ADDRESS }])
      deepEqual(await graphql('{ notes_by_id(id: 5) { address } }'), { notes_by_id: { address: '::2' } })
    })
    return `a field with a default, written, filtered and read on ${databases}`
  },
}
