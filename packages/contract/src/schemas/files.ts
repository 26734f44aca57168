import { Type } from 'typebox'
import { assetParameters, type AssetParameter, type FileProcedureName } from '../procedures/files.ts'
import { exportFormats } from '../query.ts'
import { anything, json, nothing, object, optional, passedOn } from './parts.ts'
import type { ProcedureSchema } from './procedure-schema.ts'

/** In seconds. */
const LONGEST_LINK = 604_800

const parameter = optional(Type.String({ maxLength: 4096 }))

/** Sent as they are: the link opens the asset with exactly these. */
const parameters = Object.fromEntries(assetParameters.map((name) => [name, parameter])) as unknown as Readonly<
  Record<AssetParameter, typeof parameter>
>

export const fileSchemas = {
  importFile: {
    input: object({
      url: passedOn(Type.String({ description: 'An address with http or https, without name and password.' })),
      /** Fields of the new row. */
      data: Type.Optional(anything),
    }),
    output: json,
  },
  getFileUrl: {
    input: object({
      id: Type.String(),
      expires_in: optional(
        Type.Integer({ minimum: 1, maximum: LONGEST_LINK, description: 'Seconds; an hour if it is left out.' }),
      ),
      ...parameters,
    }),
    output: object({ url: Type.String(), expires_on: Type.String() }, { title: 'files_url' }),
  },
  exportItems: {
    input: object({
      collection: Type.String(),
      query: anything,
      format: passedOn(Type.Enum(Object.keys(exportFormats))),
      /** Fields of the row of the new file. */
      file: Type.Optional(anything),
    }),
    output: nothing,
  },
} as const satisfies Readonly<Record<FileProcedureName, ProcedureSchema>>
