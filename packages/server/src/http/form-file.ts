import { invalidPayload } from '@tain/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { boundaryOf, formParts, type FormPart } from './multipart-form.ts'

/** Lets the handlers of a scope read forms while they arrive. */
export function receiveForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(/^multipart\/form-data/iu, (_request, _payload, done) => done(null))
}

/** The boundary of the form in a request; null: its body is something else. */
export const boundaryIn = ({ headers }: FastifyRequest): string | null => boundaryOf(headers['content-type'])

/** A body that is read while it arrives. */
export interface Arriving {
  readonly bytes: AsyncIterator<Buffer>
  /**
   * Most clients read the response only after they have sent everything, so the rest is received and discarded, up to a
   * number of bytes.
   */
  readonly leave: (most: number) => Promise<void>
}

export function arrivingIn({ raw }: FastifyRequest): Arriving {
  const bytes = raw.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  return {
    bytes,
    async leave(most) {
      // As long as it is open, nobody else gets bytes.
      await bytes.return?.()
      let size = 0
      raw.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > most) raw.destroy()
      })
      raw.resume()
    },
  }
}

export interface SentFile extends FormPart {
  readonly filename: string
}

/** The first file of a form. Fields before it have no meaning. */
export async function formFile(request: FastifyRequest, { bytes }: Arriving): Promise<SentFile> {
  for await (const part of formParts(bytes, boundaryIn(request) ?? ''))
    if (part.filename !== null) return { ...part, filename: part.filename }
  throw invalidPayload('The form has no file')
}
