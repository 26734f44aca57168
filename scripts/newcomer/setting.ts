import { deepEqual, throws } from 'node:assert/strict'
import type * as Config from '../../packages/server/src/config.ts'
import { after, SERVER, type Change } from './change.ts'

const PURPOSE = 'how long an unused connection stays open, in milliseconds'

export const setting: Change = {
  what: 'a setting',
  example: '`DB_IDLE_TIMEOUT`',
  row: after(`${SERVER}/config.ts`, `  readonly connectTimeout: number\n`, `  readonly idleTimeout: number\n`),
  rest: [
    after(
      `${SERVER}/config.ts`,
      `    what: 'connect timeout in milliseconds',\n  },\n`,
      `  idleTimeout: {
    name: 'DB_IDLE_TIMEOUT',
    fallback: 10_000,
    read: asNumber(0),
    what: '${PURPOSE}',
  },\n`,
    ),
    after(
      'docs/configuration.md',
      '| `DB_CONNECT_TIMEOUT` | `3000` | connect timeout in milliseconds |\n',
      `| \`DB_IDLE_TIMEOUT\` | \`10000\` | ${PURPOSE} |\n`,
    ),
  ],
  show: async (copy) => {
    const { readConfig, settings } = await copy.load<typeof Config>(`${SERVER}/config.ts`)
    deepEqual('idleTimeout' in settings, true)
    const read = (given: Readonly<Record<string, string>>) =>
      Object.entries(readConfig({ DATABASE_URL: 'sqlite:./my.db', ...given })).find(
        ([name]) => name === 'idleTimeout',
      )?.[1]
    deepEqual(read({}), 10_000)
    deepEqual(read({ DB_IDLE_TIMEOUT: '5' }), 5)
    throws(() => read({ DB_IDLE_TIMEOUT: 'soon' }), /DB_IDLE_TIMEOUT has to be a whole number/u)
    return 'its default, a value, and the refusal of an invalid one'
  },
}
