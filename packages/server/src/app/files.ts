import type { Config } from '../config.ts'
import { createFiles, type Files } from '../files/files.ts'
import type { PictureLimits } from '../files/pictures/presets.ts'
import { createStorages, type Storages } from '../files/storage/storages.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import { createUploadStore } from '../store/uploads.ts'
import type { AppContext } from './context.ts'
import { allowedAddresses } from '../lib/outside-addresses.ts'
import type { ServedProcedures } from '../procedure.ts'
import type { WebhookGuardOptions } from '../system/guards/webhooks.ts'
import type { Operator } from '../system/operator.ts'
import { createFileProcedures } from '../system/procedures/files.ts'
import type { AuthenticationParts } from './authentication.ts'
import { createEngineParts, type AroundWrites, type EngineParts } from './engine.ts'

/** Imports have a limit even where uploads have none: nobody waits for them. */
const LARGEST_IMPORT = 1024 ** 3

/** Files are written through the engine, and the engine tells which files are deleted. */
export function createEngineAndFiles(
  context: AppContext,
  schemaCache: SchemaCache,
  around: AroundWrites & { readonly webhooks: WebhookGuardOptions },
): { readonly engineParts: EngineParts; readonly files: Files | null; readonly closeFiles: () => Promise<void> } {
  const storages = createStorages(context.config.storages, context.observe)
  const engineParts = createEngineParts(context, schemaCache, around, {
    storages: storages.names,
    pictures: pictureLimits(context.config),
    webhooks: around.webhooks,
    onRemoved: (objects) => files?.removals.ofRows(objects),
  })
  const files = createFileParts(context, engineParts, storages)
  const closeFiles = async () => {
    await files?.removals.settled()
    files?.variants.close()
    storages.close()
  }
  return { engineParts, files, closeFiles }
}

const pictureLimits = (config: Config): PictureLimits => ({
  mostPixels: config.pictureSide,
  mostOperations: config.pictureOperations,
})

/** Files need rows of their own, which a service that only reads does not keep: then there are none. */
function createFileParts(
  { config, database, systemSchema, observe, failpoints }: AppContext,
  { engine, limits }: EngineParts,
  storages: Storages,
): Files | null {
  if (config.isReadOnly) return null
  const contentLimits = { size: config.uploadSize, types: config.allowedTypes, metadata: config.metadataAllowed }
  const pictures = { ...pictureLimits(config), atOnce: config.picturesAtOnce, timeout: config.pictureTimeout }
  return createFiles({
    engine,
    storages,
    limits,
    contentLimits,
    pictures,
    observe,
    failpoints,
    uploadStore: createUploadStore(database, systemSchema),
    uploadLifetime: config.resumableExpiration,
  })
}

/** Keys that links to assets may be signed with, the one in use first. */
export const linkKeysOf = ({ services }: AuthenticationParts): readonly Buffer[] =>
  services.keyring.keysFor('asset-link')

export interface FileProcedureParts extends EngineParts {
  readonly files: Files | null
  readonly operator: Operator
  readonly authentication: AuthenticationParts
}

export function fileProcedures(
  { config, observe }: AppContext,
  { engine, limits, files, operator, authentication }: FileProcedureParts,
): ServedProcedures {
  const [linkKey] = linkKeysOf(authentication)
  if (files === null || linkKey === undefined) return {}
  const isAllowed = allowedAddresses({ allow: config.importAllowed, deny: config.importDenied })
  const outside = { isAllowed, timeout: config.importTimeout, size: config.uploadSize ?? LARGEST_IMPORT }
  const { publicUrl } = config
  const { generation } = authentication.services.assetLinks
  return createFileProcedures({ engine, limits, files, operator, observe, outside, linkKey, generation, publicUrl })
}
