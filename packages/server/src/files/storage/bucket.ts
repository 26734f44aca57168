import type { Readable } from 'node:stream'
import type * as S3 from '@aws-sdk/client-s3'
import type { ObjectCannedACL, S3Client, S3ClientConfig, ServerSideEncryption } from '@aws-sdk/client-s3'
import type { S3Location } from '../../config/storage.ts'
import type { ByteRange } from '../byte-range.ts'
import type { PresignedContent, PresignedPut, StoredObject } from './storage.ts'

const CONNECT_TIMEOUT = 5000
/** Without a byte in either direction. */
const SILENCE_TIMEOUT = 60_000
const SOCKETS = 100

const isMissing = (error: unknown): boolean =>
  error instanceof Error && ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(error.name)

const unlessMissing = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

const clientSettings = (location: S3Location): S3ClientConfig => ({
  region: location.region,
  credentials: { accessKeyId: location.key, secretAccessKey: location.secret },
  forcePathStyle: location.forcePathStyle,
  ...(location.endpoint === null ? {} : { endpoint: location.endpoint }),
  // Many servers besides Amazon's do not know the newer checksums.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  requestHandler: {
    connectionTimeout: CONNECT_TIMEOUT,
    socketTimeout: SILENCE_TIMEOUT,
    httpAgent: { maxSockets: SOCKETS },
    httpsAgent: { maxSockets: SOCKETS },
  },
})

/** The requests to a bucket, with keys as they are there. */
export type Bucket = ReturnType<typeof createBucket>

type Connection = ReturnType<typeof connect>

function connect(location: S3Location) {
  let opened: Promise<{ sdk: typeof S3; client: S3Client }> | undefined
  return {
    location,
    // The library is large, so only a service that uses a bucket loads it, and only once it does.
    open: () =>
      (opened ??= import('@aws-sdk/client-s3').then((sdk) => ({
        sdk,
        client: new sdk.S3Client(clientSettings(location)),
      }))),
    at: (key: string) => ({ Bucket: location.bucket, Key: key }),
    /** What goes along with every new object. */
    written: {
      ...(location.acl === null ? {} : { ACL: location.acl as ObjectCannedACL }),
      ...(location.serverSideEncryption === null
        ? {}
        : { ServerSideEncryption: location.serverSideEncryption as ServerSideEncryption }),
    },
    close: () => void opened?.then(({ client }) => client.destroy()),
  }
}

export function createBucket(location: S3Location) {
  const connection = connect(location)
  const { close } = connection
  return { ...objectRequests(connection), ...listing(connection), ...multipartRequests(connection), close }
}

const objectRequests = ({ location, open, at, written }: Connection) => {
  return {
    async put(key: string, bytes: Uint8Array): Promise<void> {
      const { sdk, client } = await open()
      await client.send(new sdk.PutObjectCommand({ ...at(key), ...written, Body: bytes }))
    },
    async get(key: string, range?: ByteRange): Promise<Readable | null> {
      const { sdk, client } = await open()
      const wanted = range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` }
      const found = await unlessMissing(client.send(new sdk.GetObjectCommand({ ...at(key), ...wanted })))
      return (found?.Body as Readable | undefined) ?? null
    },
    async size(key: string): Promise<number | null> {
      const { sdk, client } = await open()
      const found = await unlessMissing(client.send(new sdk.HeadObjectCommand(at(key))))
      return found === null ? null : (found.ContentLength ?? 0)
    },
    async copy(from: string, to: string): Promise<void> {
      const { sdk, client } = await open()
      const source = `${location.bucket}/${from.split('/').map(encodeURIComponent).join('/')}`
      await client.send(new sdk.CopyObjectCommand({ ...at(to), ...written, CopySource: source }))
    },
    async remove(key: string): Promise<void> {
      const { sdk, client } = await open()
      await unlessMissing(client.send(new sdk.DeleteObjectCommand(at(key))))
    },
  }
}

const listing = ({ open, at, written, location }: Connection) => {
  return {
    async *list(prefix: string): AsyncGenerator<StoredObject> {
      const { sdk, client } = await open()
      for (let token: string | undefined; ;) {
        const more = token === undefined ? {} : { ContinuationToken: token }
        const page = await client.send(
          new sdk.ListObjectsV2Command({ Bucket: location.bucket, Prefix: prefix, ...more }),
        )
        for (const { Key: key = '', Size: size = 0, LastModified: modified = new Date() } of page.Contents ?? [])
          yield { key, size, modified }
        token = page.NextContinuationToken
        if (page.IsTruncated !== true || token === undefined) return
      }
    },
    async presign(key: string, { size, type, expiresIn }: PresignedContent): Promise<PresignedPut> {
      const { sdk, client } = await open()
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
      const command = new sdk.PutObjectCommand({ ...at(key), ...written, ContentLength: size, ContentType: type })
      const signableHeaders = new Set(['content-length', 'content-type'])
      const url = await getSignedUrl(client, command, { expiresIn, signableHeaders })
      const encryption = location.serverSideEncryption
      return {
        url,
        headers: {
          'content-type': type,
          ...(encryption === null ? {} : { 'x-amz-server-side-encryption': encryption }),
        },
      }
    },
  }
}

const multipartRequests = ({ open, at, written }: Connection) => {
  return {
    async begin(key: string): Promise<string> {
      const { sdk, client } = await open()
      const { UploadId: id } = await client.send(new sdk.CreateMultipartUploadCommand({ ...at(key), ...written }))
      if (id === undefined) throw new Error('the bucket began an upload without a name')
      return id
    },
    /** Answers the tag that `complete` wants. */
    async addPart(key: string, id: string, number: number, bytes: Uint8Array): Promise<string> {
      const { sdk, client } = await open()
      const part = new sdk.UploadPartCommand({ ...at(key), UploadId: id, PartNumber: number, Body: bytes })
      const { ETag: tag } = await client.send(part)
      if (tag === undefined) throw new Error('the bucket took a part without a tag')
      return tag
    },
    /** False: there is no such upload. */
    async complete(key: string, id: string, tags: readonly string[]): Promise<boolean> {
      const { sdk, client } = await open()
      const parts = tags.map((tag, index) => ({ PartNumber: index + 1, ETag: tag }))
      const command = new sdk.CompleteMultipartUploadCommand({
        ...at(key),
        UploadId: id,
        MultipartUpload: { Parts: parts },
      })
      return (await unlessMissing(client.send(command))) !== null
    },
    async abort(key: string, id: string): Promise<void> {
      const { sdk, client } = await open()
      await unlessMissing(client.send(new sdk.AbortMultipartUploadCommand({ ...at(key), UploadId: id })))
    },
  }
}
