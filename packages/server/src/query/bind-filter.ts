import { familyHas, fieldTypes, invalidQuery, isOperator, operators, type Operator } from '@tain/contract'
import { findField, type Collection, type ColumnField, type Field } from '../schema/schema.ts'
import { bindValue } from './bind-value.ts'
import type { BoundFilter, BoundToMany, BoundToOne } from './bound.ts'
import type { Filter } from './query.ts'
import {
  collectionNamed,
  columnNamed,
  deeper,
  fieldNamed,
  noField,
  noRelation,
  targetOf,
  toAnyOf,
  toManyOf,
  toOneOf,
  type BindContext,
} from './resolve.ts'

export function bindFilter(filter: Filter, collection: Collection, context: BindContext): BoundFilter {
  switch (filter.kind) {
    case 'constant':
      return filter
    case 'and':
    case 'or':
      return { kind: filter.kind, parts: filter.parts.map((part) => bindFilter(part, collection, context)) }
    case 'test':
      return bindTest(filter, collection, context)
    case 'json': {
      const field = columnNamed(filter.name, collection, context)
      if (field.type !== 'json') throw unknownOperator(field, '_json')
      return { kind: 'json', field, condition: filter.condition, mask: null }
    }
    case 'relation':
      return bindRelation(filter, collection, context)
    case 'follow':
      return bindFollow(filter, collection, context)
  }
}

const unknownOperator = (field: ColumnField, operator: string) =>
  invalidQuery(`"${field.type}" field type does not contain the "${operator}" filter operator`)

function bindTest(filter: Filter & { kind: 'test' }, collection: Collection, context: BindContext): BoundFilter {
  const { field: tested, operator, operand } = filter
  const field = fieldNamed(tested.name, collection, context)
  const relation = tested.fn === null ? toManyOf(field, context) : null
  if (relation !== null) return bindToManyTest(relation, filter, context)
  if (tested.fn === null && field.kind === 'inferred') {
    const one = toOneOf(field, context)
    if (one !== null && operators[operator].tests === 'null')
      return bindCompositeNull(one, operator, collection, context)
    throw invalidQuery(`"${field.name}" is a relation over several columns; filter on those or inside it`)
  }
  const value = bindValue(tested, null, collection, context)
  if (value.kind === 'column') {
    const family = value.field.specials.includes('conceal') ? 'concealed' : fieldTypes[value.field.type].operators
    if (!familyHas(family, operator)) throw unknownOperator(value.field, operator)
  } else if (!familyHas('ordered', operator)) {
    throw invalidQuery(`The result of ${tested.fn}() does not know the operator "${operator}"`)
  }
  return { kind: 'test', value, operator, operand }
}

function bindCompositeNull(
  one: BoundToOne,
  operator: Operator,
  collection: Collection,
  context: BindContext,
): BoundFilter {
  const parts = one.columns.map((name): BoundFilter => {
    const field = columnNamed(name, collection, context)
    return { kind: 'test', value: { kind: 'column', field, mask: null }, operator, operand: null }
  })
  return { kind: operators[operator].negates ? 'and' : 'or', parts }
}

/** A condition on a to-many field itself applies to the keys of the children. */
function bindToManyTest(relation: BoundToMany, filter: Filter & { kind: 'test' }, context: BindContext): BoundFilter {
  const { operator, operand } = filter
  const all: BoundFilter = { kind: 'constant', value: true }
  const many = { kind: 'many', name: filter.field.name, relation, mask: null } as const
  const row = operators[operator]
  if (row.operand === 'flag') return { ...many, quantifier: row.whenMissing ? 'none' : 'some', filter: all }
  const [key, ...rest] = relation.to.key
  if (key === undefined || rest.length > 0)
    throw invalidQuery(`"${filter.field.name}" has no key of one column; filter inside it`)
  const test: Filter = { kind: 'test', field: { name: key.name, fn: null }, operator, operand }
  return {
    ...many,
    quantifier: 'some',
    filter: bindFilter(test, relation.to, deeper(context, filter.field.name)),
  }
}

function bindRelation(
  filter: Filter & { kind: 'relation' },
  collection: Collection,
  context: BindContext,
): BoundFilter {
  const { quantifier } = filter
  // A field name can contain a colon; the part after it is then not a scope.
  const isWhole = filter.scope !== null && findField(collection, `${filter.name}:${filter.scope}`) !== undefined
  const name = isWhole ? `${filter.name}:${filter.scope}` : filter.name
  const scope = isWhole ? null : filter.scope
  const field = fieldNamed(name, collection, context)
  if (scope !== null && field.relation?.kind !== 'any') throw noField(`${name}:${scope}`, collection.name, context.at)
  checkOperator(field, filter.filter, context)
  const inside = deeper(context, name)
  const many = toManyOf(field, context)
  if (many !== null)
    return {
      kind: 'many',
      name,
      relation: many,
      quantifier,
      filter: bindFilter(filter.filter, many.to, inside),
      mask: null,
    }
  const one = toOneOf(field, context)
  if (one !== null) {
    if (quantifier === 'none') throw invalidQuery(`_none needs a to-many field; "${name}" leads to one item`)
    return { kind: 'one', name, relation: one, filter: bindFilter(filter.filter, one.to, inside), mask: null }
  }
  const any = toAnyOf(field, context)
  if (any === null) throw noRelation(name, collection, context)
  if (scope === null)
    throw invalidQuery(`"${name}" leads to several collections; name one of them, as in "${name}:collection"`)
  const target = targetOf(any, scope, name, collection, context.at)
  return { kind: 'any', name, relation: any, target, filter: bindFilter(filter.filter, target, inside), mask: null }
}

/**
 * `eq` below a field is parsed as a field name. If there is no such field, the caller meant `_eq`, whether or not the
 * outer field is a relation.
 */
function checkOperator({ name, relation }: Field, inner: Filter, { schema, visibility }: BindContext): void {
  const written = firstName(inner)
  if (written === undefined || !isOperator(`_${written}`)) return
  const targets = relation === null ? [] : relation.kind === 'any' ? relation.allowed : [relation.to]
  const isField = targets.some((target) => {
    const to = schema.collections.get(target)
    return (
      to !== undefined &&
      visibility.collection(to) &&
      findField(to, written) !== undefined &&
      visibility.field(written, to)
    )
  })
  if (!isField)
    throw invalidQuery(
      `"${written}" below "${name}" is no field. Operators begin with "_": did you mean "_${written}"?`,
    )
}

function firstName(filter: Filter): string | undefined {
  if (filter.kind === 'test') return filter.field.name
  if (filter.kind === 'and' || filter.kind === 'or')
    return filter.parts.map(firstName).find((name) => name !== undefined)
  return 'name' in filter ? filter.name : undefined
}

/** `$FOLLOW(collection, field)`: the rows of another collection whose field points to this one. */
function bindFollow(filter: Filter & { kind: 'follow' }, collection: Collection, context: BindContext): BoundFilter {
  const child = collectionNamed(filter.collection, context)
  const field = columnNamed(filter.field, child, context)
  const inner = bindFilter(filter.filter, child, deeper(context, `$FOLLOW(${child.name},${field.name})`))
  const one = toOneOf(field, context)
  const any = toAnyOf(field, context)
  if (one !== null && one.to === collection) {
    const { toColumns: columns, columns: toColumns } = one
    const relation: BoundToMany = { kind: 'many', columns, toColumns, to: child, isInferred: true, seen: null }
    return { kind: 'many', name: null, relation, quantifier: 'some', filter: inner, mask: null }
  }
  if (any !== null && any.collectionColumn === filter.collectionField && any.targets.includes(collection)) {
    const columns = collection.key.map(({ name }) => name)
    columnNamed(any.collectionColumn, child, context)
    const relation: BoundToMany = { kind: 'reverse-any', columns, from: collection, to: child, any: any, seen: null }
    return { kind: 'many', name: null, relation, quantifier: 'some', filter: inner, mask: null }
  }
  throw noField(field.name, child.name, context.at)
}
