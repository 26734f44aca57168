import { fieldTypes } from '@tain/contract'
import type { Parameter } from '../../../lib/parameter.ts'
import { placeholder } from '../../bind.ts'
import type { TypedColumn } from '../../dialect.ts'
import type { Sql } from '../../sql.ts'

type Search = (left: Sql, column: TypedColumn, term: Sql) => Sql

interface OwnSearches {
  readonly uuid: Search
  readonly number: Search
  readonly text: (left: Sql, column: TypedColumn, parameter: Parameter) => Sql
}

const isNumber = (text: string) => /^-?\d+(\.\d+)?$/u.test(text)
const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(text)

/** A search term is compared only with columns that can contain it: a word never equals a number. */
const term = (parameter: Parameter, accepts: (text: string) => boolean): Sql =>
  placeholder(parameter, (given) => (typeof given === 'string' && accepts(given) ? given : null))

export const createSearch =
  ({ uuid, number, text }: OwnSearches) =>
  (left: Sql, column: TypedColumn, parameter: Parameter): Sql => {
    switch (fieldTypes[column.type].search) {
      case 'uuid':
        return uuid(left, column, term(parameter, isUuid))
      case 'number':
        return number(left, column, term(parameter, isNumber))
      case 'text':
      case null:
        return text(left, column, parameter)
    }
  }
