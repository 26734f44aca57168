import { deepEqual, rejects } from 'node:assert/strict'
import { before, CONTRACT, created, SERVER, type Change } from './change.ts'
import { withService } from './service.ts'

const PROCEDURES = `${SERVER}/system/procedures`

const ROW = `  slug: {
    callers: 'anybody',
    dryRun: 'harmless',
    response: 'data',
    input: { text: 'query' },
    rest: [['GET', '/utils/slug']],
    graphql: query('utils_slug'),
  },\n`

const SCHEMA = `  slug: { input: Type.Object({ text: Type.String({ maxLength: 200 }) }), output: Type.String() },\n`

const IMPLEMENTATION = `import type { Procedure } from '../../procedure.ts'

/** A text as part of a URL. */
export const slug =
  (): Procedure<'slug'> =>
  async ({ input }) =>
    input.text
      .toLowerCase()
      .split(/[^\\p{L}\\p{N}]+/u)
      .filter(Boolean)
      .join('-')
`

export const endpoint: Change = {
  what: 'an endpoint',
  example: '`GET /utils/slug`, `utils_slug`',
  row: before(
    `${CONTRACT}/procedures/service.ts`,
    `} as const satisfies Readonly<Record<string, ProcedureRow>>\n`,
    ROW,
  ),
  rest: [
    before(
      `${CONTRACT}/schemas/service.ts`,
      `} as const satisfies Readonly<Record<ServiceProcedureName, ProcedureSchema>>\n`,
      SCHEMA,
    ),
    created(`${PROCEDURES}/slug.ts`, IMPLEMENTATION),
    before(`${PROCEDURES}/index.ts`, `import type { SystemServices }`, `import { slug } from './slug.ts'\n`),
    before(`${PROCEDURES}/index.ts`, `  clearCache: clearCache(services),\n`, `  slug: slug(),\n`),
    before(
      'test/service/spellings.test.ts',
      `  clearCache: row(`,
      `  slug: row('GET', '/utils/slug', 'utils_slug'),\n`,
    ),
  ],
  show: async (copy) => {
    await withService(copy, 'sqlite', async ({ ask, graphql }) => {
      deepEqual(await ask('GET', '/utils/slug?text=A%20new%20Note'), 'a-new-note')
      deepEqual(await graphql('{ utils_slug(text: "A new Note") }', '/graphql/system'), { utils_slug: 'a-new-note' })
      await rejects(ask('GET', `/utils/slug?text=${'x'.repeat(201)}`), /INVALID_PAYLOAD|INVALID_QUERY/u)
    })
    return 'REST and GraphQL calls, and the refusal of an invalid input'
  },
}
