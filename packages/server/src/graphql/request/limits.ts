import { Kind, type DocumentNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql'
import type { GraphqlConfig } from '../../config/graphql.ts'

/** Limits for a document, checked before anything is looked up. */
export interface DocumentLimits {
  /** Characters. */
  readonly size: number
  readonly tokens: number
  /** Levels of selection sets. */
  readonly depth: number
  readonly rootFields: number
  readonly aliases: number
  /** Fields after fragment expansion. */
  readonly selections: number
  /** Fields of one object with the same response key. */
  readonly sameKey: number
  readonly directives: number
  readonly variables: number
}

export const limitsOf = (config: GraphqlConfig): DocumentLimits => ({
  size: config.graphqlSize,
  tokens: config.graphqlTokens,
  depth: config.graphqlDepth,
  rootFields: config.graphqlRootFields,
  aliases: config.graphqlAliases,
  selections: config.graphqlSelections,
  sameKey: config.graphqlSameKey,
  directives: config.graphqlDirectives,
  variables: config.graphqlVariables,
})

export class LimitExceeded extends Error {}

const exceeded = (what: string, most: number): never => {
  throw new LimitExceeded(`The document has more than ${most} ${what}.`)
}

/** Fixed limits for operations, fragments and nested brackets, far above real documents. */
const MOST_OPERATIONS = 50
const MOST_FRAGMENTS = 200
const MOST_BRACKETS = 250

/** Checks that need no parsing: text length and bracket depth. */
export function checkText(text: string, { size }: DocumentLimits): void {
  if (text.length > size) exceeded('characters', size)
  let depth = 0
  for (const [part] of text.matchAll(/"""[\s\S]*?(?:(?<!\\)"""|$)|"(?:[^"\\\n]|\\.)*"?|#[^\n\r]*|[[({]|[\])}]/gu)) {
    if (part === '{' || part === '[' || part === '(') depth += 1
    else if (part === '}' || part === ']' || part === ')') depth -= 1
    if (depth > MOST_BRACKETS) exceeded('brackets inside each other', MOST_BRACKETS)
  }
}

interface Count {
  selections: number
  aliases: number
  directives: number
}

/**
 * Counts what a document expands to. Fragments are expanded wherever they are used. Counting stops at the first
 * exceeded limit, so it takes no longer than the largest accepted document.
 */
export function checkDocument(document: DocumentNode, limits: DocumentLimits): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  if (fragments.size > MOST_FRAGMENTS) exceeded('fragments', MOST_FRAGMENTS)
  if (document.definitions.length - fragments.size > MOST_OPERATIONS) exceeded('operations', MOST_OPERATIONS)
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      // Validation also visits unused fragments. The fragments that they spread are counted where they are used.
      count([definition.selectionSet], new Map(), limits, false)
    } else if (definition.kind === Kind.OPERATION_DEFINITION) {
      if ((definition.variableDefinitions?.length ?? 0) > limits.variables) exceeded('variables', limits.variables)
      count([definition.selectionSet], fragments, limits, true)
    }
  }
}

function count(
  roots: readonly SelectionSetNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  limits: DocumentLimits,
  isOperation: boolean,
): void {
  const total: Count = { selections: 0, aliases: 0, directives: 0 }
  const open: string[] = []

  /** Visits all selection sets of one object together, including those of its fragments. */
  const visit = (sets: readonly SelectionSetNode[], depth: number): void => {
    if (depth > limits.depth) exceeded('levels', limits.depth)
    const keys = new Map<string, { count: number; sets: SelectionSetNode[] }>()
    const gather = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
        total.directives += selection.directives?.length ?? 0
        if (total.directives > limits.directives) exceeded('directives', limits.directives)
        total.selections += 1
        if (total.selections > limits.selections) exceeded('fields, fragments opened', limits.selections)
        switch (selection.kind) {
          case Kind.FIELD: {
            if (selection.alias !== undefined) total.aliases += 1
            if (total.aliases > limits.aliases) exceeded('aliases', limits.aliases)
            const key = selection.alias?.value ?? selection.name.value
            const same = keys.get(key) ?? { count: 0, sets: [] }
            same.count += 1
            if (same.count > limits.sameKey) exceeded('fields under one key', limits.sameKey)
            if (selection.selectionSet !== undefined) same.sets.push(selection.selectionSet)
            keys.set(key, same)
            break
          }
          case Kind.INLINE_FRAGMENT:
            nest(selection.selectionSet)
            break
          case Kind.FRAGMENT_SPREAD: {
            const { value: name } = selection.name
            const fragment = fragments.get(name)
            // Validation later reports a fragment that contains itself by name.
            if (fragment === undefined || open.includes(name)) break
            open.push(name)
            nest(fragment.selectionSet)
            open.pop()
          }
        }
      }
    }
    let inline = 0
    const nest = (set: SelectionSetNode): void => {
      inline += 1
      if (depth + inline > limits.depth * 2) exceeded('levels of fragments', limits.depth)
      gather(set)
      inline -= 1
    }
    for (const set of sets) gather(set)
    if (depth === 1 && isOperation && keys.size > limits.rootFields) exceeded('root fields', limits.rootFields)
    for (const { sets: below } of keys.values()) if (below.length > 0) visit(below, depth + 1)
  }
  visit(roots, 1)
}
