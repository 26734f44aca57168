import type { Engine } from '../engine/engine.ts'
import type { Failpoints } from '../lib/failpoint.ts'
import type { Observe } from '../observe.ts'
import type { QueryLimits } from '../query/parse-query.ts'
import { createContents, type ContentLimits, type Contents } from './content.ts'
import { createAssetSettings } from './asset-settings.ts'
import { createFileRows, type FileRows } from './file-rows.ts'
import { createLibrary, type Library } from './library.ts'
import { createMaker } from './pictures/maker.ts'
import type { PictureLimits } from './pictures/presets.ts'
import { createVariants, type Variants } from './pictures/variants.ts'
import { createRemovals, type Removals } from './removals.ts'
import type { Storages } from './storage/storages.ts'
import { createUploadTarget, type UploadTarget } from './uploads/target.ts'
import { createDirectUploads, type DirectUploads } from './uploads/direct.ts'
import { createUploads, type Uploads } from './uploads/uploads.ts'
import type { UploadStore } from '../store/uploads.ts'

/** Everything that protocols and commands do with files. */
export interface Files {
  readonly storages: Storages
  readonly contents: Contents
  readonly rows: FileRows
  readonly removals: Removals
  readonly library: Library
  readonly variants: Variants
  readonly uploads: Uploads
  readonly directUploads: DirectUploads
  readonly uploadTarget: UploadTarget
  readonly uploadStore: UploadStore
}

export interface FilesOptions {
  readonly engine: Engine
  readonly storages: Storages
  readonly limits: QueryLimits
  readonly contentLimits: ContentLimits
  readonly pictures: PictureLimits & { readonly atOnce: number; readonly timeout: number }
  readonly observe: Observe
  readonly failpoints: Failpoints | null
  readonly uploadStore: UploadStore
  /** Milliseconds after which an upload that nobody continues expires. */
  readonly uploadLifetime: number
}

export function createFiles(options: FilesOptions): Files {
  const { engine, storages, limits, contentLimits, pictures, observe, failpoints, uploadStore } = options
  const contents = createContents(storages, contentLimits)
  const rows = createFileRows(engine, limits)
  const removals = createRemovals({ storages, rows, observe, failpoints })
  const library = createLibrary({ engine, storages, contents, rows, removals, failpoints })
  const variants = createVariants({
    maker: createMaker({ ...pictures, observe }),
    settings: createAssetSettings(engine, limits),
    isCurrent: async ({ id, checksum }) => (await rows.byId(id))?.checksum === checksum,
    limits: pictures,
  })
  const uploadTarget = createUploadTarget({ engine, storages, contents, rows, library })
  const uploads = createUploads({
    storages,
    store: uploadStore,
    target: uploadTarget,
    largest: contentLimits.size,
    lifetime: options.uploadLifetime,
    failpoints,
  })
  const directUploads = createDirectUploads({ storages, store: uploadStore, target: uploadTarget, contents })
  return { storages, contents, rows, removals, library, variants, uploads, directUploads, uploadTarget, uploadStore }
}
