import { invalidQuery } from '@tain/contract'

type Encode<T> = (value: unknown, name: string) => T

/** A JSON number beyond 2^53 may have lost digits in transit. Only comparisons with floats are still correct. */
export const exactOperand =
  <T>(encode: Encode<T>): Encode<T> =>
  (value, name) => {
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      throw invalidQuery(`"${name}" takes a number beyond 2^53 as text, to keep all its digits`)
    return encode(value, name)
  }
