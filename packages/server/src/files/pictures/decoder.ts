// The program of the processes that decode pictures. A file that makes a decoder crash or run without end takes this
// process with it, not the service. It gets no environment: no secret of the service is within reach.
import sharp from 'sharp'
import { headOf, messages } from './frames.ts'
import { makeVariant, type Order } from './make.ts'
import { Refusal } from './refusal.ts'

const loaders = ['JpegBuffer', 'PngBuffer', 'WebpBuffer', 'NsgifBuffer', 'TiffBuffer', 'HeifBuffer']

sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) })

async function respond(order: Order, content: Buffer): Promise<[head: object, body: Buffer]> {
  try {
    return [{ rss: process.memoryUsage.rss() }, await makeVariant(content, order)]
  } catch (error) {
    const refusal =
      error instanceof Refusal ? { kind: error.kind, message: error.message } : { kind: 'unreadable', message: '' }
    return [{ refusal }, Buffer.alloc(0)]
  }
}

for await (const { head, body } of messages<Order>(process.stdin)) {
  const [response, result] = await respond(head, body)
  process.stdout.write(headOf(response, result.length))
  process.stdout.write(result)
}
