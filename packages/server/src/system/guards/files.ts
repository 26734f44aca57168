import { randomUUID } from 'node:crypto'
import { invalidPayload } from '@tain/contract'
import { files, settings } from '@tain/contract/collections'
import type { Guard, GuardContext } from '../../engine/write/guards.ts'
import { extensionOfType } from '../../files/content-type.ts'
import { cleanName, titleOf, withoutDeceptive } from '../../files/download-name.ts'
import type { FileObject } from '../../files/file-object.ts'
import { isUuid } from '../../lib/uuid.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import { replace, sent } from './sent.ts'

/** Columns that the service alone fills in: a caller who could set them could reach the content of others. */
const own: ReadonlySet<keyof typeof files.columns> = new Set([
  'storage',
  'filename_disk',
  'filesize',
  'checksum',
  'width',
  'height',
  'duration',
  'metadata',
  'uploaded_by',
  'uploaded_on',
  'created_on',
  'modified_by',
  'modified_on',
  'tus_id',
  'tus_data',
])

const isOwn = (name: string): boolean => own.has(name as keyof typeof files.columns)

export interface FileGuardOptions {
  /** Names of the storages; the first one is the default. */
  readonly storages: readonly string[]
  /** Gets the objects of deleted rows, once they are deleted. */
  readonly onRemoved: (objects: readonly FileObject[]) => void
}

/** Names and owners of files, the same for uploads and for every other write. */
export const createFileGuard = ({ storages, onRemoved }: FileGuardOptions): Guard => ({
  clean: { filename_download: withoutDeceptive },
  async prepare(nodes, context) {
    for (const node of nodes) {
      checkOwn(node, storages)
      if (node.action === 'create') await fillNew(node, storages[0] ?? '', context)
      else if (node.values.has('filename_download')) await rename(node, context)
    }
  },
  async remove(keys, { rows, afterCommit }) {
    const found = await rows(files.name, {
      filter: { id: { _in: keys } },
      fields: ['id', 'storage', 'filename_disk'],
      limit: -1,
    })
    const objects = found.map((row) => ({
      id: String(row['id']),
      storage: String(row['storage']),
      key: typeof row['filename_disk'] === 'string' ? row['filename_disk'] : null,
    }))
    afterCommit(() => onRemoved(objects))
  },
})

function checkOwn(node: WriteNode, storages: readonly string[]): void {
  for (const name of node.sent) {
    if (name === 'storage' && node.action === 'create') checkStorage(sent(node, name), storages)
    else if (isOwn(name)) throw invalidPayload(`"${name}" is filled in by the service and cannot be sent`)
  }
}

function checkStorage(name: unknown, storages: readonly string[]): void {
  if (typeof name !== 'string' || !storages.includes(name))
    throw invalidPayload('"storage" has to be one of the storages that are set up; leave it out for the default')
}

async function fillNew(node: WriteNode, storage: string, { rows }: GuardContext): Promise<void> {
  if (typeof (sent(node, 'type') ?? null) !== 'string')
    throw invalidPayload('"type" is required: the media type of the file, such as text/plain')
  const given = sent(node, 'id')
  // A text that is no key is refused when it is encoded.
  const id = typeof given === 'string' && isUuid(given) ? given : randomUUID()
  if (given === undefined || given === null) replace(node, 'id', id)
  if (!node.values.has('storage')) replace(node, 'storage', storage)
  const name = await nameFile(node, id, () => Promise.resolve(null))
  if (!node.values.has('title')) replace(node, 'title', titleOf(name))
  if (node.values.has('folder')) return
  const [row] = await rows(settings.name, { fields: ['storage_default_folder'], limit: 1 })
  const folder = row?.['storage_default_folder']
  if (typeof folder === 'string') replace(node, 'folder', folder)
}

async function rename(node: WriteNode, context: GuardContext): Promise<void> {
  const id = node.key?.[0] ?? ''
  await nameFile(node, id, () => storedType(id, context))
}

/** Cleans the name under which the file is saved. One of which nothing is left becomes the key, with an extension. */
async function nameFile(node: WriteNode, id: string, typeOf: () => Promise<unknown>): Promise<string> {
  const given = sent(node, 'filename_download')
  const cleaned = typeof given === 'string' ? cleanName(given) : null
  const name = cleaned ?? namedById(id, sent(node, 'type') ?? (await typeOf()))
  replace(node, 'filename_download', name)
  return name
}

function namedById(id: string, type: unknown): string {
  const extension = typeof type === 'string' ? extensionOfType(type) : null
  return extension === null ? id : `${id}.${extension}`
}

const storedType = async (id: string, { rows }: GuardContext): Promise<unknown> =>
  (await rows(files.name, { filter: { id: { _eq: id } }, fields: ['type'], limit: 1 }))[0]?.['type']
