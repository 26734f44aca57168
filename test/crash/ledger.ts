// Requests and acknowledgements in a file that outlives every process: a line counts once it is on disk.
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'

export interface Ledger {
  note(what: 'sent' | 'acked' | 'refused', id: string): void
  /** Request IDs by state, read from the file, not from memory. */
  read(): { readonly sent: ReadonlySet<string>; readonly acked: ReadonlySet<string> }
  close(): void
}

export function openLedger(file: string): Ledger {
  const handle = openSync(file, 'a')
  return {
    note(what, id) {
      writeSync(handle, `${what} ${id}\n`)
      // Only acknowledgements must survive this process.
      if (what === 'acked') fdatasyncSync(handle)
    },
    read() {
      const lines = readFileSync(file, 'utf8').split('\n')
      const idsOf = (what: string) =>
        new Set(lines.filter((line) => line.startsWith(`${what} `)).map((line) => line.slice(what.length + 1)))
      return { sent: idsOf('sent'), acked: idsOf('acked') }
    },
    close: () => closeSync(handle),
  }
}
