import { deepEqual } from 'node:assert/strict'
import type * as Contract from '../../packages/contract/src/index.ts'
import { before, CONTRACT, type Change } from './change.ts'
import { withService } from './service.ts'

type Code = ConstructorParameters<(typeof Contract)['ServiceError']>[0]

const CODE = 'QUOTA_EXCEEDED'
const MESSAGE = 'The quota is used up.'

export const errorCode: Change = {
  what: 'an error code',
  example: `\`${CODE}\``,
  row: before(
    `${CONTRACT}/errors.ts`,
    `  INTERNAL_SERVER_ERROR: {`,
    `  ${CODE}: { status: 402, message: '${MESSAGE}' },\n`,
  ),
  rest: [
    before(
      'docs/errors.md',
      '| [`INTERNAL_SERVER_ERROR`](#internal_server_error) |',
      `| [\`${CODE}\`](#${CODE.toLowerCase()}) | 402 | ${MESSAGE} |\n`,
    ),
    before(
      'docs/errors.md',
      '### INTERNAL_SERVER_ERROR\n',
      `### ${CODE}\n\nThe account has used its quota.\n\nWhat to do: wait, or ask for a larger one.\n\n`,
    ),
  ],
  show: async (copy) => {
    const { ServiceError } = await copy.load<typeof Contract>(`${CONTRACT}/index.ts`)
    await withService(
      copy,
      'sqlite',
      async ({ server }) => {
        const answer = await server.inject('/quota')
        deepEqual(answer.statusCode, 402)
        deepEqual(JSON.parse(answer.body), { errors: [{ message: MESSAGE, extensions: { code: CODE } }] })
      },
      (server) =>
        void server.get('/quota', async () => {
          throw new ServiceError(CODE as Code)
        }),
    )
    return 'a route that throws it responds with 402, its text and its code'
  },
}
