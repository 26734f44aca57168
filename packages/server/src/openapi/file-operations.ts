import { assetParameters, type AssetParameter, type ProcedureName } from '@tain/contract'
import { files, folders } from '@tain/contract/collections'
import type { CollectionPart, PathItem } from './item-operations.ts'
import type { Described } from './row-schemas.ts'
import { json, ref, type SchemaObject } from './schema-object.ts'

const number = (minimum: number): SchemaObject => ({ type: 'integer', minimum })

const schemas: Readonly<Record<AssetParameter, SchemaObject>> = {
  download: { type: 'string', description: 'Whatever its value: the browser saves the file.' },
  key: { type: 'string', description: 'A preset of the settings, instead of the other parameters.' },
  width: number(1),
  height: number(1),
  fit: { type: 'string', enum: ['cover', 'contain', 'inside', 'outside', 'fill'] },
  format: { type: 'string', enum: ['auto', 'jpg', 'png', 'webp', 'avif', 'tiff'] },
  quality: { type: 'integer', minimum: 1, maximum: 100 },
  withoutEnlargement: { type: 'boolean' },
  focal_point_x: number(0),
  focal_point_y: number(0),
  transforms: { type: 'string', description: 'A list of operations as JSON: `[["rotate", 90]]`.' },
}

const inPath = (name: string): SchemaObject => ({ name, in: 'path', required: true, schema: { type: 'string' } })
const failing = { default: ref('responses', 'Error') }
const bytes = { '*/*': { schema: { type: 'string', format: 'binary' } } }
const zip = { 'application/zip': { schema: { type: 'string', format: 'binary' } } }
const content = (description: string) => ({ description, content: bytes })

const getAsset = (operationId: string, more: readonly SchemaObject[]): SchemaObject => ({
  operationId,
  tags: ['assets'],
  parameters: [
    inPath('id'),
    ...more,
    ...assetParameters.map((name) => ({ name, in: 'query', required: false, schema: schemas[name] })),
  ],
  responses: {
    200: content('The content.'),
    206: content('A part of the content.'),
    304: ref('responses', 'NotModified'),
    ...failing,
  },
})

const archive = (operationId: string, more: SchemaObject): SchemaObject => ({
  operationId,
  tags: ['assets'],
  ...more,
  responses: { 200: { description: 'The files as a zip.', content: zip }, ...failing },
})

const ids = { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1 }

/** Contents of files, for callers who may read some. */
export function assetPaths({ schema, visibility }: Described): Readonly<Record<string, PathItem>> {
  const [file, folder] = [schema.system.get(files.name), schema.system.get(folders.name)]
  if (file === undefined || !visibility.mayRead(file)) return {}
  const body = { type: 'object', properties: { ids }, required: ['ids'], additionalProperties: false }
  return {
    '/assets/{id}': { get: getAsset('getAsset', []) },
    '/assets/{id}/{name}': { get: getAsset('getNamedAsset', [inPath('name')]) },
    '/assets/files': {
      post: archive('archiveFiles', { requestBody: { required: true, content: json(body) } }),
    },
    ...(folder === undefined || !visibility.mayRead(folder)
      ? {}
      : { '/assets/folder/{id}': { post: archive('archiveFolder', { parameters: [inPath('id')] }) } }),
  }
}

const header = (name: string, schema: SchemaObject): SchemaObject => ({ name, in: 'header', required: true, schema })
const version = header('Tus-Resumable', { type: 'string', enum: ['1.0.0'] })
const pieces = { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } }

const resumable = (operationId: string, status: number, more: SchemaObject = {}): SchemaObject => ({
  operationId,
  tags: ['files'],
  ...more,
  responses: { [status]: { description: 'Done.' }, ...failing },
})

/** Resumable uploads (tus 1.0.0), for callers who may bring files. */
export function uploadPaths({ schema, visibility }: Described): Readonly<Record<string, PathItem>> {
  const file = schema.system.get(files.name)
  if (file === undefined || !(visibility.mayWrite('create', file) || visibility.mayWrite('update', file))) return {}
  const at = [inPath('upload'), version]
  const begin = [version, header('Upload-Length', number(0)), header('Upload-Metadata', { type: 'string' })]
  const piece = {
    parameters: [...at, header('Upload-Offset', number(0))],
    requestBody: { required: true, content: pieces },
  }
  return {
    '/files/tus': { post: resumable('createUpload', 201, { parameters: begin }) },
    '/files/tus/{upload}': {
      head: resumable('getUpload', 200, { parameters: at }),
      patch: resumable('continueUpload', 204, piece),
      delete: resumable('endUpload', 204, { parameters: at }),
    },
  }
}

/** Whether the caller may use a procedure about files at all. */
export function mayUseFiles(name: ProcedureName, { schema, visibility }: Described): boolean {
  const file = schema.system.get(files.name)
  if (name === 'getFileUrl') return file !== undefined && visibility.mayRead(file)
  if (name === 'importFile' || name === 'exportItems') return file !== undefined && visibility.mayWrite('create', file)
  return true
}

const form = (row: SchemaObject): SchemaObject => ({
  'multipart/form-data': {
    schema: {
      allOf: [row],
      properties: { file: { type: 'string', format: 'binary' } },
      required: ['file'],
    },
  },
})

interface Operation extends SchemaObject {
  readonly requestBody?: { readonly required: boolean; readonly content: SchemaObject }
}

const uploaded: SchemaObject = { type: 'object', description: 'Texts before a file describe it.' }

/** The operation of a method, with a form beside what it takes otherwise. */
function withForm(item: PathItem, method: string): PathItem {
  const operation: Operation | undefined = item[method]
  if (operation?.requestBody === undefined) return item
  const { requestBody } = operation
  const content = { ...requestBody.content, ...form(uploaded) }
  return { ...item, [method]: { ...operation, requestBody: { ...requestBody, content } } }
}

/** Files are created and replaced by forms too. */
export const withUploads = (part: CollectionPart): CollectionPart => ({
  ...part,
  paths: Object.fromEntries(
    Object.entries(part.paths).map(([path, item]) => [path, withForm(item, path.endsWith('}') ? 'patch' : 'post')]),
  ),
})
