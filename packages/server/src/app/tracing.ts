import type { RequestTracer } from '../http/request-context.ts'
import type { TracerOptions } from '../tracing/request-tracer.ts'

/** Where every version 1 of the API package keeps what is registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

/** Whether an SDK was registered, such as by `node --import`. Looked up without loading the API package. */
const hasSdk = (): boolean =>
  (globalThis as { [REGISTERED]?: { readonly trace?: unknown } })[REGISTERED]?.trace !== undefined

/** null, without loading anything, if nobody receives spans. */
export async function createTracer(options: TracerOptions): Promise<RequestTracer | null> {
  if (!hasSdk()) return null
  const { createRequestTracer } = await import('../tracing/request-tracer.ts')
  return createRequestTracer(options)
}
