/** A value that belongs to a rule, not to a request; it is stored in the condition that uses it. */
export interface RuleConstant {
  readonly constant: unknown
}

/** The source of a value when a statement runs: its position among the request's values, or a rule constant. */
export type Parameter = number | RuleConstant

export const isRuleConstant = (parameter: Parameter): parameter is RuleConstant => typeof parameter === 'object'
