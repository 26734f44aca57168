import { randomUUID } from 'node:crypto'
import { ServiceError, ServiceErrors, type Special } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import { evaluate } from '../../access/evaluate.ts'
import { hashText } from '../../lib/argon2.ts'
import type { WriteNode, WriteTree } from '../../query/bound-write.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'

interface Filling {
  readonly actor: Actor
  readonly now: string
}

/** What a flag puts into its column by itself: on create, on update, and whether what a caller sent counts. */
const fillers: Partial<
  Record<
    Special,
    { create?: (filling: Filling) => string | null; update?: (filling: Filling) => string | null; keepsSent: boolean }
  >
> = {
  uuid: { create: () => randomUUID(), keepsSent: true },
  'date-created': { create: ({ now }) => now, keepsSent: false },
  'date-updated': { update: ({ now }) => now, keepsSent: false },
  'user-created': { create: ({ actor }) => actor.user, keepsSent: false },
  'user-updated': { update: ({ actor }) => actor.user, keepsSent: false },
  'role-created': { create: ({ actor }) => actor.role, keepsSent: false },
  'role-updated': { update: ({ actor }) => actor.role, keepsSent: false },
}

/** Fills what fills itself and checks what must be there. All problems are told at once. */
export function completeTree({ nodes }: WriteTree, actor: Actor): void {
  const filling: Filling = { actor, now: new Date().toISOString() }
  const problems: ServiceError[] = []
  for (const node of nodes) {
    if (node.action === 'link' || node.action === 'join') continue
    fill(node, filling)
    problems.push(...problemsOf(node), ...brokenRules(node))
  }
  const [only] = problems
  if (problems.length === 1 && only !== undefined) throw only
  if (problems.length > 1) throw new ServiceErrors(problems)
}

function fill(node: WriteNode, filling: Filling): void {
  const isNew = node.action === 'create' || node.action === 'save'
  // A row that is only assigned to another parent, or only holds others, is not changed itself.
  if (!isNew && node.values.size === 0) return
  for (const field of node.collection.columns.values()) {
    for (const flag of field.specials) {
      const filler = fillers[flag]
      const make = isNew ? filler?.create : filler?.update
      if (filler === undefined || make === undefined) continue
      const sent = node.values.get(field.name)
      if (filler.keepsSent && sent !== undefined && !(sent.kind === 'given' && sent.json === 'null')) continue
      node.values.set(field.name, { kind: 'given', json: JSON.stringify(make(filling)) })
    }
  }
}

const failed = (field: ColumnField, node: WriteNode, type: 'required' | 'nnull') =>
  new ServiceError(
    'FAILED_VALIDATION',
    `Validation failed for field "${field.name}". ${type === 'required' ? 'Value is required.' : "Value can't be null."}`,
    { field: field.name, path: [...node.path], type },
  )

/** The database fills it, or nobody has to. */
export const isOptional = ({ column }: ColumnField) =>
  column.isNullable ||
  column.defaultExpression !== null ||
  column.identity !== null ||
  column.generationExpression !== null

export function problemsOf(node: WriteNode): ServiceError[] {
  return [...node.collection.columns.values()].flatMap((field) => {
    const value = node.values.get(field.name)
    if (value?.kind === 'given' && value.json === 'null' && !field.column.isNullable)
      return [failed(field, node, 'nnull')]
    if (value === undefined && node.action === 'create' && !isOptional(field) && node.order?.field !== field)
      return [failed(field, node, 'required')]
    return []
  })
}

/** Values of a node that are known before anything is written, as the rules of a field see them. */
const sentValues = ({ values }: WriteNode): Record<string, unknown> =>
  Object.fromEntries(
    [...values].flatMap(([name, value]) => (value.kind === 'given' ? [[name, JSON.parse(value.json) as unknown]] : [])),
  )

/** Rules that metadata puts on fields. */
function brokenRules(node: WriteNode): ServiceError[] {
  const ruled = [...node.collection.columns.values()].filter(
    ({ name, meta }) => meta?.validation && node.values.has(name),
  )
  if (ruled.length === 0) return []
  const values = sentValues(node)
  return ruled.flatMap(({ meta }) =>
    evaluate(meta?.validation, values).map(
      ({ field, operator, operand }) =>
        new ServiceError('FAILED_VALIDATION', meta?.validation_message ?? `Validation failed for field "${field}".`, {
          field,
          path: [...node.path],
          type: operator.replace(/^_/u, ''),
          valid: operand,
        }),
    ),
  )
}

export const hasHashes = ({ columns }: Collection): boolean =>
  [...columns.values()].some(({ specials }) => specials.includes('hash'))

/** Values of hashed fields never reach the database as they were sent. Empty ones are left alone. */
export async function hashTree({ nodes }: WriteTree): Promise<void> {
  for (const node of nodes) {
    for (const { name, specials } of node.collection.columns.values()) {
      const value = node.values.get(name)
      if (!specials.includes('hash') || value?.kind !== 'given') continue
      const text: unknown = JSON.parse(value.json)
      if (typeof text === 'string' && text !== '')
        node.values.set(name, { kind: 'given', json: JSON.stringify(await hashText(text)) })
    }
  }
}
