import { errorCodes, exportFormats, metaValues, queryParameters, type QueryParameter } from '@tain/contract'
import { json, type SchemaObject } from './schema-object.ts'

const deep: SchemaObject = { type: 'object', additionalProperties: true }
const texts: SchemaObject = { type: 'array', items: { type: 'string' } }

interface ParameterForm {
  readonly description: string
  readonly schema: SchemaObject
  /** How an object is written in a URL. */
  readonly style?: 'form' | 'deepObject'
}

/** Every parameter of a read. In the body of SEARCH they have the same names. */
const parameterForms: Readonly<Record<QueryParameter, ParameterForm>> = {
  fields: { description: 'Fields to return, with paths over relations.', schema: texts, style: 'form' },
  filter: { description: 'Which items to return, as JSON or in brackets.', schema: deep, style: 'deepObject' },
  search: { description: 'Text that one of the fields has to contain.', schema: { type: 'string' } },
  sort: { description: 'Fields to sort by; - in front of a name sorts descending.', schema: texts, style: 'form' },
  limit: { description: 'How many items at most; -1 for all.', schema: { type: 'integer', minimum: -1 } },
  offset: { description: 'How many items to skip.', schema: { type: 'integer', minimum: 0 } },
  page: { description: 'Which page of `limit` items, from 1.', schema: { type: 'integer', minimum: 1 } },
  cursor: { description: 'Where the page begins, from the meta data of another page.', schema: { type: 'string' } },
  seek: { description: 'The share of the items before the first one, from 0 to 1.', schema: { type: 'number' } },
  aggregate: { description: 'Functions and the fields they compute.', schema: deep, style: 'deepObject' },
  groupBy: { description: 'Fields that groups of an aggregate have in common.', schema: texts, style: 'form' },
  deep: { description: 'Parameters of nested lists, by field.', schema: deep, style: 'deepObject' },
  alias: { description: 'New names for fields.', schema: deep, style: 'deepObject' },
  backlink: { description: 'Whether wildcards follow relations back.', schema: { type: 'boolean' } },
  cut: { description: 'How many characters of long texts to return.', schema: { type: 'integer', minimum: 1 } },
  meta: {
    description: `What to return about the list: ${metaValues.join(', ')}, or * for all.`,
    schema: texts,
    style: 'form',
  },
  count_up_to: { description: 'Counts stop here.', schema: { type: 'integer', minimum: 1 } },
  export: {
    description: 'Returns the items as a file of this format.',
    schema: { type: 'string', enum: Object.keys(exportFormats) },
  },
}

const names = Object.keys(queryParameters) as readonly QueryParameter[]

const key = { name: 'id', in: 'path', required: true, description: 'The key of the item.', schema: { type: 'string' } }

const parameters = Object.fromEntries(
  names.map((name) => {
    const { description, schema, style } = parameterForms[name]
    const form = style === undefined ? {} : { style, explode: style === 'deepObject' }
    return [name, { name, in: 'query', required: false, description, schema, ...form }]
  }),
)

/** The parameters of a list, by reference, and those of a single item. */
export const listParameters: readonly QueryParameter[] = names
export const itemParameters: readonly QueryParameter[] = ['fields', 'deep', 'alias', 'backlink', 'cut', 'export']

/** The same as the body of SEARCH and QUERY. */
const query: SchemaObject = {
  type: 'object',
  properties: Object.fromEntries(
    names.map((name) => {
      const { description, schema } = parameterForms[name]
      const isList = schema === texts
      return [name, isList ? { description, anyOf: [schema, { type: 'string' }] } : { ...schema, description }]
    }),
  ),
}

const error: SchemaObject = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['message', 'extensions'],
        properties: {
          message: { type: 'string' },
          extensions: {
            type: 'object',
            required: ['code'],
            properties: { code: { type: 'string', enum: Object.keys(errorCodes) } },
          },
        },
      },
    },
  },
}

const listMeta: SchemaObject = { type: 'object', additionalProperties: true }

/** What operations refer to, whoever asks. */
export const sharedComponents = (sessionCookie: string) => ({
  schemas: { Error: error, Query: query, ListMeta: listMeta },
  parameters: { ...parameters, id: key },
  responses: {
    Error: {
      description: 'The request was refused, or failed.',
      content: json({ $ref: '#/components/schemas/Error' }),
    },
    NoContent: { description: 'Done; there is no content.' },
    NotModified: { description: 'Unchanged since the ETag that was sent.' },
  },
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or the static token of a user.' },
    session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
    access_token: { type: 'apiKey', in: 'query', name: 'access_token' },
  },
})

/** Any of them, or none: the public has permissions too. */
export const security: readonly SchemaObject[] = [{ bearer: [] }, { session: [] }, { access_token: [] }, {}]
