import {
  isUnionType,
  Kind,
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type SelectionSetNode,
  type VariableValues,
} from 'graphql'
import type { LazySchema } from '../schema/schema.ts'

/** The context for reading a document. */
export interface Reading {
  readonly schema: LazySchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: VariableValues
}

/** Fields of an object by response key, in document order, with fragments expanded. */
export function collect(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  reading: Reading,
): Map<string, FieldNode[]> {
  const found = new Map<string, FieldNode[]>()
  const opened = new Set<string>()
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isIncluded(selection.directives, reading)) continue
      switch (selection.kind) {
        case Kind.FIELD: {
          const key = selection.alias?.value ?? selection.name.value
          const same = found.get(key)
          if (same === undefined) found.set(key, [selection])
          else same.push(selection)
          break
        }
        case Kind.INLINE_FRAGMENT:
          if (applies(selection.typeCondition?.name.value, type, reading)) visit(selection.selectionSet)
          break
        case Kind.FRAGMENT_SPREAD: {
          const { value: name } = selection.name
          const fragment = reading.fragments.get(name)
          if (opened.has(name) || fragment === undefined) break
          opened.add(name)
          if (applies(fragment.typeCondition.name.value, type, reading)) visit(fragment.selectionSet)
        }
      }
    }
  }
  for (const set of sets) visit(set)
  return found
}

export const setsOf = (nodes: readonly FieldNode[]): SelectionSetNode[] =>
  nodes.flatMap(({ selectionSet }) => selectionSet ?? [])

function applies(condition: string | undefined, type: GraphQLObjectType, { schema }: Reading): boolean {
  if (condition === undefined || condition === type.name) return true
  const wider = schema.getType(condition)
  return isUnionType(wider) && wider.getTypes().includes(type)
}

/** `@skip` and `@include`; each may appear once. */
function isIncluded(directives: readonly DirectiveNode[] | undefined, reading: Reading): boolean {
  return (directives ?? []).every((directive) => {
    const { value: name } = directive.name
    if (name !== 'skip' && name !== 'include') return true
    const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value
    const flag =
      value?.kind === Kind.VARIABLE
        ? reading.variables.coerced[value.name.value] === true
        : value?.kind === Kind.BOOLEAN && value.value
    return name === 'skip' ? !flag : flag
  })
}
