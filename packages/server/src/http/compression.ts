import { Readable, pipeline } from 'node:stream'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
  type InputType,
} from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Shorter responses fit into one packet anyway. */
const SHORTEST = 1024

/** Higher qualities take many times as long for a few percent. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

type Done = (error: Error | null, result: Buffer) => void

/** In the order of preference: Zstandard takes a third of the time of Brotli for a tenth more bytes. */
const encodings = {
  zstd: {
    compress: (input: InputType, done: Done) => zstdCompress(input, done),
    stream: () => createZstdCompress(),
  },
  br: {
    compress: (input: InputType, done: Done) => brotliCompress(input, brotli, done),
    stream: () => createBrotliCompress(brotli),
  },
  gzip: { compress: (input: InputType, done: Done) => gzip(input, done), stream: () => createGzip() },
} as const

export type Encoding = keyof typeof encodings

const names = Object.keys(encodings) as Encoding[]

/** Accepted encodings with their weights, as in RFC 9110; `*` stands for all that are not named. */
export function encodingFor<Offered extends Encoding>(header: string, offered: readonly Offered[]): Offered | null {
  const weights = new Map<string, number>()
  for (const entry of header.split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice('q='.length)))
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  return offered.reduce<Offered | null>((best, name) => {
    const weight = weightOf(name)
    return weight > 0 && weight > (best === null ? 0 : weightOf(best)) ? name : best
  }, null)
}

const isText = (type: unknown) => /^text\/|[/+](json|xml|yaml)\b/u.test(String(type))

/** The length of a compressed response can reveal a secret in it, so responses that no cache may store stay as they are. */
const mayCompress = (reply: FastifyReply) =>
  isText(reply.getHeader('content-type')) &&
  reply.getHeader('content-encoding') === undefined &&
  // Ranges and digests are those of the content itself.
  reply.getHeader('accept-ranges') === undefined &&
  reply.getHeader('cache-control') !== 'no-store'

/**
 * Compresses responses for clients that accept it. Requests are not decompressed: a small body could become a huge one.
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const header = request.headers['accept-encoding']
    if (typeof header !== 'string' || !mayCompress(reply)) return done(null, payload)
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (isWhole ? Buffer.byteLength(payload) < SHORTEST : !(payload instanceof Readable)) return done(null, payload)
    const encoding = encodingFor(header, names)
    if (encoding === null) return done(null, payload)
    const { compress, stream } = encodings[encoding]
    void reply.header('content-encoding', encoding).removeHeader('content-length')
    if (isWhole) return compress(payload, done)
    // Whoever reads the compressed stream learns of an error in it, so there is nothing to do here.
    done(
      null,
      pipeline(payload as Readable, stream(), () => {}),
    )
  })
}
