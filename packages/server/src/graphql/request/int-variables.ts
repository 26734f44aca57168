import {
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  GraphQLList,
  GraphQLNonNull,
  VariablesInAllowedPositionRule,
  type ASTVisitor,
  type GraphQLInputType,
  type OperationDefinitionNode,
  type TypeNode,
  type ValidationContext,
} from 'graphql'
import { scalars } from '../schema/scalars.ts'

/** Scalars that take every Int. */
const wider: ReadonlySet<unknown> = new Set([scalars.GraphQLInteger, scalars.GraphQLStringOrFloat])

const nameIn = (node: TypeNode): string => (node.kind === Kind.NAMED_TYPE ? node.name.value : nameIn(node.type))

function withInt(type: GraphQLInputType): GraphQLInputType {
  if (isNonNullType(type)) {
    const inner = withInt(type.ofType)
    return isNonNullType(inner) ? inner : new GraphQLNonNull(inner)
  }
  if (isListType(type)) return new GraphQLList(withInt(type.ofType))
  return wider.has(type) ? scalars.Int : type
}

/**
 * Whether a column needs more than an Int depends on the database. Variables of the type Int are allowed for both, so that
 * one document works on all databases.
 */
export function variablesInAllowedPosition(context: ValidationContext): ASTVisitor {
  const usagesOf = (operation: OperationDefinitionNode) => {
    const ints = new Set(
      (operation.variableDefinitions ?? []).flatMap(({ variable, type }) =>
        nameIn(type) === scalars.Int.name ? [variable.name.value] : [],
      ),
    )
    return context
      .getRecursiveVariableUsages(operation)
      .map((usage) =>
        ints.has(usage.node.name.value) && isInputType(usage.type) ? { ...usage, type: withInt(usage.type) } : usage,
      )
  }
  return VariablesInAllowedPositionRule(
    Object.create(context, { getRecursiveVariableUsages: { value: usagesOf } }) as ValidationContext,
  )
}
