import { asDuration, asFlag, asText, fail, type Rows } from './readers.ts'

/** Code of developers beside the service. */
export interface ExtensionsConfig {
  readonly extensionsPath: string | null
  readonly extensionsOptional: boolean
  readonly extensionsReload: boolean
  readonly extensionsTimeout: number
  readonly filterTimeout: number
}

/** Timers take no longer ones. */
const LONGEST = 2 ** 31 - 1

const asTimeout = (text: string) => {
  const time = asDuration(text)
  return time >= 1 && time <= LONGEST ? time : fail('has to be from 1ms to 24d')
}

export const extensionsSettings: Rows<ExtensionsConfig> = {
  extensionsPath: {
    name: 'EXTENSIONS_PATH',
    fallback: null,
    read: asText,
    what: 'folder with the code of extensions; by default there are none',
  },
  extensionsOptional: {
    name: 'EXTENSIONS_OPTIONAL',
    fallback: false,
    read: asFlag,
    what: 'start without extensions that cannot be loaded',
  },
  extensionsReload: {
    name: 'EXTENSIONS_RELOAD',
    fallback: false,
    read: asFlag,
    what: 'load extensions again when their files change; tain dev sets it',
  },
  extensionsTimeout: {
    name: 'EXTENSIONS_TIMEOUT',
    fallback: 10_000,
    read: asTimeout,
    what: 'longest time that action hooks, jobs and endpoints of extensions may take',
  },
  filterTimeout: {
    name: 'EXTENSIONS_FILTER_TIMEOUT',
    fallback: 2000,
    read: asTimeout,
    what: 'longest time that a filter hook may take for one row, inside the transaction',
  },
}
