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

it('a lost answer leaves open whether the row was saved', () => {
  expect(errorsOf(new ApiError(0, []), isShown).title).toBe('It is not known whether this was saved')
})

it('a refusal of the request itself stands at no field, and says that the draft is kept', () => {
  const error = new ApiError(429, [{ message: 'Too many.', extensions: { code: 'REQUESTS_EXCEEDED' } }], {
    retryAfter: 7,
  })
  expect(errorsOf(error, isShown).others).toEqual([
    'Too many requests. Try again in 7 seconds. What you typed is kept.',
  ])
})
