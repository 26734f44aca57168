import { invalidQuery } from '@tain/contract'
import type { Explanation } from '../../engine/explain-read.ts'
import { meaningOf } from '../schema/field-mapping.ts'
import { begin, type Answer, type Execution } from './execute.ts'
import { prepareRead } from './reads.ts'

/** The plans of the reads of a query, under the keys of their root fields. Nothing is run. */
export async function explain(execution: Execution): Promise<Answer> {
  const { schema, services, actor } = execution
  const { type, fields, context } = begin(execution)
  const reads = fields.map(([key, nodes]) => {
    const field = schema.getField(type, nodes[0]?.name.value ?? '')
    const meaning = field && meaningOf(field)
    if (field === undefined || meaning?.kind !== 'query')
      throw invalidQuery(`"${key}" is no read of items, so it has no plan`)
    return { key, ...prepareRead(meaning, field, nodes, context) }
  })
  const plans: Record<string, Explanation> = Object.create(null) as Record<string, Explanation>
  for (const { key, read } of reads) plans[key] = await services.engine.explain(actor, read)
  return { pieces: JSON.stringify({ data: null, extensions: { explain: plans } }), isRefused: false }
}
