import type { StoredName } from '../sql/service-tables.ts'

/** A name that was given and is remembered. */
export interface GivenName extends StoredName {
  readonly kind: 'field' | 'type'
}

/** The names that are remembered, and those that this schema was the first to give. */
export interface NameBook {
  readonly remembered: readonly GivenName[]
  /** New names, to be stored. */
  readonly fresh: readonly GivenName[]
  /** Remembered names that have given way to a column or a declared field, with the name used instead. */
  readonly displaced: readonly GivenName[]
  /** Keys of all fields that there are to name, those that metadata names included. */
  readonly subjects: ReadonlySet<string>
  /** The names in use before names were remembered are kept as they were. */
  readonly isAdopting: boolean
}

export const nameKey = ({ kind, collection, subject }: Pick<GivenName, 'kind' | 'collection' | 'subject'>): string =>
  JSON.stringify([kind, collection, subject])

/** Whether the relation or the collection that has the name exists. */
export const isPresent = (
  name: GivenName,
  { names, collections }: { readonly names: NameBook; readonly collections: ReadonlyMap<string, unknown> },
): boolean => (name.kind === 'type' ? collections.has(name.collection) : names.subjects.has(nameKey(name)))

/** What is remembered once the news are stored. */
export function afterStoring(book: NameBook): NameBook {
  const displaced = new Map(book.displaced.map((name) => [nameKey(name), name]))
  const remembered = book.remembered.map((name) => displaced.get(nameKey(name)) ?? name)
  return { ...book, remembered: [...remembered, ...book.fresh], fresh: [], displaced: [], isAdopting: false }
}

export const isGiven = (name: StoredName): name is GivenName => name.kind !== 'adopt'

/** A field that wants a name. */
export interface NameCandidate {
  readonly collection: string
  /** What it is, whatever it is called: its tables and columns. */
  readonly subject: string
  readonly plain: string
  readonly qualified: string
  /** The plain name is that of a table of the default schema as it stands. */
  readonly isNative: boolean
  /** Others of its kind lead there too, so the plain name says too little. */
  readonly isOneOfSeveral: boolean
  /** Names that it had before names were remembered, in the order in which they were tried. */
  readonly earlier: readonly string[]
}

export interface NamedField {
  readonly name: string
  readonly given: GivenName
  /** Whether it has to be stored, and as what. */
  readonly change: 'fresh' | 'displaced' | null
}

export interface NamingOptions {
  readonly remembered: readonly GivenName[]
  readonly isAdopting: boolean
  /** Columns and declared fields: these always win. */
  readonly isTaken: (collection: string, name: string) => boolean
}

/** Names that GraphQL makes of the name of a field; a field that comes later may not take them. */
const derived = ['_key', '_keys', '_changes', '_func']

/**
 * Names of inferred fields, in the order of the candidates. A remembered name stays with its field, and is kept for it
 * while it is absent. Newcomers get the plain name where they are the only ones to want it, the qualified name otherwise.
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
    const fields = nameGroup(group, rows.get(collection) ?? [], isTaken, options.isAdopting)
    for (const candidate of group) {
      const field = fields.get(candidate)
      if (field !== undefined) named.set(candidate, field)
    }
  }
  return named
}

function nameGroup<T extends NameCandidate>(
  candidates: readonly T[],
  rows: readonly GivenName[],
  isTaken: (name: string) => boolean,
  isAdopting: boolean,
): Map<T, NamedField> {
  const named = new Map<T, NamedField>()
  const rowOf = new Map<string, GivenName>()
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
  const held = new Set([...named.values()].map(({ name }) => name))
  if (isAdopting)
    for (const candidate of candidates) {
      const name = named.has(candidate)
        ? undefined
        : candidate.earlier.find((each) => !isTaken(each) && !held.has(each))
      if (name === undefined) continue
      held.add(name)
      give(candidate, name)
    }
  const newcomers = candidates.filter((candidate) => !named.has(candidate))
  const { short, long } = contest(newcomers, (candidate) => !rowOf.has(candidate.subject) && isFree(candidate.plain))
  for (const candidate of short) give(candidate, candidate.plain)
  for (const candidate of long) give(candidate, numbered(candidate.qualified, isFree))
  return named
}

/** Who gets the plain name: the only one that wants it, or the only one of them that is called so in the database. */
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
  // A plain name that is the qualified name of another one is not the only one either.
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
