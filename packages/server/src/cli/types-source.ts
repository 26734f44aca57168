import { DESCRIPTION_VERSION, ServiceError, type SchemaDescription } from '@tain/contract'
import type { Core } from '../app/core.ts'
import { databaseUrlIn } from '../config/database-url.ts'
import { readConfigWith, settingGiven } from '../config.ts'
import { describe } from '../description/describe.ts'
import { isBody } from '../system/metadata.ts'
import { offlinePermissions, offlineRoles } from '../system/snapshot/offline-permissions.ts'
import { offlineSchema } from '../system/snapshot/offline-schema.ts'
import { readOffline } from '../system/snapshot/read-offline.ts'
import { Usage, type Invocation } from './command.ts'
import { roleIn, roleNamed } from './roles.ts'
import { snapshotIn } from './snapshot-file.ts'
import {
  administratorCaller,
  publicCaller,
  roleCaller,
  withoutAddresses,
  type Asked,
  type Caller,
} from './types-caller.ts'
import { withCore } from './with-core.ts'

/** A schema, and for whom it is described. */
export interface Found {
  readonly description: SchemaDescription
  readonly caller: string
}

type Settings = Invocation['settings']

/** From a service, a snapshot file, or a database: by its URL, or by DATABASE_URL. */
export async function findDescription(from: string | undefined, asked: Asked, settings: Settings): Promise<Found> {
  if (from === undefined) return fromDatabase(asked, settings)
  if (/^https?:/iu.test(from)) return fromService(from, asked, settings)
  if (/\.(?:json|ya?ml)$/iu.test(from)) return fromSnapshot(await snapshotIn(from), asked)
  const databaseUrl = databaseUrlIn(from)
  if (databaseUrl !== null) return fromDatabase(asked, { ...settings, DATABASE_URL: databaseUrl })
  throw new Usage(
    `"${from}" is none of the sources: the URL of a service (https://…), the URL of a database (postgres://…, sqlite:./my.db), or a snapshot (.json, .yaml).`,
  )
}

const describeFor = ({ name, permitted }: Caller, schema: Parameters<typeof describe>[1]): Found => ({
  description: describe(permitted, schema),
  caller: name,
})

const fromDatabase = (asked: Asked, settings: Settings): Promise<Found> =>
  withCore({ settings }, { onlyLooks: true }, async (core) => {
    const isServedReadOnly = readConfigWith(settings).isReadOnly
    if (core.hasTables || isServedReadOnly)
      return describeFor(await callerIn(core, asked, isServedReadOnly), core.parts.engine.schema())
    // The service would create its tables at its first start, so the types are those of then.
    if (asked.kind !== 'administrator') throw noUsers()
    return fromSnapshot(await core.snapshots.snapshot({ include: [], scope: null }), asked)
  })

const noUsers = () =>
  new Usage(
    'The service has no tables in this database yet, so there are no roles and users. "tain init" or "tain bootstrap" creates them; without "--as", the types are those of an administrator.',
  )

async function callerIn(core: Core, asked: Asked, isServedReadOnly: boolean): Promise<Caller> {
  if (asked.kind === 'administrator') return administratorCaller
  if (isServedReadOnly) throw noUsers()
  const { permissionStore, authentication } = core.parts
  switch (asked.kind) {
    case 'public':
      return publicCaller(await permissionStore.current())
    case 'role':
      return roleCaller(await roleNamed(asked.role, core.operator), await permissionStore.current())
    case 'user': {
      const account = await core.operator.userByEmail(asked.email)
      if (account === null) throw new Usage(`There is no user "${asked.email}". "tain users list" lists all users.`)
      const permitted = await authentication.actorOfUser(account.id, null, withoutAddresses)
      if (permitted === null)
        throw new Usage(`The user "${asked.email}" is ${account.status}, and only active users have permissions.`)
      return { name: account.email ?? asked.email, permitted }
    }
  }
}

function fromSnapshot(file: unknown, asked: Asked): Found {
  const sections = readOffline(file)
  const schema = offlineSchema(sections)
  if (asked.kind === 'administrator') return describeFor(administratorCaller, schema)
  if (asked.kind === 'user')
    throw new Usage('A snapshot holds no users. Give a role with "--as", or generate the types from the database.')
  const model = offlinePermissions(sections)
  if (model === null)
    throw new Usage(
      'The snapshot holds no permissions. Write it with "tain schema snapshot <file> --include roles,policies,permissions", or leave out "--as" for the types of an administrator.',
    )
  return describeFor(
    asked.kind === 'public' ? publicCaller(model) : roleCaller(roleIn(asked.role, offlineRoles(sections)), model),
    schema,
  )
}

async function fromService(url: string, asked: Asked, settings: Settings): Promise<Found> {
  if (asked.kind !== 'administrator')
    throw new Usage('A service knows its callers by their token: set TAIN_TOKEN instead of "--as".')
  const token = settingGiven('TAIN_TOKEN', settings)
  const address = new URL(`${url.replace(/\/+$/u, '')}/server/specs/schema`)
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(address, { headers }).catch((error: unknown) => {
    const { cause } = error as { readonly cause?: unknown }
    throw new Usage(`${address.origin} does not answer: ${cause instanceof Error ? cause.message : String(error)}`)
  })
  const body: unknown = await response.json().catch(() => null)
  if (response.status === 401)
    throw new Usage(`${address.origin} does not accept the token in TAIN_TOKEN. "tain users token" creates one.`)
  if (!response.ok || !isBody(body) || body['version'] !== DESCRIPTION_VERSION)
    throw new ServiceError(
      'INVALID_QUERY',
      `${address.href} answers ${response.status}, and not with a description of version ${DESCRIPTION_VERSION}. Is it this service, in a version that has the address?`,
    )
  return {
    description: body as unknown as SchemaDescription,
    caller: token === null ? 'the public' : 'the owner of TAIN_TOKEN',
  }
}
