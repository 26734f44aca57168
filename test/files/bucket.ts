interface Bucket {
  readonly endpoint: string
  readonly bucket: string
  readonly key: string
  readonly secret: string
  readonly region: string
}

interface StandIn {
  readonly startS3: () => Promise<Bucket & { readonly stop: () => Promise<void> }>
  readonly s3Client: (place: Bucket) => {
    readonly send: (method: string, object?: string, query?: Readonly<Record<string, string>>) => Promise<Response>
    readonly list: () => Promise<string[]>
    readonly read: (name: string) => Promise<Buffer>
    readonly remove: (name: string) => Promise<Response>
  }
}

/** The acceptance suite's server that speaks the protocol of S3 and checks signatures, and a client of it. */
export const { startS3, s3Client } = (await import(new URL('../acceptance/lib/s3.js', import.meta.url).href)) as StandIn
