import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Response } from './expected.ts'
import { root, type Block } from './pages.ts'
import { ADDRESS, shellWords } from './request.ts'
import { ADMIN_TOKEN, type World } from './world.ts'

const run = (words: readonly string[], folder: string, environment: Readonly<Record<string, string>>) =>
  new Promise<string>((resolve, reject) => {
    const options = { cwd: folder, env: { ...process.env, ...environment } }
    execFile(process.execPath, words, options, (error, stdout, stderr) => {
      // 1 means no, which an example may show; 2 means that the command did not run
      if (error !== null && error.code !== 1) reject(new Error(stderr === '' ? error.message : stderr))
      else resolve(stdout)
    })
  })

async function runScript({ lines }: Block, { url }: World): Promise<string> {
  const file = join(root, 'test', `example-${process.pid}-${Date.now()}.mjs`)
  await writeFile(file, lines.join('\n').replaceAll(ADDRESS, url))
  try {
    return await run([file], root, {})
  } finally {
    await rm(file)
  }
}

async function runCommands({ lines }: Block, { database }: World): Promise<string> {
  const folder = join(database.url.startsWith('sqlite:') ? database.url.slice('sqlite:'.length) : '/tmp/x', '..')
  let output = ''
  for (const line of lines) {
    const [command, ...words] = shellWords(line.replace(/ +# .*/u, '').replace('npx --no-install ', ''))
    if (command !== 'tain') throw new Error(`examples cannot run ${command}`)
    const program = join(root, 'packages/server/bin/tain.js')
    output += await run([program, ...words], folder, { DATABASE_URL: database.url, ADMIN_TOKEN })
  }
  return output
}

/** Runs a script with the SDK, or commands of the service; the response is their standard output. */
export async function runProgram(block: Block, world: World): Promise<Response> {
  const text = await (block.language === 'js' ? runScript(block, world) : runCommands(block, world))
  return { status: 200, headers: new Headers(), text }
}
