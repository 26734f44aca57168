import { Kind, type DocumentNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql'
import type { GraphqlConfig } from '../config/graphql.ts'

/** What a document may cost before anything is looked up for it. */
export interface DocumentLimits {
  /** Characters. */
  readonly size: number
  readonly tokens: number
  /** Levels of braces. */
  readonly depth: number
  readonly rootFields: number
  readonly aliases: number
  /** Fields after fragments have been opened. */
  readonly selections: number
  /** Fields of one object that come out under one key. */
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

/** Operations, fragments, and brackets of all kinds inside each other: more than that nobody writes. */
const MOST_OPERATIONS = 50
const MOST_FRAGMENTS = 200
const MOST_BRACKETS = 250

/** What can be seen of a text without reading it: its length, and how deep its brackets go. */
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
 * Counts what a document unfolds to. Fragments are opened wherever they are used, and counting stops at the first limit, so
 * that it takes no longer than the largest document that is let through.
 */
export function checkDocument(document: DocumentNode, limits: DocumentLimits): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  if (fragments.size > MOST_FRAGMENTS) exceeded('fragments', MOST_FRAGMENTS)
  if (document.definitions.length - fragments.size > MOST_OPERATIONS) exceeded('operations', MOST_OPERATIONS)
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      // Also fragments that nobody uses are looked at later; what they open is counted where they are used.
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

  /** All sets that make up one object, each with the fields of its fragments. */
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
            // A fragment inside itself is refused by name later.
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
