import type { StoredName } from '../sql/service/names.ts'

export type { StoredName }

/** The remembered names, and the names that this schema is the first to assign. */
export interface NameBook {
  readonly remembered: readonly StoredName[]
  /** New names, to be stored. */
  readonly fresh: readonly StoredName[]
  /** Remembered names that a column or declared field has taken, with the name used instead. */
  readonly displaced: readonly StoredName[]
  /** Keys of all fields that need a name, including those that metadata names. */
  readonly subjects: ReadonlySet<string>
}

export const nameKey = ({ kind, collection, subject }: Pick<StoredName, 'kind' | 'collection' | 'subject'>): string =>
  JSON.stringify([kind, collection, subject])

/** Whether the relation or collection with the name exists. */
export const isPresent = (
  name: StoredName,
  { names, collections }: { readonly names: NameBook; readonly collections: ReadonlyMap<string, unknown> },
): boolean => (name.kind === 'type' ? collections.has(name.collection) : names.subjects.has(nameKey(name)))

/** The name book after its changes are stored. */
export function afterStoring(book: NameBook): NameBook {
  const displaced = new Map(book.displaced.map((name) => [nameKey(name), name]))
  const remembered = book.remembered.map((name) => displaced.get(nameKey(name)) ?? name)
  return { ...book, remembered: [...remembered, ...book.fresh], fresh: [], displaced: [] }
}

/** A field that needs a name. */
export interface NameCandidate {
  readonly collection: string
  /** Identifies the field independently of its name, by its tables and columns. */
  readonly subject: string
  readonly plain: string
  readonly qualified: string
  /** The plain name is exactly the name of a table in the default schema. */
  readonly isNative: boolean
  /** Several relations connect the same two collections, so the plain name is ambiguous. */
  readonly isOneOfSeveral: boolean
}

export interface NamedField {
  readonly name: string
  readonly given: StoredName
  /** The change to store; null: none. */
  readonly change: 'fresh' | 'displaced' | null
}

export interface NamingOptions {
  readonly remembered: readonly StoredName[]
  /** Whether a column or a declared field has the name; these always win. */
  readonly isTaken: (collection: string, name: string) => boolean
}

/** Suffixes of the names that GraphQL derives from a field name; a later field may not take those names. */
const derived = ['_key', '_keys', '_changes', '_func']

/**
 * Names inferred fields, in the order of the candidates. A remembered name stays with its field, and is reserved while
 * the field is absent. A new field gets the plain name if it is the only candidate for it, else the qualified name.
 */
export function nameFields<T extends NameCandidate>(
  candidates: readonly T[],
  options: NamingOptions,
): Map<T, NamedField> {
  const rows = Map.groupBy(
    options.remembered.filter(({ kind }) => kind === 'field'),
    ({ collection }) => collection,
  )
  const groups = Map.groupBy(candidates, ({ collection }) => collection)
  const named = new Map<T, NamedField>()
  for (const [collection, group] of groups) {
    const isTaken = (name: string) => options.isTaken(collection, name)
    const fields = nameGroup(group, rows.get(collection) ?? [], isTaken)
    for (const candidate of group) {
      const field = fields.get(candidate)
      if (field !== undefined) named.set(candidate, field)
    }
  }
  return named
}

function nameGroup<T extends NameCandidate>(
  candidates: readonly T[],
  rows: readonly StoredName[],
  isTaken: (name: string) => boolean,
): Map<T, NamedField> {
  const named = new Map<T, NamedField>()
  const rowOf = new Map<string, StoredName>()
  const holders = new Map<string, string>()
  const reserved = new Set<string>()
  const reserve = (name: string) => {
    reserved.add(name)
    for (const suffix of derived) reserved.add(name + suffix)
  }
  for (const row of rows) {
    if (!rowOf.has(row.subject)) rowOf.set(row.subject, row)
    for (const name of row.instead === null ? [row.name] : [row.name, row.instead]) {
      if (!holders.has(name)) holders.set(name, row.subject)
      reserve(name)
    }
  }
  const inUse = new Set<string>()
  const isFree = (name: string) => !isTaken(name) && !reserved.has(name) && !inUse.has(name)
  const give = (candidate: T, name: string) => {
    const { collection, subject } = candidate
    const row = rowOf.get(subject)
    inUse.add(name)
    named.set(candidate, {
      name,
      given:
        row === undefined ? { kind: 'field', collection, subject, name, instead: null } : { ...row, instead: name },
      change: row === undefined ? 'fresh' : 'displaced',
    })
  }

  for (const candidate of candidates) {
    const row = rowOf.get(candidate.subject)
    const name = [row?.name, row?.instead].find(
      (each) => typeof each === 'string' && !isTaken(each) && holders.get(each) === candidate.subject,
    )
    if (row !== undefined && typeof name === 'string') named.set(candidate, { name, given: row, change: null })
  }
  const newcomers = candidates.filter((candidate) => !named.has(candidate))
  const { short, long } = contest(newcomers, (candidate) => !rowOf.has(candidate.subject) && isFree(candidate.plain))
  for (const candidate of short) give(candidate, candidate.plain)
  for (const candidate of long) give(candidate, numbered(candidate.qualified, isFree))
  return named
}

/**
 * Decides which candidate gets a plain name: the only one for it, or the only one whose table has exactly that name.
 */
function contest<T extends NameCandidate>(
  newcomers: readonly T[],
  mayBePlain: (candidate: T) => boolean,
): { readonly short: readonly T[]; readonly long: readonly T[] } {
  const rivals = Map.groupBy(
    newcomers.filter((candidate) => !candidate.isOneOfSeveral && mayBePlain(candidate)),
    ({ plain }) => plain,
  )
  let short = [...rivals.values()].flatMap((group) => {
    const natives = group.filter(({ isNative }) => isNative)
    const closest = natives.length === 0 ? group : natives
    return closest.length === 1 ? closest : []
  })
  // A plain name that equals the qualified name of another candidate is not unique either.
  for (let before = -1; before !== short.length;) {
    before = short.length
    const winners = new Set(short)
    const qualified = new Set(newcomers.filter((each) => !winners.has(each)).map((each) => each.qualified))
    short = short.filter(({ plain }) => !qualified.has(plain))
  }
  const winners = new Set(short)
  const long = newcomers.filter((candidate) => !winners.has(candidate)).toSorted(byPrecedence)
  return { short: newcomers.filter((candidate) => winners.has(candidate)), long }
}

const byPrecedence = (a: NameCandidate, b: NameCandidate) =>
  Number(b.isNative) - Number(a.isNative) || (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0)

function numbered(name: string, isFree: (name: string) => boolean): string {
  let found = name
  for (let number = 2; !isFree(found); number += 1) found = `${name}_${number}`
  return found
}
