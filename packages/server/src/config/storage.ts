import { nearest } from '../lib/nearest.ts'
import { asFlag, asText, fail, Misread, type Rows, type Setting } from './readers.ts'

/** A folder of this machine. */
export interface LocalLocation {
  readonly driver: 'local'
  readonly name: string
  readonly root: string
}

/** A bucket of Amazon S3, or of a server that speaks its protocol. */
export interface S3Location {
  readonly driver: 's3'
  readonly name: string
  readonly key: string
  readonly secret: string
  readonly bucket: string
  readonly region: string
  readonly endpoint: string | null
  readonly forcePathStyle: boolean
  readonly root: string
  readonly acl: string | null
  readonly serverSideEncryption: string | null
}

export type StorageLocation = LocalLocation | S3Location

export interface StorageNamesConfig {
  readonly storageNames: string
}

export interface StorageConfig extends StorageNamesConfig {
  /** The first one takes files that name none. */
  readonly storages: readonly StorageLocation[]
}

export const storageSettings: Rows<StorageNamesConfig> = {
  storageNames: {
    name: 'STORAGE_LOCATIONS',
    fallback: 'local',
    read: asText,
    what: 'places for the content of files, as a comma list; the first one is the default',
  },
}

const asEndpoint = (text: string) =>
  URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol)
    ? text.replace(/\/+$/u, '')
    : fail('has to be an address such as https://s3.example.com')

/** Slashes around it make no difference. */
const asPrefix = (text: string) => {
  const prefix = text.replace(/^\/+|\/+$/gu, '')
  return /^[\w./-]*$/u.test(prefix) && !prefix.split('/').includes('..')
    ? prefix
    : fail('has to be a path of letters, digits, - . _ and /')
}

type DriverRows<Location> = { readonly [K in Exclude<keyof Location, 'driver' | 'name'>]: Setting<Location[K]> }

/** The settings of a place by its driver; their names follow STORAGE_<LOCATION>_. */
export const driverSettings: {
  readonly [D in StorageLocation['driver']]: DriverRows<Extract<StorageLocation, { driver: D }>>
} = {
  local: {
    root: { name: 'ROOT', fallback: './uploads', read: asText, what: 'folder of the files' },
  },
  s3: {
    key: { name: 'KEY', read: asText, what: 'access key of the bucket' },
    secret: { name: 'SECRET', read: asText, what: 'secret of the access key' },
    bucket: { name: 'BUCKET', read: asText, what: 'name of the bucket, which has to exist' },
    region: { name: 'REGION', fallback: 'us-east-1', read: asText, what: 'region of the bucket' },
    endpoint: {
      name: 'ENDPOINT',
      fallback: null,
      read: asEndpoint,
      what: 'address of a server that speaks the protocol of S3; without it Amazon',
    },
    forcePathStyle: {
      name: 'FORCE_PATH_STYLE',
      fallback: false,
      read: asFlag,
      what: 'name the bucket in the path instead of the host, which most servers besides Amazon need',
    },
    root: { name: 'ROOT', fallback: '', read: asPrefix, what: 'beginning of all keys in the bucket' },
    acl: {
      name: 'ACL',
      fallback: null,
      read: asText,
      what: 'canned ACL of new objects; without it that of the bucket',
    },
    serverSideEncryption: {
      name: 'SERVER_SIDE_ENCRYPTION',
      fallback: null,
      read: asText,
      what: 'encryption of new objects by the server, such as AES256',
    },
  },
}

const drivers = Object.keys(driverSettings) as StorageLocation['driver'][]

/** How the names of a place's settings begin. */
export const prefixOf = (name: string): string => `STORAGE_${name.toUpperCase()}_`

export interface Given {
  /** The value of a variable, null if its problem has been told. */
  readonly textOf: (name: string) => string | null
  /** The names of all variables. */
  readonly names: readonly string[]
}

/** The places that STORAGE_LOCATIONS names, with what is wrong about them. */
export function readStorages(
  list: string,
  given: Given,
): { readonly storages: readonly StorageLocation[]; readonly problems: readonly string[] } {
  const problems: string[] = []
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const wrong = names.filter((name, at) => !/^[a-z][\da-z_]*$/iu.test(name) || prefixed(names.slice(0, at), name))
  if (wrong.length > 0 || names.length === 0) {
    problems.push('STORAGE_LOCATIONS has to be a list of different names of letters, digits and _, such as local,s3')
    return { storages: [], problems }
  }
  const storages = names.map((name) => readLocation(name, names, given, problems))
  return { storages: storages.filter((location) => location !== undefined), problems }
}

const prefixed = (names: readonly string[], name: string): boolean =>
  names.some((other) => prefixOf(other) === prefixOf(name))

function readLocation(
  name: string,
  names: readonly string[],
  given: Given,
  problems: string[],
): StorageLocation | undefined {
  const prefix = prefixOf(name)
  const text = given.textOf(`${prefix}DRIVER`)
  if (text === null) return undefined
  const driver = drivers.find((known) => known === (text === '' && name === 'local' ? 'local' : text))
  if (driver === undefined) {
    const what = `the kind of the storage ${name}: ${drivers.join(' or ')}`
    problems.push(`${prefix}DRIVER ${text === '' ? `is not set: ${what}` : `has to be ${what}`}`)
    return undefined
  }
  const rows: Readonly<Record<string, Setting<unknown>>> = driverSettings[driver]
  problems.push(...unknownNames(prefix, names, ['DRIVER', ...Object.values(rows).map((row) => row.name)], given))
  const values = Object.entries(rows).map(([key, row]) => [key, readRow(row, prefix, given, problems)] as const)
  return { driver, name, ...Object.fromEntries(values) } as StorageLocation
}

function readRow(row: Setting<unknown>, prefix: string, given: Given, problems: string[]): unknown {
  const name = `${prefix}${row.name}`
  const text = given.textOf(name)
  if (text === null) return row.fallback
  if (text === '') {
    if (row.fallback === undefined) problems.push(`${name} is not set: ${row.what}`)
    return row.fallback
  }
  try {
    return row.read(text)
  } catch (error) {
    if (!(error instanceof Misread)) throw error
    problems.push(`${name} ${error.message} (${row.what})`)
    return row.fallback
  }
}

/** A misspelt setting would silently have its default, and files would lie where nobody expects them. */
function unknownNames(prefix: string, names: readonly string[], known: readonly string[], given: Given): string[] {
  const longer = names.map(prefixOf).filter((other) => other !== prefix && other.startsWith(prefix))
  return given.names
    .filter((name) => name.startsWith(prefix) && !longer.some((other) => name.startsWith(other)))
    .map((name) => name.slice(prefix.length))
    .filter((name) => !known.includes(name.replace(/_FILE$/u, '')))
    .map((name) => {
      const meant = nearest(name, known)
      return `${prefix}${name} is no setting of this storage${meant === undefined ? '' : `; ${prefix}${meant} is`}`
    })
}
