import { fieldFunctions, type CollectionDescription, type FieldDescription, type FieldFunction } from '@tain/contract'
import type { Rng } from '../random/rng.ts'

/** Names that mean something else in a path are left to tests of paths. */
const isPlain = ({ name }: FieldDescription) => /^[^.,:()*[\]\\\s"$-]+$/u.test(name)

const DEEPEST = 3

type Collections = ReadonlyMap<string, CollectionDescription>

const readable = ({ fields }: CollectionDescription): readonly FieldDescription[] =>
  fields.filter((field) => field.read !== undefined && isPlain(field))

const functionsOf = ({ type, relation }: FieldDescription): readonly FieldFunction[] =>
  (Object.keys(fieldFunctions) as FieldFunction[]).filter(
    (name) =>
      name !== 'json' &&
      ((fieldFunctions[name].types as readonly string[]).includes(type) ||
        (name === 'count' && relation?.kind === 'many')),
  )

function pathFrom(collection: CollectionDescription, collections: Collections, rng: Rng, depth: number): string {
  const fields = readable(collection)
  if (fields.length === 0 || rng.chance(0.1)) return '*'
  const field = rng.pick(fields)
  const functions = functionsOf(field)
  if (functions.length > 0 && rng.chance(0.3)) return `${rng.pick(functions)}(${field.name})`
  const targets = (field.relation?.to ?? []).flatMap((name) => collections.get(name) ?? [])
  // A list by its name is a list of keys, so the caller has to know these.
  const hasKeys = field.relation?.kind !== 'many' || targets.every(({ key }) => key.length > 0)
  if (hasKeys && (targets.length === 0 || depth >= DEEPEST || rng.chance(0.2))) return field.name
  const target = rng.pick(targets)
  const rest = pathFrom(target, collections, rng, depth + 1)
  return `${field.name}${field.relation?.kind === 'any' ? `:${target.name}` : ''}.${rest}`
}

/** Paths that a caller may read, as the description says. */
export const randomFields = (
  collection: CollectionDescription,
  collections: Collections,
  rng: Rng,
): readonly string[] => [
  ...new Set(Array.from({ length: rng.int(1, 5) }, () => pathFrom(collection, collections, rng, 0))),
]
