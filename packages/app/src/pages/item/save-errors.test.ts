import { expect, it } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { errorsOf } from './save-errors.ts'

const refusal = (...extensions: readonly Readonly<Record<string, unknown>>[]): ApiError =>
  new ApiError(
    400,
    extensions.map((each, index) => ({ message: `Error ${index}`, extensions: { code: 'INVALID_PAYLOAD', ...each } })),
  )

const isShown = (field: string): boolean => field !== 'hidden'

it('an error stands at the field that it names', () => {
  const { fields, others } = errorsOf(refusal({ field: 'price', path: [] }), isShown)
  expect(fields.get('price')).toBe('Error 0')
  expect(others).toEqual([])
})

it('an error inside a list stands at the list', () => {
  const { fields } = errorsOf(refusal({ field: 'quantity', path: ['lines', 0] }), isShown)
  expect([...fields.keys()]).toEqual(['lines'])
})

it('an error of no field, or of one that is not shown, is said at the top', () => {
  expect(errorsOf(refusal({}, { field: 'hidden' }), isShown).others).toEqual(['Error 0', 'Error 1'])
})

it('a lost connection is said at the top', () => {
  expect(errorsOf(new ApiError(0, []), isShown).others[0]).toContain('cannot be reached')
})
