import { parseTrap, type Trap } from '../lib/failpoint.ts'
import { asNames, asText, fail, type Rows } from './readers.ts'

/** For tests of the service. */
export interface TestingConfig {
  readonly statementLog: string | null
  readonly failpoints: readonly Trap[]
}

const asTraps = (text: string) =>
  asNames(text).map(
    (name) => parseTrap(name) ?? fail('has to be a list of name:count:mode, such as write.before-create:3:crash'),
  )

export const testingSettings: Rows<TestingConfig> = {
  statementLog: {
    name: 'TAIN_STATEMENT_LOG',
    fallback: null,
    read: asText,
    what: 'file that every SQL text is appended to',
  },
  failpoints: {
    name: 'TAIN_FAILPOINTS',
    fallback: [],
    read: asTraps,
    what: 'failpoints at which the process crashes, throws, waits or reports',
  },
}
