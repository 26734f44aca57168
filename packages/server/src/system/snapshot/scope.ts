import { invalidPayload, type SnapshotScope, type SnapshotSections } from '@tain/contract'
import { isBody, refuseUnknown } from '../metadata.ts'

const namesIn = (value: unknown): readonly string[] | undefined => {
  if (value === undefined) return undefined
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
    throw invalidPayload('"scope" has to hold lists of collections')
  return value
}

export function scopeIn(given: unknown): SnapshotScope | null {
  if (given === undefined || given === null) return null
  if (!isBody(given)) throw invalidPayload('"scope" has to be an object')
  refuseUnknown(given, ['include', 'exclude'], 'scope')
  const [include, exclude] = [namesIn(given['include']), namesIn(given['exclude'])]
  return { ...(include === undefined ? {} : { include }), ...(exclude === undefined ? {} : { exclude }) }
}

const has = (scope: SnapshotScope | null, name: string) =>
  scope === null || ((scope.include?.includes(name) ?? true) && !(scope.exclude?.includes(name) ?? false))

/** Limits a snapshot to the collections in scope. */
export function narrow(sections: SnapshotSections, scope: SnapshotScope | null): SnapshotSections {
  if (scope === null) return sections
  const isInside = ({ collection }: { readonly collection: string }) => has(scope, collection)
  const { permissions, names } = sections
  return {
    ...sections,
    collections: sections.collections.filter(isInside),
    fields: sections.fields.filter(isInside),
    relations: sections.relations.filter(isInside),
    ...(names === undefined ? {} : { names: names.filter(isInside) }),
    ...(permissions === undefined
      ? {}
      : { permissions: permissions.filter(({ collection }) => has(scope, String(collection))) }),
  }
}

/** A file limited to some collections leaves the others alone: they are neither compared nor dropped. */
export const inScope =
  (...scopes: readonly (SnapshotScope | null)[]) =>
  (sections: SnapshotSections): SnapshotSections =>
    scopes.reduce(narrow, sections)
