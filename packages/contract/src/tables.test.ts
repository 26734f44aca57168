import { describe, expect, test } from 'vitest'
import {
  aggregates,
  errorCodes,
  familyHas,
  fieldFunctions,
  fieldTypes,
  forbidden,
  invalidPayload,
  invalidQuery,
  isAggregate,
  isExportFormat,
  isFieldFunction,
  isFieldType,
  isOperator,
  isQueryParameter,
  isSpecial,
  operatorFamilies,
  operators,
  ServiceError,
  specials,
  type ErrorCode,
  type Operator,
  type OperatorFamily,
} from './index.ts'

describe('errors', () => {
  test.each(Object.entries(errorCodes))('%s has a status of its kind and a sentence', (_, { status, message }) => {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(message).toMatch(/^[A-Z].*\.$/u)
  })

  test('the codes of the specification have its statuses', () => {
    const statuses: Partial<Record<ErrorCode, number>> = {
      FAILED_VALIDATION: 400,
      FORBIDDEN: 403,
      INVALID_TOKEN: 403,
      TOKEN_EXPIRED: 401,
      INVALID_CREDENTIALS: 401,
      INVALID_IP: 401,
      INVALID_OTP: 401,
      INVALID_PAYLOAD: 400,
      INVALID_QUERY: 400,
      UNSUPPORTED_MEDIA_TYPE: 415,
      REQUESTS_EXCEEDED: 429,
      ROUTE_NOT_FOUND: 404,
      SERVICE_UNAVAILABLE: 503,
      UNPROCESSABLE_CONTENT: 422,
    }
    for (const [code, status] of Object.entries(statuses)) expect(errorCodes[code as ErrorCode].status).toBe(status)
  })

  test('details stand beside the code and cannot replace it', () => {
    const error = new ServiceError('FORBIDDEN', undefined, { code: 'OTHER', collection: 'a' })
    expect(error.toWire()).toEqual({
      message: "You don't have permission to access this.",
      extensions: { collection: 'a', code: 'FORBIDDEN' },
    })
    expect(error.status).toBe(403)
  })

  test('a reason is a sentence in the message and plain in the details', () => {
    expect(invalidQuery('So it is').toWire()).toEqual({
      message: 'Invalid query. So it is.',
      extensions: { reason: 'So it is', code: 'INVALID_QUERY' },
    })
    expect(invalidPayload('Is it?').message).toBe('Invalid payload. Is it?')
    expect(forbidden().toWire().extensions).toEqual({ code: 'FORBIDDEN' })
  })
})

describe('operators', () => {
  const families = Object.keys(operatorFamilies) as OperatorFamily[]

  test.each(Object.keys(operators) as Operator[])('%s is understood by at least one family of types', (operator) => {
    expect(families.filter((family) => familyHas(family, operator))).not.toEqual([])
  })

  test('each family is used by a type, and every family can ask for null', () => {
    const used = new Set<string>(Object.values(fieldTypes).map((row) => row.operators))
    for (const family of families) {
      expect(used.has(family)).toBe(true)
      expect(familyHas(family, '_null') && familyHas(family, '_nnull')).toBe(true)
    }
  })
})

describe('vocabularies', () => {
  const guards = {
    isOperator,
    isFieldType,
    isFieldFunction,
    isAggregate,
    isQueryParameter,
    isExportFormat,
    isSpecial,
  }

  test.each(Object.entries(guards))('%s takes no name that objects inherit', (_, guard) => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) expect(guard(name)).toBe(false)
  })

  test('functions and flags speak of types that exist', () => {
    for (const { types } of Object.values(fieldFunctions)) expect(types.every(isFieldType)).toBe(true)
    for (const { type } of Object.values(specials)) expect(type === undefined || isFieldType(type)).toBe(true)
    expect(Object.keys(aggregates).every(isAggregate)).toBe(true)
  })
})
