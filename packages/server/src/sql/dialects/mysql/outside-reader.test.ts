import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { DatabaseError } from '../../driver.ts'
import type { OutsideListener } from '../../outside.ts'
import type { BinlogScope } from './outside-place.ts'
import { readBinlog } from './outside-reader.ts'

test('a server that ends the connection before the log begins is an error of the reading', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const config = { host: '127.0.0.1', port, user: 'nobody' }
  const from = { file: 'log.000001', offset: 4, stamp: '' }
  const options = { slot: 'tain', systemSchema: 'tain' }
  const reading = readBinlog(config, from, {} as OutsideListener, {} as BinlogScope, options)
  await expect(reading).rejects.toThrow(DatabaseError)
  server.close()
})
