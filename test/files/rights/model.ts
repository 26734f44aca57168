import {
  isMet,
  isValid,
  namedIn,
  partsFor,
  type Action,
  type Permission,
  type Row,
  type Rule,
  type Value,
} from './rules.ts'
import { COLUMNS, grantOf, hasField, KNOWN, sightOf, type Caller, type StoredFile, type World } from './world.ts'

/** What a caller sees of a row; null: the row is closed. Columns that the model does not know are undefined. */
export type Seen = Readonly<Record<string, Value | undefined>> | null

const isFree = (caller: Caller): boolean => caller?.isAdmin === true

/** Permissions whose rule holds for the row as it is. */
export function holding(world: World, caller: Caller, action: Action, row: Row): readonly Permission[] {
  const sight = sightOf(world, caller)
  return grantOf(world, caller, action).filter(({ rule }) => isMet(rule, row, sight))
}

/** The fields that any permission lists. */
export const unionOf = (world: World, caller: Caller, action: Action): readonly string[] =>
  isFree(caller)
    ? COLUMNS
    : COLUMNS.filter((name) => grantOf(world, caller, action).some((permission) => hasField(permission, name)))

export const mayRead = (world: World, caller: Caller): boolean =>
  isFree(caller) || grantOf(world, caller, 'read').length > 0

/** The row as a request for these fields shows it. Columns that no rule opens are null. */
export function seenBy(world: World, caller: Caller, row: Row, fields: readonly string[]): Seen {
  const rules = holding(world, caller, 'read', row)
  const considered = fields.length === 0 ? rules : rules.filter((rule) => fields.some((name) => hasField(rule, name)))
  if (!isFree(caller) && considered.length === 0) return null
  const valueOf = (name: string) =>
    !isFree(caller) && !rules.some((rule) => hasField(rule, name)) ? null : KNOWN.includes(name) ? row[name] : undefined
  return Object.fromEntries(fields.map((name) => [name, valueOf(name)]))
}

export interface Opened {
  /** Whether the name may be told. */
  readonly isNamed: boolean
  /** Null: the service may say so, but it does not have to. */
  readonly isPublic: boolean | null
}

/** Whether the content is open for a caller, whatever the lists of fields say; null: it is closed. */
export function opened(world: World, caller: Caller, file: StoredFile | null): Opened | null {
  if (file === null || file.isDeleted) return null
  const rules = holding(world, caller, 'read', file.row)
  const isLogo = world.logo === file.id
  const isOpen = isFree(caller) || rules.length > 0
  if (!isOpen && !isLogo) return null
  const isForAll = holding(world, null, 'read', file.row).length > 0
  const isPublic = isForAll || (isLogo ? (isOpen ? null : true) : false)
  return { isNamed: isFree(caller) || rules.some((rule) => hasField(rule, 'filename_download')), isPublic }
}

export type Verdict = { readonly refused: ReadonlySet<number> } | { readonly row: Row }

const refused = (...statuses: number[]): Verdict => ({ refused: new Set(statuses) })

export interface Write {
  /** What the caller sends. */
  readonly sent: Row
  /** What the service adds. */
  readonly filled: Row
}

/** Presets of all permissions, later ones over earlier ones. */
const presetsOf = (permissions: readonly Permission[]): Row =>
  Object.assign({}, ...permissions.map(({ presets }) => presets ?? {})) as Row

/** A folder that the caller cannot see cannot be named. */
const isLinkOpen = (world: World, caller: Caller, { folder }: Row): boolean =>
  folder === undefined || folder === null || grantOf(world, caller, 'read', 'service_folders').length > 0

export function createdBy(world: World, caller: Caller, { sent, filled }: Write): Verdict {
  const permissions = grantOf(world, caller, 'create')
  if (isFree(caller)) return { row: { ...filled, ...sent } }
  if (permissions.length === 0) return refused(403)
  const union = unionOf(world, caller, 'create')
  if (Object.keys(sent).some((name) => !union.includes(name))) return refused(403)
  const values = { ...presetsOf(permissions), ...sent }
  const isGood = judge(world, caller, permissions, (rule) => [rule], { ...filled, ...values })
  const isLinked = isLinkOpen(world, caller, sent)
  if (!isGood || !isLinked) return refused(...(isGood ? [] : [400]), ...(isLinked ? [] : [403]))
  return { row: { ...filled, ...values } }
}

function judge(
  world: World,
  caller: Caller,
  permissions: readonly Permission[],
  parts: (rule: Rule) => readonly Rule[],
  values: Row,
): boolean {
  const sight = sightOf(world, caller)
  return permissions.every(({ validation }) =>
    (validation === null ? [] : parts(validation)).every((rule) => isValid(rule, values, sight)),
  )
}

/** What is wrong with the values is told before the row is looked for, whether it exists or not. */
export function updatedBy(world: World, caller: Caller, file: StoredFile | null, { sent, filled }: Write): Verdict {
  const row = file === null || file.isDeleted ? null : file.row
  if (isFree(caller)) return row === null ? refused(403) : { row: { ...row, ...filled, ...sent } }
  const names = Object.keys(sent)
  const union = unionOf(world, caller, 'update')
  const permissions = grantOf(world, caller, 'update')
  if (permissions.length === 0 || names.some((name) => !union.includes(name))) return refused(403)
  const values = { ...presetsOf(permissions), ...sent }
  const written = filled['filesize'] === undefined ? values : { ...values, filesize: filled['filesize'] }
  const isLinked = isLinkOpen(world, caller, sent)
  const isGood = (parts: (rule: Rule) => Rule[]) => judge(world, caller, permissions, parts, written)
  // The size is known only when all bytes are there.
  const isKnown = (rule: Rule) => !namedIn(rule).includes('filesize')
  if (!isGood((rule) => partsFor(rule, written).filter(isKnown))) return refused(400, ...(isLinked ? [] : [403]))
  const rules = row === null ? [] : holding(world, caller, 'update', row)
  const isOpen = rules.length > 0 && names.every((name) => rules.some((rule) => hasField(rule, name)))
  if (!isOpen || !isLinked) return refused(403)
  return isGood((rule) => partsFor(rule, written)) ? { row: { ...row, ...filled, ...values } } : refused(400)
}

export const mayDelete = (world: World, caller: Caller, file: StoredFile | null): boolean =>
  file !== null && !file.isDeleted && (isFree(caller) || holding(world, caller, 'delete', file.row).length > 0)
