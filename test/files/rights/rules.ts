/** Permissions of files as plain values, and what they mean. Nothing here is shared with the server. */
export type Value = string | number | null
export type Row = Readonly<Record<string, Value>>
export type Action = 'create' | 'read' | 'update' | 'delete'

export type Rule =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Rule[] }
  | { readonly kind: 'test'; readonly field: string; readonly op: Operator; readonly value: Operand }

export type Operator = '_eq' | '_neq' | '_in' | '_null' | '_nnull' | '_starts_with' | '_lte'
export type Operand = string | number | true | readonly string[]

export interface Permission {
  readonly collection: 'service_files' | 'service_folders'
  readonly action: Action
  /** `*` means all of them. */
  readonly fields: readonly string[]
  /** Null matches every row. */
  readonly rule: Rule | null
  readonly validation: Rule | null
  readonly presets: Row | null
}

/** SQL's three-valued logic. */
type Truth = boolean | null

/** What a rule can see besides the row. */
export interface Sight {
  /** Null: nobody is signed in. */
  readonly user: string | null
  readonly folderName: (id: Value) => Value
}

export const everything: Rule = { kind: 'all', parts: [] }

export function isMet(rule: Rule | null, row: Row, sight: Sight): boolean {
  return rule === null || truthOf(rule, row, sight) === true
}

function truthOf(rule: Rule, row: Row, sight: Sight): Truth {
  if (rule.kind === 'test') return testOf(rule, row, sight)
  const truths = rule.parts.map((part) => truthOf(part, row, sight))
  const [decisive, otherwise] = rule.kind === 'all' ? [false, true] : [true, truths.length === 0]
  return truths.includes(decisive) ? decisive : truths.includes(null) ? null : otherwise
}

function testOf({ field, op, value }: Extract<Rule, { kind: 'test' }>, row: Row, sight: Sight): Truth {
  const stored = field === 'folder.name' ? sight.folderName(row['folder'] ?? null) : row[field]
  // A field that was neither sent nor preset.
  if (stored === undefined) return null
  if (op === '_null') return stored === null
  if (op === '_nnull') return stored !== null
  const operand = value === '$CURRENT_USER' ? sight.user : value
  if (stored === null || operand === null) return null
  if (op === '_in') return (operand as readonly string[]).includes(stored as string)
  if (op === '_starts_with') return String(stored).startsWith(String(operand))
  if (op === '_lte') return Number(stored) <= Number(operand)
  return op === '_eq' ? stored === operand : stored !== operand
}

/** A validation looks at values, not at rows of SQL: NULL is different from every value. */
export function isValid(rule: Rule | null, values: Row, sight: Sight): boolean {
  return rule === null || isMet(rule, values, sight)
}

/** The conditions that all have to hold; an update skips those that name nothing written. */
export function partsFor(rule: Rule, written: Row): Rule[] {
  if (rule.kind === 'all') return rule.parts.flatMap((part) => partsFor(part, written))
  return namedIn(rule).some((name) => written[name] !== undefined) ? [rule] : []
}

export const namedIn = (rule: Rule): string[] => (rule.kind === 'test' ? [rule.field] : rule.parts.flatMap(namedIn))

/** The rule as it is written in a permission. */
export function spell(rule: Rule): object {
  if (rule.kind !== 'test') return { [rule.kind === 'all' ? '_and' : '_or']: rule.parts.map(spell) }
  const test = { [rule.op]: rule.value }
  const [first = '', ...rest] = rule.field.split('.')
  return { [first]: rest.reduceRight<object>((inner, name) => ({ [name]: inner }), test) }
}
