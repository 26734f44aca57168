const undefinedValue = (name: string) => new TypeError(`${name} is undefined`)

/** JSON leaves out members that are undefined, so that a condition would match every row. */
export const assertFilter = (filter: unknown): void =>
  void JSON.stringify(filter, (member, value: unknown) => {
    if (value === undefined && member !== '') throw undefinedValue(`filter: ${member}`)
    return value
  })

/** Checks the conditions of a query: its filter, and those in `deep`. */
export function assertConditions({ filter, deep }: { readonly filter?: unknown; readonly deep?: unknown }): void {
  assertFilter(filter)
  JSON.stringify(deep, (member, value: unknown) => {
    if (member === '_filter') assertFilter(value)
    return value
  })
}

export function assertKey(key: unknown): void {
  if ([key].flat().includes(undefined)) throw undefinedValue('key')
}
