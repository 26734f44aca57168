import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { headOf, messages } from './frames.ts'
import type { Order } from './make.ts'
import { Refusal, type RefusalKind } from './refusal.ts'

// The published build has a JavaScript file next to this one.
export const decoderProgram = new URL(
  import.meta.url.endsWith('.ts') ? './decoder.ts' : './decoder.js',
  import.meta.url,
)

/** The process ended while it made a picture: it crashed, or was killed. */
export class DecoderGone extends Error {}

export interface DecoderProcess {
  /** Makes one picture; the next one only after it. The process is killed at the end of `signal`. */
  readonly make: (order: Order, content: Readable, length: number, signal: AbortSignal) => Promise<Buffer>
  /** False: the process ended, or is to be replaced. */
  readonly isUsable: () => boolean
  readonly kill: () => void
}

interface Response {
  readonly rss?: number
  readonly refusal?: { readonly kind: RefusalKind; readonly message: string }
}

/** A process that keeps more than this is replaced by a fresh one. */
const MOST_MEMORY = 400 * 1024 * 1024
/** Of JavaScript alone; pixels lie outside of it. */
const HEAP_MEGABYTES = 128

export function startDecoder(program: URL): DecoderProcess {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MEGABYTES}`, '--no-warnings', fileURLToPath(program)],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      // Secrets of the service are in its environment. Few arenas keep freed memory from staying with the process.
      env: { MALLOC_ARENA_MAX: '2' },
    },
  )
  const responses = messages<Response>(child.stdout)
  let isUsable = true
  const end = () => {
    isUsable = false
  }
  child.on('exit', end).on('error', end)
  child.stdin.on('error', end)
  release(child)

  return {
    make: async (order, content, length, signal) => {
      hold(child)
      const kill = () => child.kill('SIGKILL')
      signal.addEventListener('abort', kill)
      try {
        if (signal.aborted) kill()
        const sent = send(child.stdin, order, content, length)
        const { head, body } = await answered(responses, sent)
        if ((head.rss ?? 0) > MOST_MEMORY) child.kill()
        if (head.refusal !== undefined) throw new Refusal(head.refusal.kind, head.refusal.message)
        return body
      } catch (error) {
        if (!(error instanceof Refusal)) kill()
        throw error
      } finally {
        signal.removeEventListener('abort', kill)
        if (child.killed) end()
        release(child)
      }
    },
    isUsable: () => isUsable,
    kill: () => {
      end()
      child.kill('SIGKILL')
    },
  }
}

/** An idle process does not keep the service from ending. */
function release(child: ChildProcess): void {
  child.unref()
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref: () => void } | null)?.unref()
}

function hold(child: ChildProcess): void {
  child.ref()
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { ref: () => void } | null)?.ref()
}

async function send(stdin: Writable, order: Order, content: Readable, length: number): Promise<void> {
  await written(stdin, headOf(order, length))
  let sent = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    sent += chunk.length
    await written(stdin, chunk)
  }
  if (sent !== length) throw new Error('the stored content has another length than its row says')
}

const gone = () => new DecoderGone('the process that decodes pictures ended')

const written = (stdin: Writable, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => stdin.write(bytes, (error) => (error ? reject(gone()) : resolve())))

/** A content that cannot be read fails the order at once; a response can only come after all of it was sent. */
async function answered(responses: ReturnType<typeof messages<Response>>, sent: Promise<void>) {
  const response = responses.next()
  response.catch(() => {})
  const failure = new Promise<never>((_, reject) => sent.catch(reject))
  const { value, done } = await Promise.race([response, failure])
  if (done === true || value === undefined) throw gone()
  return value
}
