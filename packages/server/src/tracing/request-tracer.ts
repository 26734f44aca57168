import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api'
import type { RequestTracer, TracedRequest } from '../http/request-context.ts'
import type { Stage } from '../lib/request-context.ts'

export interface TracerOptions {
  readonly version: string
  /** The kind of database, as spans name it. */
  readonly vendor: () => string
}

/** Statements leave the process. */
const stageKinds: Readonly<Record<Stage, SpanKind>> = {
  authenticate: SpanKind.INTERNAL,
  plan: SpanKind.INTERNAL,
  query: SpanKind.CLIENT,
  commit: SpanKind.CLIENT,
}

export function createRequestTracer({ version, vendor }: TracerOptions): RequestTracer {
  const tracer = trace.getTracer('tain', version)
  return {
    begin(request) {
      const span = beginRequest(tracer, request)
      const inside = trace.setSpan(ROOT_CONTEXT, span)
      return {
        traceparent: traceparentOf(span),
        run: (work) => context.with(inside, work),
        watch: (stage, text) => beginStage(tracer, inside, stage, text === null ? {} : statementOf(text, vendor())),
        end(status) {
          if (status === null) span.setAttribute('error.type', 'aborted')
          else span.setAttribute('http.response.status_code', status)
          if (status !== null && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
  }
}

/** `traceparent` and the like are read by the propagators of the SDK. */
function beginRequest(tracer: Tracer, { method, route, requestId, headers }: TracedRequest): Span {
  const parent = propagation.extract(ROOT_CONTEXT, headers)
  const attributes: Attributes = {
    'http.request.method': method,
    ...(route === null ? {} : { 'http.route': route }),
    'tain.request_id': requestId,
  }
  return tracer.startSpan(route === null ? method : `${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
}

const statementOf = (text: string, vendor: string): Attributes => ({ 'db.system.name': vendor, 'db.query.text': text })

function beginStage(tracer: Tracer, inside: Context, stage: Stage, attributes: Attributes): (error?: unknown) => void {
  const span = tracer.startSpan(stage, { kind: stageKinds[stage], attributes }, inside)
  return (error) => {
    if (error !== undefined) {
      // Not the message: databases quote values in it.
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end()
  }
}

/** null if the span is not recorded, or its ids are none. */
function traceparentOf(span: Span): string | null {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const isSound = /^[\da-f]{32}$/u.test(traceId) && /^[\da-f]{16}$/u.test(spanId)
  return isSound && span.isRecording() ? `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` : null
}
