import { invalidPayload, type SnapshotRow, type SnapshotSections } from '@tain/contract'
import { fieldsOf } from '../../access/evaluate.ts'
import { ruleProblem } from '../../access/rule-problems.ts'
import { hint, variableProblem } from '../../access/unknown-names.ts'
import { findField, type Schema } from '../../schema/schema.ts'
import { isBody, type Body } from '../metadata.ts'

/** Whether the collection will have the field: from the file, from its relations, or from the database itself. */
function hasField(collection: string, name: string, wanted: SnapshotSections, schema: Schema): boolean {
  const current = schema.collections.get(collection)
  return (
    wanted.fields.some((field) => field.collection === collection && field.field === name) ||
    (current !== undefined &&
      (current.isSystem || !current.columns.has(name)) &&
      findField(current, name) !== undefined) ||
    // A new relation adds fields whose names are known only once it exists.
    wanted.relations.some(
      ({ collection: from, field, related_collection: to }) =>
        (from === collection || to === collection) && !isKnown(from, field, schema),
    )
  )
}

const isKnown = (collection: string, field: string, schema: Schema): boolean =>
  schema.relations.some((relation) => relation.collection === collection && relation.field === field)

/**
 * New or changed rules may only name fields that will exist. Paths are followed only if the schema stays unchanged: the
 * fields behind a new relation are unknown before it is created.
 */
export function checkRuleNames(
  put: readonly SnapshotRow[],
  wanted: SnapshotSections,
  schema: Schema,
  isSameSchema: boolean,
): void {
  for (const { collection: name, rules } of put) {
    const collection = schema.collections.get(String(name))
    const isThere = collection?.isSystem === true || wanted.collections.some((each) => each.collection === name)
    if (!isThere) {
      const known = [...wanted.collections.map((each) => each.collection), ...schema.system.keys()]
      throw invalidPayload(`A permission names "${String(name)}", which is no collection${hint(String(name), known)}`)
    }
    for (const { permissions, validation, presets, fields } of rules as readonly Rule[]) {
      const named = {
        permissions: namesOf(permissions),
        validation: namesOf(validation),
        presets: presetNames(presets),
        fields: fieldsIn(fields),
      }
      for (const [part, names] of Object.entries(named)) {
        const has = (field: string) => hasField(String(name), field, wanted, schema)
        const missing = names.find((field) => !has(field) && !has(rootOf(field)) && !field.startsWith('$FOLLOW('))
        if (missing !== undefined)
          throw invalidPayload(`"${part}" of a permission names "${missing}", which is no field of "${String(name)}"`)
      }
      const problem =
        variableProblem({ permissions, validation, presets }) ??
        (isSameSchema && collection !== undefined
          ? ruleProblem({ rule: permissions, validation, presets }, collection, schema)
          : null)
      if (problem !== null) throw invalidPayload(problem)
    }
  }
}

interface Rule {
  readonly permissions: unknown
  readonly validation: unknown
  readonly presets: Body | null
  readonly fields: unknown
}

const fieldsIn = (fields: unknown): readonly string[] =>
  Array.isArray(fields) ? fields.filter((name): name is string => typeof name === 'string' && name !== '*') : []

const namesOf = (rule: unknown): string[] => (isBody(rule) ? fieldsOf(rule) : [])
const presetNames = (presets: Body | null): string[] => Object.keys(presets ?? {})

/** The field at the start of a filter key, such as `year(date)` or `item:articles`. `$FOLLOW` names none. */
function rootOf(key: string): string {
  const inner = /^[a-z]+\((.*)\)$/iu.exec(key)?.[1] ?? key
  return inner.split(/[:.]/u, 1)[0] ?? inner
}
