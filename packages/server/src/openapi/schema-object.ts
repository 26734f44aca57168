/** A JSON Schema, as OpenAPI 3.1 has it. */
export type SchemaObject = Readonly<Record<string, unknown>>

export const ref = (kind: 'schemas' | 'parameters' | 'responses', name: string): SchemaObject => ({
  $ref: `#/components/${kind}/${name}`,
})

export const json = (schema: SchemaObject) => ({ 'application/json': { schema } })

/** `{"data": …}` as most responses have it. */
export const enveloped = (data: SchemaObject, more: Readonly<Record<string, SchemaObject>> = {}): SchemaObject => ({
  type: 'object',
  required: ['data'],
  properties: { data, ...more },
})

/** The schema, or null. A list of values that is complete contains null too. */
export function orNull(schema: SchemaObject): SchemaObject {
  const { type, enum: values } = schema
  if (Array.isArray(values))
    return {
      ...schema,
      ...(type === undefined ? {} : { type: [type, 'null'].flat() }),
      enum: [...(values as unknown[]), null],
    }
  if (type !== undefined) return { ...schema, type: [type, 'null'].flat() }
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
}
