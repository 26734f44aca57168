import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ServiceError } from '@tain/contract'
import type { IsAllowedAddress } from '../lib/outside-addresses.ts'
import { requestOutside } from '../lib/outside-request.ts'
import { tooLargeFile, type Claim } from './content.ts'
import { nameInDisposition } from './disposition-name.ts'

export interface OutsideLimits {
  readonly isAllowed: IsAllowedAddress
  /** For everything together, in milliseconds. */
  readonly timeout: number
  /** In bytes, after decompression. */
  readonly size: number
}

export interface OutsideFile {
  readonly claim: Claim
  readonly content: AsyncIterable<Buffer>
  /** Ends the connection. */
  readonly close: () => void
}

const REDIRECTS = 5

/** The same words whatever the reason: they must not tell which addresses exist. */
const unreachable = (cause?: unknown): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'The file cannot be fetched from this address.',
    { service: 'external-file' },
    { cause },
  )

/** Asks another server for a file, and gives its content while it arrives. */
export async function openOutside(url: URL, limits: OutsideLimits): Promise<OutsideFile> {
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(limits.timeout)])
  const close = () => ending.abort()
  try {
    const response = await requestOutside({ url, isAllowed: limits.isAllowed, signal, redirects: REDIRECTS })
    const content = bodyOf(response, limits.size)
    const name = nameInDisposition(response.headers['content-disposition']) ?? lastSegment(url)
    const type = response.headers['content-type'] ?? null
    return { claim: { name, type }, content: counted(content, limits.size), close }
  } catch (error) {
    close()
    throw error instanceof ServiceError ? error : unreachable(error)
  }
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Servers are asked for plain content. What they compress all the same is unpacked while it is counted. */
function bodyOf(response: IncomingMessage, limit: number): Readable {
  const { statusCode = 0, headers } = response
  if (statusCode < 200 || statusCode > 299 || statusCode === 204 || statusCode === 206) throw unreachable()
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLargeFile(limit)
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity') return response
  const decoder = decoders[encoding]?.()
  if (decoder === undefined) throw unreachable()
  // The failure is that of the last stream, which is read.
  return pipeline(response, decoder, () => {})
}

async function* counted(content: Readable, limit: number): AsyncGenerator<Buffer> {
  let size = 0
  try {
    for await (const piece of content as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > limit) throw tooLargeFile(limit)
      yield piece
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : unreachable(error)
  }
}

/** Empty if there is none. */
function lastSegment({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
