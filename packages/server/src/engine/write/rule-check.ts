import type { Access } from '../../access/grants.ts'
import type { Run } from './request.ts'
import type { RuleCheck } from './row-rules.ts'

export const accessOf = ({ actor, schema, services: { fits, grants } }: Run): Access => ({
  actor,
  schema,
  fits,
  grants,
})

export const ruleCheckOf = (run: Run): RuleCheck => ({
  access: accessOf(run),
  statements: run.services.statements,
  transaction: run.transaction,
})
