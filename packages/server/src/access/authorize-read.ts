import type {
  BoundColumn,
  BoundFilter,
  BoundPath,
  BoundQuery,
  BoundSelection,
  BoundSort,
  BoundStep,
  BoundToAny,
  BoundToMany,
  BoundValue,
  Mask,
} from '../query/bound.ts'
import { noCollection, noField } from '../query/resolve.ts'
import type { Collection, ColumnField } from '../schema/schema.ts'
import { authorize, type Authorized } from './authorized.ts'
import { consideredRules, grantFor, maskOf, rowsOf, type Access, type Grant, type Rule } from './grants.ts'

/**
 * Applies the caller's permissions to a query, as docs/access.md defines. Row rules become part of every node's filter
 * and of every relation that the query follows. Each value that the query uses carries the condition under which it is
 * visible.
 */
export function authorizeRead(query: BoundQuery, access: Access): Authorized<BoundQuery> {
  return authorize(access.actor.isAdmin ? query : restrict(query, access, 'root'))
}

/** A place in the query: the permissions that apply there, and its name in error messages. */
interface Place {
  readonly collection: Collection
  readonly grant: Grant
  /** Rules that may have allowed a row of this place. */
  readonly considered: readonly Rule[]
  readonly access: Access
  readonly at: string
}

function grantOf(collection: Collection, access: Access, at: string): Grant {
  const grant = grantFor('read', collection, access)
  if (grant === null) throw noCollection(collection.name, at)
  return grant
}

/** A place that returns no fields, such as a filter: every rule counts. */
function blindPlace(collection: Collection, access: Access, at: string): Place {
  const grant = grantOf(collection, access, at)
  return { collection, grant, considered: grant.rules, access, at }
}

const mask = (name: string, { grant, considered, collection, at }: Place): Mask =>
  maskOf(name, grant, considered, collection, at)

function both(a: BoundFilter | null, b: BoundFilter | null): BoundFilter | null {
  if (a === null || b === null) return a ?? b
  return { kind: 'and', parts: [a, b] }
}

const allMasks = (names: readonly string[], place: Place): Mask =>
  [...new Set(names)].reduce<Mask>((sum, name) => both(sum, mask(name, place)), null)

// a node

function restrict(query: BoundQuery, access: Access, at: string, shown = shownNames(query)): BoundQuery {
  const { collection, aggregate } = query
  const grant = grantOf(collection, access, at)
  const considered = consideredRules(grant, shown)
  const place: Place = { collection, grant, considered, access, at }
  const rowRule = rowsOf(considered)
  return {
    ...query,
    select: query.select.map((selection) => restrictSelection(selection, place)),
    filter: both(rowRule, query.filter === null ? null : restrictFilter(query.filter, place)),
    rowRule,
    search:
      query.search === null
        ? null
        : {
            ...query.search,
            fields: query.search.fields.map(({ field }) => ({ field, mask: mask(field.name, place) })),
          },
    sort: restrictSort(query.sort, place),
    aggregate:
      aggregate === null
        ? null
        : {
            functions: aggregate.functions.map((entry) =>
              entry.field === null ? entry : { ...entry, mask: mask(entry.field.name, place) },
            ),
            groups: aggregate.groups.map((group) => ({ ...group, path: restrictPath(group.path, place) })),
          },
    marked: versionedColumns(place),
    keyMask: query.keyMask ?? visibleKeys(place),
  }
}

/**
 * A requested key column is masked like any other value. Key columns that are not requested, or are masked, follow as
 * unmasked tie-breakers, which keep equal rows in a stable order.
 */
function restrictSort(sort: readonly BoundSort[], place: Place): BoundSort[] {
  const restricted = sort.map((term) =>
    term.kind === 'path' && !term.isTie ? { ...term, path: restrictPath(term.path, place) } : term,
  )
  const isAsked = (term: BoundSort) => term.kind !== 'path' || !term.isTie
  const isPlain = (field: ColumnField) =>
    restricted.some((term) => {
      if (term.kind !== 'path' || term.isTie || term.path.steps.length > 0) return false
      const { value } = term.path
      return value.kind === 'column' && value.mask === null && value.field === field
    })
  const ties = [...place.collection.key, ...place.collection.beyondKey]
    .filter((field) => !isPlain(field))
    .map((field): BoundSort => {
      const path: BoundPath = { steps: [], value: { kind: 'column', field, mask: null } }
      return { kind: 'path', path, descending: false, isTie: true }
    })
  return restricted.some((term) => term.kind === 'path') ? [...restricted.filter(isAsked), ...ties] : restricted
}

/** Names of the fields that a node returns. */
function shownNames({ select, aggregate }: BoundQuery): string[] {
  if (aggregate !== null)
    return [
      ...aggregate.functions.flatMap(({ field }) => (field === null ? [] : [field.name])),
      ...aggregate.groups.map(({ path }) => firstName(path)),
    ]
  return select.flatMap((selection) => (selection.kind === 'constant' ? [] : [nameOf(selection)]))
}

const firstName = ({ steps: [step], value }: BoundPath) => step?.name ?? valueName(value)

const valueName = (value: BoundValue) => (value.kind === 'count' ? value.name : value.field.name)

const nameOf = (selection: Exclude<BoundSelection, { kind: 'constant' }>): string =>
  selection.kind === 'column' || selection.kind === 'function' ? selection.field.name : selection.name

/** Callers who cannot read every field of every row get a row version of the columns that they can read. */
function versionedColumns(place: Place): 'row' | readonly BoundColumn[] {
  const { collection, grant } = place
  const isWhole = grant.rules.some(({ rows, fields }) => rows === null && fields === 'all')
  if (isWhole) return 'row'
  return [...collection.columns.values()].flatMap((field) =>
    grant.rules.some(({ fields }) => fields === 'all' || fields.has(field.name))
      ? [{ field, mask: mask(field.name, place) }]
      : [],
  )
}

/** The rows whose whole key is visible, whether or not the query returns it. */
function visibleKeys(place: Place): Mask {
  const names = place.collection.key.map(({ name }) => name)
  const isGranted = (name: string) => place.grant.rules.some(({ fields }) => fields === 'all' || fields.has(name))
  return names.every(isGranted) ? allMasks(names, place) : { kind: 'constant', value: false }
}

function restrictSelection(selection: BoundSelection, place: Place): BoundSelection {
  if (selection.kind === 'constant') return selection
  const { access, at } = place
  const inside = at === 'root' ? nameOf(selection) : `${at}.${nameOf(selection)}`
  const own = mask(nameOf(selection), place)
  switch (selection.kind) {
    case 'column':
    case 'function':
      return { ...selection, mask: own }
    case 'key':
      return { ...selection, mask: allMasks([selection.name, ...selection.fields.map(({ name }) => name)], place) }
    case 'count':
      return { ...selection, mask: own, relation: seenMany(selection.relation, access, inside) }
    case 'one': {
      const query = restrict(selection.query, access, inside)
      return { ...selection, mask: allMasks([selection.name, ...selection.relation.columns], place), query }
    }
    case 'many':
    case 'keys': {
      const { key } = selection.query.collection
      // A plain list returns the keys.
      const shown = selection.kind === 'keys' ? key.map(({ name }) => name) : undefined
      const query = restrict(selection.query, access, inside, shown)
      // The nested query restricts the rows, because it knows which fields it returns; the relation restricts the join.
      const relation = joinedMany(selection.relation, access, inside)
      return selection.kind === 'keys'
        ? { ...selection, mask: own, relation, query, keyMask: keyMask(query, access, inside) }
        : { ...selection, mask: own, relation, query }
    }
    case 'any': {
      const branches = selection.branches.map((branch) => ({
        ...branch,
        query: restrict(branch.query, access, inside),
      }))
      return { ...selection, mask: allMasks([selection.name, selection.relation.collectionColumn], place), branches }
    }
  }
}

/** A key is visible where all its columns are visible. */
function keyMask({ collection }: BoundQuery, access: Access, at: string): Mask {
  const names = collection.key.map(({ name }) => name)
  const grant = grantOf(collection, access, at)
  const place = { collection, grant, considered: consideredRules(grant, names), access, at }
  return allMasks(names, place)
}

// relations

/** Adds the conditions of the join: on columns of inferred relations and many-to-any references, on junction rows. */
function joinedMany(relation: BoundToMany, access: Access, at: string): BoundToMany {
  const keysOf = (collection: Collection, names: readonly string[]) =>
    allMasks(names, blindPlace(collection, access, at))
  switch (relation.kind) {
    case 'many':
      return relation.isInferred ? { ...relation, seen: keysOf(relation.to, relation.toColumns) } : relation
    case 'through': {
      const { junction, nearColumns, farColumns } = relation
      const rows = rowsOf(grantOf(junction, access, at).rules)
      return { ...relation, junctionSeen: both(rows, keysOf(junction, [...nearColumns, ...farColumns])) }
    }
    case 'reverse-any':
      return { ...relation, seen: keysOf(relation.to, [relation.any.column, relation.any.collectionColumn]) }
  }
}

/** The same for places that return no fields of the rows: a row is visible if any rule allows it. */
function seenMany(relation: BoundToMany, access: Access, at: string): BoundToMany {
  const joined = joinedMany(relation, access, at)
  return { ...joined, seen: both(rowsOf(grantOf(relation.to, access, at).rules), joined.seen) }
}

function seenAny(relation: BoundToAny, target: Collection, access: Access, at: string): BoundToAny {
  const rows = rowsOf(grantOf(target, access, at).rules)
  return rows === null ? relation : { ...relation, seen: new Map([...relation.seen, [target, rows]]) }
}

// values and paths

function restrictValue(value: BoundValue, place: Place): BoundValue {
  const own = mask(valueName(value), place)
  return value.kind === 'count'
    ? { ...value, mask: own, relation: seenMany(value.relation, place.access, place.at) }
    : { ...value, mask: own }
}

function restrictPath({ steps, value }: BoundPath, place: Place): BoundPath {
  let current = place
  const restricted: BoundStep[] = []
  for (const step of steps) {
    const { access } = current
    const at = current.at === 'root' ? step.name : `${current.at}.${step.name}`
    const to = step.kind === 'any' ? step.target : step.relation.to
    restricted.push(restrictStep(step, current, at))
    current = blindPlace(to, access, at)
  }
  return { steps: restricted, value: restrictValue(value, current) }
}

function restrictStep(step: BoundStep, place: Place, at: string): BoundStep {
  const own = mask(step.name, place)
  switch (step.kind) {
    case 'one': {
      const seen = rowsOf(grantOf(step.relation.to, place.access, at).rules)
      const relation = { ...step.relation, seen }
      return { ...step, mask: allMasks([step.name, ...relation.columns], place), relation }
    }
    case 'many':
      return { ...step, mask: own, relation: seenMany(step.relation, place.access, at) }
    case 'any':
      return {
        ...step,
        mask: allMasks([step.name, step.relation.collectionColumn], place),
        relation: seenAny(step.relation, step.target, place.access, at),
      }
  }
}

// conditions

/** Conditions test only values and related rows that the caller can see. */
function restrictFilter(filter: BoundFilter, place: Place): BoundFilter {
  const { access, at } = place
  const below = (name: string) => (at === 'root' ? name : `${at}.${name}`)
  switch (filter.kind) {
    case 'constant':
      return filter
    case 'and':
    case 'or':
      return { ...filter, parts: filter.parts.map((part) => restrictFilter(part, place)) }
    case 'test':
      return { ...filter, value: restrictValue(filter.value, place) }
    case 'json':
      return { ...filter, mask: mask(filter.field.name, place) }
    case 'one': {
      const inside = blindPlace(filter.relation.to, access, below(filter.name))
      return {
        ...filter,
        mask: allMasks([filter.name, ...filter.relation.columns], place),
        relation: { ...filter.relation, seen: rowsOf(inside.grant.rules) },
        filter: restrictFilter(filter.filter, inside),
      }
    }
    case 'many': {
      const inside = blindPlace(filter.relation.to, access, below(filter.name ?? '$FOLLOW'))
      return {
        ...filter,
        mask: filter.name === null ? null : mask(filter.name, place),
        relation: seenMany(filter.relation, access, inside.at),
        filter: restrictFilter(filter.filter, inside),
      }
    }
    case 'any': {
      const inside = blindPlace(filter.target, access, below(filter.name))
      return {
        ...filter,
        mask: allMasks([filter.name, filter.relation.collectionColumn], place),
        relation: seenAny(filter.relation, filter.target, access, inside.at),
        filter: restrictFilter(filter.filter, inside),
      }
    }
  }
}

/** A cursor contains the key, so callers who cannot read the key in every row get no cursor. */
export function checkCursor({ collection }: BoundQuery, access: Access): void {
  if (access.actor.isAdmin) return
  const place = blindPlace(collection, access, 'root')
  for (const { name } of collection.key) if (mask(name, place) !== null) throw noField(name, collection.name)
}
