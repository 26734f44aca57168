interface Rule {
  readonly action: string
  readonly rule: unknown
  readonly fields: readonly string[]
}

const isFree = (rule: unknown): boolean =>
  rule === null || rule === undefined || (typeof rule === 'object' && Object.keys(rule).length === 0)

/**
 * Fields that are empty in some of the rows that a user sees: a rule lets the row be seen, and does not grant the
 * field. `names` are all fields of the collection.
 */
export function maskedFields(rules: readonly Rule[], names: readonly string[]): readonly string[] {
  const reading = rules.filter(({ action }) => action === 'read')
  const grants = ({ fields }: Rule, name: string) => fields.includes('*') || fields.includes(name)
  return names.filter(
    (name) =>
      reading.some((rule) => grants(rule, name)) &&
      reading.some((rule) => rule.fields.length > 0 && !grants(rule, name)) &&
      !reading.some((rule) => isFree(rule.rule) && grants(rule, name)),
  )
}
