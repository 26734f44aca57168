import { randomBytes } from 'node:crypto'
import type { Rng } from '../../random/rng.ts'
import type { Action, Permission, Row, Sight, Value } from './rules.ts'

export interface Person {
  readonly id: string
  readonly token: string
  /** Whoever has a role does not have the permissions of the public. */
  readonly hasRole: boolean
  isActive: boolean
  isAdmin: boolean
  /** One list for each policy. */
  policies: readonly (readonly Permission[])[]
}

export interface StoredFile {
  readonly id: string
  row: Row
  content: Buffer
  isDeleted: boolean
}

export interface Link {
  readonly path: string
  readonly file: StoredFile
  readonly maker: Person
  readonly expires: number
  /** Somebody has changed a part of it. */
  readonly isChanged: boolean
  readonly isVariant: boolean
}

export interface Folder {
  readonly id: string
  readonly name: string
}

/** Everything the model knows of the service. */
export interface World {
  readonly people: readonly Person[]
  readonly folders: readonly Folder[]
  readonly files: StoredFile[]
  readonly links: Link[]
  /** Permissions of the public. */
  open: readonly (readonly Permission[])[]
  /** The file that the settings name as the logo. */
  logo: string | null
}

/** Null: nobody is signed in. */
export type Caller = Person | null

export const COLUMNS: readonly string[] = (
  'id storage filename_disk filename_download title type folder uploaded_by created_on modified_by modified_on charset ' +
  'filesize width height duration embed description location tags metadata focal_point_x focal_point_y tus_id tus_data ' +
  'uploaded_on checksum'
).split(' ')

/** The columns whose values the model knows. */
export const KNOWN: readonly string[] =
  'id filename_download title type folder uploaded_by description filesize checksum width height'.split(' ')

export const TYPES = ['text/plain', 'text/csv', 'text/html', 'application/json', 'image/png'] as const
export const WORDS = ['alpha', 'beta', 'gamma', 'delta'] as const

/** A version 4 UUID from the generator, so that a run can be repeated. */
export function uuidOf(rng: Rng): string {
  const hex = Array.from({ length: 32 }, () => rng.int(0, 15).toString(16))
  hex[12] = '4'
  hex[16] = 'a'
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5')
}

export const tokenOf = (): string => randomBytes(16).toString('hex')

export const sightOf = (world: World, caller: Caller): Sight => ({
  user: caller?.id ?? null,
  folderName: (id: Value) => world.folders.find((folder) => folder.id === id)?.name ?? null,
})

/** The permissions that count for a caller, in the order of their policies. */
export function grantOf(
  world: World,
  caller: Caller,
  action: Action,
  collection: Permission['collection'] = 'service_files',
): readonly Permission[] {
  const open = caller === null || !caller.hasRole ? world.open : []
  return [...open, ...(caller?.policies ?? [])]
    .flat()
    .filter((permission) => permission.action === action && permission.collection === collection)
}

export const hasField = ({ fields }: Permission, name: string): boolean => fields.includes('*') || fields.includes(name)
