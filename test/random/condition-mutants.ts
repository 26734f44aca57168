import type { Mutant } from './mutant-list.ts'

const FILTER = 'query/parse-filter.ts'

const mutant = (name: string, by: Mutant['by'], file: string, search: string, replace: string): Mutant => ({
  name,
  by,
  edits: [{ file, search, replace }],
})

/** Mistakes about conditions that are missing. */
export const CONDITION_MUTANTS: readonly Mutant[] = [
  mutant(
    'a field without an operator matches every row',
    'reads',
    FILTER,
    '  if (parts.length === 0) throw noOperator(whole)\n',
    '',
  ),
  mutant(
    'a relation without a condition matches every row that has one',
    'reads',
    FILTER,
    'if (isUnconditional(below)) throw noOperator(name)',
    "if (isUnconditional(below) && name === '') throw noOperator(name)",
  ),
  mutant(
    'an _or without branches matches every row',
    'reads',
    FILTER,
    "? { kind: 'constant', value: false }",
    "? { kind: 'constant', value: true }",
  ),
  mutant(
    'a write by query needs no condition',
    'writes',
    'engine/items/write-target.ts',
    'if (!isAll && !isConditional && !isSingleton(collection))',
    'if (!isAll && !isConditional && queryKey === null)',
  ),
]
