import {
  invalidPayload,
  ServiceError,
  SNAPSHOT_VERSION,
  type SchemaChangeObject,
  type SchemaDiff,
  type SchemaPlan,
  type SnapshotDiff,
  type SnapshotDocument,
  type SnapshotName,
  type SnapshotScope,
  type SnapshotSection,
  type SnapshotSections,
} from '@tain/contract'
import {
  nothing,
  type Catalogue,
  type Change,
  type SchemaChanger,
  type Planner,
  type SchemaChange,
} from '../../schema/change.ts'
import type { Schema } from '../../schema/schema.ts'
import { isBody, refuseUnknown, type Body } from '../metadata.ts'
import { alignKeys, withSettings } from './remap-keys.ts'
import { compare, isEmpty, type Mode } from './compare.ts'
import { describeSchema } from './describe.ts'
import { tableOf, type PlanOptions } from './table-diff.ts'
import {
  absentNames,
  describeNames,
  planNames,
  readNames,
  removeNames,
  shownName,
  withSecondNames,
} from './given-names.ts'
import { checkDiff, patch, sectionsIn, type Raw } from './patch.ts'
import { planChange } from './plan.ts'
import { changedIn, planPermissions } from './plan-permissions.ts'
import { readDatabaseSchema } from './read.ts'
import { describePermissions, readPermissionModel, permissionSections, type PermissionSection } from './permissions.ts'
import { checkRuleNames } from './rule-names.ts'
import { inScope, narrow, scopeIn } from './scope.ts'
import { allSections, hashOf, schemaSections } from './sections.ts'

export interface SnapshotRequest {
  readonly include: readonly PermissionSection[]
  readonly scope: SnapshotScope | null
}

export interface DiffRequest {
  readonly mode: Mode
  /** Accepts files of another version or another database vendor. */
  readonly force: boolean
  readonly scope: SnapshotScope | null
}

export interface ApplyRequest {
  /** Whether tables and columns that contain data may be dropped. */
  readonly mayLose: boolean
}

/** Exports the schema as a file, compares a file with the database, and applies the difference. */
export interface Snapshots {
  snapshot(request: SnapshotRequest): Promise<SnapshotDocument>
  /** null: there is nothing to do. */
  diff(given: unknown, request: DiffRequest): Promise<SchemaDiff | null>
  apply(body: unknown, request: ApplyRequest): Promise<void>
  /** Returns what `apply` would do. */
  preview(body: unknown, request: ApplyRequest): Promise<SchemaPlan>
  /** Names reserved for relations and collections that no longer exist; removed unless `isDryRun`. */
  pruneNames(isDryRun: boolean): Promise<readonly SnapshotName[]>
}

export interface SnapshotsOptions {
  readonly changes: SchemaChanger
  readonly version: string
  /** The database vendor. */
  readonly vendor: string
  readonly isReadOnly: boolean
}

const readOnly = () =>
  new ServiceError(
    'UNPROCESSABLE_CONTENT',
    'No permissions are stored here: READ_ONLY is set, or the tables of the service are not there yet (tain bootstrap creates them).',
  )

export function createSnapshots(options: SnapshotsOptions): Snapshots {
  const { changes, version, vendor, isReadOnly } = options
  const plannerOf =
    (body: unknown, { mayLose }: ApplyRequest): Planner =>
    async (schema, catalogue) => {
      if (!isBody(body)) throw invalidPayload('The body has to be what POST /schema/diff answers: {"hash", "diff"}')
      refuseUnknown(body, ['hash', 'diff', 'changes'], 'the body')
      const { hash, diff } = body
      checkDiff(diff)
      const current = await sectionsNow({ schema, catalogue, isReadOnly }, sectionsIn(diff))
      if (hash !== hashOf(current))
        throw invalidPayload('"hash" is not that of the current schema: it has changed since the diff was made')
      return planDiff(diff, current, schema, catalogue, { mayReplace: true, mayLose })
    }

  return {
    snapshot: ({ include, scope }) =>
      changes.look(async (schema, catalogue) => {
        const all = await sectionsNow({ schema, catalogue, isReadOnly }, [...schemaSections, ...include])
        const sections = narrow(all, scope)
        const head = { version: SNAPSHOT_VERSION, tain: version, vendor, hash: hashOf(sections) }
        return { ...head, ...(scope === null ? {} : { scope }), ...sections }
      }),

    diff: (file, request) =>
      changes.look((schema, catalogue) =>
        diffOf(documentIn(file, vendor, request.force), request, { schema, catalogue, isReadOnly }),
      ),

    async apply(body, request) {
      if (isReadOnly) throw readOnly()
      await changes.change(plannerOf(body, request))
    },

    preview: (body, request) => changes.preview(plannerOf(body, request)),

    pruneNames: async (isDryRun) => (isReadOnly ? [] : prunedNames(changes, isDryRun)),
  }
}

/** The database as it is now. */
interface Now {
  readonly schema: Schema
  readonly catalogue: Catalogue
  readonly isReadOnly: boolean
}

async function sectionsNow(
  { schema, catalogue, isReadOnly }: Now,
  sections: readonly SnapshotSection[],
): Promise<SnapshotSections> {
  if (isReadOnly && sections.some((section) => !schemaSections.includes(section))) throw readOnly()
  return {
    ...describeSchema(schema, catalogue),
    ...(isReadOnly ? {} : { names: describeNames(schema) }),
    ...(await describePermissions(sections, catalogue)),
  }
}

async function diffOf(document: GivenDocument, { mode, scope }: DiffRequest, now: Now): Promise<SchemaDiff | null> {
  const { schema, catalogue } = now
  const given = {
    ...readDatabaseSchema(document.raw, { catalogue, isForeign: document.isForeign, isPatched: false }),
    ...readNames(document.raw),
    ...readPermissionModel(document.raw),
  }
  const current = await sectionsNow(now, sectionsIn(document.raw))
  const wanted = withSecondNames(withSettings(alignKeys(given, current), current), current)
  const within = inScope(document.scope, scope)
  const found = compare(within(current), within(wanted), mode)
  const diff = await withoutWideIndexes(found, current, schema, catalogue)
  if (isEmpty(diff)) return null
  const change = await planDiff(diff, current, schema, catalogue, { mayReplace: mode === 'mirror', mayLose: true })
  return { hash: hashOf(current), diff, changes: change.ddl.map(changeObject) }
}

async function prunedNames(changes: SchemaChanger, isDryRun: boolean): Promise<readonly SnapshotName[]> {
  if (isDryRun) return changes.look(async (schema) => absentNames(schema).map(shownName))
  let pruned: readonly SnapshotName[] = []
  await changes.change(async (schema) => {
    const names = absentNames(schema)
    pruned = names.map(shownName)
    return { ...nothing, metadata: removeNames(names) }
  })
  return pruned
}

async function planDiff(
  diff: Body,
  current: SnapshotSections,
  schema: Schema,
  catalogue: Catalogue,
  options: PlanOptions,
): Promise<Change> {
  const raw = patch(current as unknown as Raw, diff)
  const wanted: SnapshotSections = {
    ...readDatabaseSchema(raw, { catalogue, isForeign: false, isPatched: true }),
    ...readNames(raw),
    ...readPermissionModel(raw),
  }
  checkWhole(wanted, schema)
  const change = await planChange({ schema, current, wanted }, catalogue, options)
  const metadata = [...change.metadata, ...planNames(wanted, schema)]
  const isSameSchema = change.ddl.length + metadata.length === 0
  checkRuleNames(changedIn('permissions', current, wanted).put, wanted, schema, isSameSchema)
  return { ...change, metadata, permissionChanges: await planPermissions(current, wanted, catalogue) }
}

/** Every field and relation belongs to an existing collection, and system collections stay unchanged. */
function checkWhole({ collections, fields, relations }: SnapshotSections, schema: Schema): void {
  const known = new Map(collections.map((each) => [each.collection, each]))
  const isOwn = (collection: string) => schema.collections.get(collection)?.isSystem === true
  for (const { collection } of collections)
    if (isOwn(collection))
      throw invalidPayload(`The collection "${collection}" belongs to the service and cannot be changed`)
  for (const { collection, field, schema: column } of fields)
    if (known.get(collection)?.schema == null && !(column === undefined && isOwn(collection)))
      throw invalidPayload(`The field "${field}" belongs to "${collection}", which is no collection with a table`)
  for (const { collection, field, related_collection: related } of relations) {
    if (!known.has(collection))
      throw invalidPayload(`The relation "${field}" begins at "${collection}", which is no collection`)
    if (related !== null && !known.has(related) && !schema.collections.has(related))
      throw invalidPayload(`The relation "${field}" of "${collection}" leads to "${related}", which is no collection`)
  }
}

interface GivenDocument {
  readonly raw: Raw
  readonly scope: SnapshotScope | null
  readonly isForeign: boolean
}

const documentKeys = ['version', 'tain', 'directus', 'vendor', 'hash', 'scope', ...allSections]

function documentIn(given: unknown, vendor: string, force: boolean): GivenDocument {
  if (!isBody(given)) throw invalidPayload('The body has to be a snapshot, as GET /schema/snapshot answers it')
  refuseUnknown(given, documentKeys, 'a snapshot')
  for (const section of ['collections', 'fields', 'relations'])
    if (!Array.isArray(given[section])) throw invalidPayload(`The snapshot has no list "${section}"`)
  if (!force && given['version'] !== SNAPSHOT_VERSION)
    throw invalidPayload(
      `The snapshot is of version ${String(given['version'])}, not ${SNAPSHOT_VERSION}; pass force to use it nevertheless`,
    )
  const isForeign = given['vendor'] !== undefined && given['vendor'] !== vendor
  if (!force && given['vendor'] !== vendor)
    throw invalidPayload(`The snapshot is of a database of another kind; pass force to use it nevertheless`)
  const raw = Object.fromEntries(
    allSections.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  )
  return { raw, scope: scopeIn(given['scope']), isForeign }
}

/**
 * Snapshots do not describe indexes over several columns, so such an index stays even if a column should not be
 * indexed.
 */
async function withoutWideIndexes(
  diff: SnapshotDiff,
  { collections }: SnapshotSections,
  schema: Schema,
  catalogue: Catalogue,
): Promise<SnapshotDiff> {
  const fields = await Promise.all(
    (diff.fields ?? []).map(async (object) => {
      const at = object.diff.findIndex(({ path, rhs }) => path?.join('.') === 'schema.is_indexed' && rhs === false)
      const collection = collections.find((each) => each.collection === object['collection'])
      if (at === -1 || collection === undefined) return object
      const indexes = await catalogue.indexes(tableOf(collection, schema))
      const hasOwn = indexes.some(
        ({ isUnique, columns }) => !isUnique && columns.length === 1 && columns[0] === object['field'],
      )
      return hasOwn ? object : { ...object, diff: object.diff.toSpliced(at, 1) }
    }),
  )
  return { ...diff, fields: fields.filter((object) => object.diff.length > 0) }
}

const changeObject = (change: SchemaChange): SchemaChangeObject =>
  change.kind === 'set-type' ? { ...change, from: change.from.dataType } : { ...change }

/** Sections that are included on request; policies also include their attachments. */
export function includedSections(names: readonly string[]): readonly PermissionSection[] {
  const asked = names.map((name) => {
    const found = permissionSections.find((section) => section === name)
    if (found === undefined) throw invalidPayload(`"include" can name ${permissionSections.join(', ')}, not "${name}"`)
    return found
  })
  return asked.includes('policies') ? [...new Set<PermissionSection>([...asked, 'access'])] : asked
}
