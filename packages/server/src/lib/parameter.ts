/** A value that belongs to a rule and not to a request: it travels with the condition that uses it. */
export interface RuleConstant {
  readonly constant: unknown
}

/** Where a value is when a statement runs: its position among the request's values, or held. */
export type Parameter = number | RuleConstant

export const isRuleConstant = (parameter: Parameter): parameter is RuleConstant => typeof parameter === 'object'
