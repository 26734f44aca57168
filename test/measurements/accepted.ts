// Preloaded into the service by a measurement: records accepted connections by client port.
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'

const file = process.env['TAIN_PROOF_ACCEPTED']
const ports: (number | undefined)[] = []

subscribe('net.server.socket', (message) => ports.push((message as { readonly socket: Socket }).socket.remotePort))
process.on('exit', () => {
  if (file !== undefined) writeFileSync(file, JSON.stringify(ports))
})
