import { invalidPayload, type SnapshotSection } from '@tain/contract'
import { isBody, refuseUnknown, type Body } from '../metadata.ts'
import { allSections, itemsOf, nameIn, sectionNames, schemaSections, type Item } from './sections.ts'

export type Raw = Readonly<Partial<Record<SnapshotSection, readonly Item[]>>>

/** Sections that a diff affects; the schema sections are always included. */
export const sectionsIn = (diff: Body): readonly SnapshotSection[] =>
  allSections.filter((section) => schemaSections.includes(section) || section in diff)

export function checkDiff(diff: unknown): asserts diff is Body {
  if (!isBody(diff)) throw invalidPayload('"diff" has to be an object, as POST /schema/diff answers it')
  refuseUnknown(diff, allSections, 'diff')
}

/** The objects after a diff is applied. It only checks that the diff can be applied. */
export function patch(current: Raw, diff: Body): Raw {
  return Object.fromEntries(
    sectionsIn(diff)
      .filter((section) => current[section] !== undefined || diff[section] !== undefined)
      .map((section) => [section, patchSection(section, itemsOf(current as never, section), diff[section] ?? [])]),
  )
}

function patchSection(section: SnapshotSection, current: readonly Item[], objects: unknown): readonly Item[] {
  if (!Array.isArray(objects)) throw invalidPayload(`"diff.${section}" has to be a list`)
  const items = new Map(current.map((item) => [nameIn(section, item), item]))
  for (const object of objects as readonly unknown[]) {
    if (!isBody(object) || !Array.isArray(object['diff']))
      throw invalidPayload(`Each entry of "diff.${section}" needs its names and a list "diff"`)
    const name = nameIn(section, object)
    const after = (object['diff'] as readonly unknown[]).reduce(
      (item: Item | undefined, edit) => applyEdit(item, edit, `${section} ${name}`),
      items.get(name),
    )
    if (after === undefined) items.delete(name)
    else
      items.set(name, {
        ...after,
        ...Object.fromEntries(sectionNames[section].map((key) => [key, object[key] ?? null])),
      })
  }
  return [...items.values()]
}

function applyEdit(item: Item | undefined, edit: unknown, what: string): Item | undefined {
  const fail = (why: string) => invalidPayload(`The diff cannot be applied to ${what}: ${why}`)
  if (!isBody(edit)) throw fail('an edit has to be an object')
  const { kind, path = [], rhs } = edit
  if (kind !== 'N' && kind !== 'D' && kind !== 'E') throw fail('"kind" has to be N, D or E')
  if (!Array.isArray(path) || path.length > 2 || !path.every((step) => typeof step === 'string'))
    throw fail('"path" has to be a list of at most two names')
  const [first, second] = path as readonly string[]
  if (first === undefined) {
    if (kind === 'D') return undefined
    if (!isBody(rhs)) throw fail('"rhs" has to be the new object')
    return rhs
  }
  if (item === undefined) throw fail('there is nothing of that name')
  if (second === undefined) return withMember(item, first, kind === 'D' ? undefined : rhs)
  const part = item[first]
  if (!isBody(part)) throw fail(`"${first}" has no members`)
  return withMember(item, first, withMember(part, second, kind === 'D' ? undefined : rhs))
}

function withMember(item: Item, name: string, value: unknown): Item {
  const others = Object.entries(item).filter(([key]) => key !== name)
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]])
}
