import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const program = `
import { openConnection } from ${JSON.stringify(new URL('./connection.ts', import.meta.url).href)}
const options = { isWriter: true, isReadOnly: false, enforcesKeys: true, busyTimeout: 1000, preparedStatements: 0 }
const connection = openConnection({ ...options, file: process.argv[2] }, () => undefined)
const order = { kind: 'run', text: 'select 42', values: [], mostBytes: 1000, begins: null }
console.log(JSON.stringify(await connection.send(order)))
`

test('a thread answers under node --watch, where Node posts messages from it too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tain-watch-'))
  const script = join(folder, 'program.ts')
  await writeFile(script, program)
  const child = spawn(process.execPath, ['--watch', script, join(folder, 'a.db')])
  let text = ''
  const said = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        // Either line ends the run of the program; the watching process itself would go on.
        if (/^\{|Failed running/mu.test(text)) resolve()
      })
  })
  await said
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  await rm(folder, { recursive: true })
  expect(text).toMatch(/^\{"width":1,"cells":\["42"\]\}$/mu)
})
