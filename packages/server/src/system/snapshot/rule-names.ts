import { invalidPayload, type SnapshotRow, type SnapshotSections } from '@tain/contract'
import { fieldsOf } from '../../access/evaluate.ts'
import { ruleProblem } from '../../access/rule-problems.ts'
import { findField, type Schema } from '../../schema/schema.ts'
import { isBody, type Body } from '../metadata.ts'

/** Fields of a collection as they will be: those of the file, and those that its relations or the database itself bring. */
function hasField(collection: string, name: string, wanted: SnapshotSections, schema: Schema): boolean {
  const current = schema.collections.get(collection)
  return (
    wanted.fields.some((field) => field.collection === collection && field.field === name) ||
    (current !== undefined &&
      (current.isSystem || !current.columns.has(name)) &&
      findField(current, name) !== undefined) ||
    // A relation that is to be made brings fields whose names are found once it is there.
    wanted.relations.some(
      ({ collection: from, field, related_collection: to }) =>
        (from === collection || to === collection) && !isKnown(from, field, schema),
    )
  )
}

const isKnown = (collection: string, field: string, schema: Schema): boolean =>
  schema.relations.some((relation) => relation.collection === collection && relation.field === field)

/**
 * Rules that are new or changed name what will be there. Paths are followed where the structure stays as it is: what a new
 * relation leads to has no mirror before it is made.
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
    if (!isThere) continue
    for (const { permissions, validation, presets } of rules as readonly Rule[]) {
      const named = {
        permissions: namesOf(permissions),
        validation: namesOf(validation),
        presets: presetNames(presets),
      }
      for (const [part, names] of Object.entries(named)) {
        const has = (field: string) => hasField(String(name), field, wanted, schema)
        const missing = names.find((field) => !has(field) && !has(rootOf(field)) && !field.startsWith('$FOLLOW('))
        if (missing !== undefined)
          throw invalidPayload(`"${part}" of a permission names "${missing}", which is no field of "${String(name)}"`)
      }
      const problem =
        isSameSchema && collection !== undefined
          ? ruleProblem({ rule: permissions, validation, presets }, collection, schema)
          : null
      if (problem !== null) throw invalidPayload(problem)
    }
  }
}

interface Rule {
  readonly permissions: unknown
  readonly validation: unknown
  readonly presets: Body | null
}

const namesOf = (rule: unknown): string[] => (isBody(rule) ? fieldsOf(rule) : [])
const presetNames = (presets: Body | null): string[] => Object.keys(presets ?? {})

/** `year(date)`, `item:articles`: the field that a key of a filter begins with. `$FOLLOW` names none. */
function rootOf(key: string): string {
  const inner = /^[a-z]+\((.*)\)$/iu.exec(key)?.[1] ?? key
  return inner.split(/[:.]/u, 1)[0] ?? inner
}
