import type { TObject, TSchema } from 'typebox'

export interface ProcedureSchema {
  readonly input: TObject
  readonly output: TSchema
}
