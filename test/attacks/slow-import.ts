import { connect } from 'node:net'
import { createDatabase, type TestDialect } from '../lib/databases.ts'
import { startService, TOKEN } from '../lib/service.ts'

export interface SlowImport {
  /** How long the service has kept the connection open, in milliseconds; stops when it is closed. */
  readonly age: () => number
  readonly isOpen: () => boolean
  /** Whether the service answers other requests. */
  readonly isServing: () => Promise<boolean>
  readonly end: () => Promise<void>
}

const HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n'

/**
 * An import whose body arrives one byte per second and never ends. It holds a transaction open, so it has a separate
 * service and database: on SQLite all other writes would wait for it.
 */
export async function startSlowImport(dialect: TestDialect): Promise<SlowImport> {
  const database = await createDatabase(dialect)
  await database.query('create table comments (id integer primary key, text varchar(100))')
  const service = await startService({ DATABASE_URL: database.url })
  const { hostname, port } = new URL(service.url)
  const began = performance.now()
  let closed: number | null = null
  const socket = connect(Number(port), hostname, () => {
    const headers = `Host: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: multipart/form-data; boundary=x\r\n`
    socket.write(`POST /utils/import/comments HTTP/1.1\r\n${headers}Content-Length: 100000\r\n\r\n${HEAD}`)
  })
  const timer = setInterval(() => socket.write('t'), 1000)
  const finish = () => {
    clearInterval(timer)
    closed ??= performance.now()
  }
  // Without a reader, the end of the stream would go unnoticed.
  socket.resume().on('end', finish).on('close', finish).on('error', finish)
  return {
    age: () => (closed ?? performance.now()) - began,
    isOpen: () => closed === null,
    isServing: async () => (await service.get('/items/comments')).status === 200,
    async end() {
      socket.destroy()
      await service.stop()
      await database.drop()
    },
  }
}
