import type { CallOptions } from './options.ts'
import { dataOf, type Send } from './transport.ts'
import type { Loose } from './types/schema.ts'

/** Parameters of an asset: `width`, `format`, `key`, `download` and the like. */
export type AssetParameters = Readonly<Record<string, string | number | boolean | readonly unknown[]>>

export interface Files {
  /**
   * Uploads the files of a form; text fields describe the file after them. Gives the row of the file, or a list of rows if
   * there are several. undefined: the caller may not read them.
   */
  readonly upload: <T = Loose>(form: FormData, options?: UploadOptions) => Promise<T>
  /** Gives a file new content. */
  readonly replace: <T = Loose>(id: string, form: FormData, options?: UploadOptions) => Promise<T>
  /** The content of a file, or a variant of a picture. */
  readonly content: (id: string, parameters?: AssetParameters, options?: CallOptions) => Promise<Blob>
  /** The address of the content, without a token. */
  readonly address: (id: string, parameters?: AssetParameters) => string
}

export interface UploadOptions extends CallOptions {
  /** Fields of the row that the result has; all by default. */
  fields?: readonly string[]
}

function queryOf(parameters: AssetParameters = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}

const assetPath = (id: string, parameters?: AssetParameters): string =>
  `/assets/${encodeURIComponent(id)}${queryOf(parameters)}`

export function filesOf(send: Send, url: string): Files {
  const bring = async (method: string, path: string, body: FormData, { fields, ...options }: UploadOptions = {}) => {
    const query = fields === undefined ? '' : `?fields=${encodeURIComponent(fields.join())}`
    return dataOf(await send({ method, path: `${path}${query}`, body, isRepeatable: false }, options)) as never
  }
  return {
    upload: (form, options) => bring('POST', '/files', form, options),
    replace: (id, form, options) => bring('PATCH', `/files/${encodeURIComponent(id)}`, form, options),
    async content(id, parameters, options) {
      const request = { method: 'GET', path: assetPath(id, parameters), wantsContent: true, isRepeatable: true }
      return (await send(request, options)).content ?? new Blob([])
    },
    address: (id, parameters) => `${url}${assetPath(id, parameters)}`,
  }
}
