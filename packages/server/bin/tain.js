#!/usr/bin/env node
// Runs from the TypeScript source in a checkout and from the build in a published package.
import { existsSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

// Young space is small, because it is memory that mostly holds garbage; without that a large export doubles the process.
// What survives the start (the schema's rows) must not teach V8 to put the rows of every later answer into old space.
const heapFlags = ['--max-semi-space-size=8', '--no-allocation-site-pretenuring']

/**
 * V8 takes these only while it starts, so the process replaces itself: the same id, before anything is loaded. A channel
 * to a parent (`node --watch`) would not survive that.
 */
function startAgainWith(flags) {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ').replaceAll('_', '-')
  const missing = flags.filter((flag) => !given.includes(flag.split('=')[0]))
  const isAble = process.platform !== 'win32' && process.execve !== undefined && process.send === undefined
  if (missing.length === 0 || !isAble) return
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...missing, ...process.argv.slice(1)])
}

const command = process.argv[2]
if (command === undefined || command === 'start') startAgainWith(heapFlags)

const source = new URL('../src/main.ts', import.meta.url)
const { main } = await import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href)
await main(process.argv.slice(2))

// What is kept for long has been read by now; each later reading replaces it and is collected before it adds up.
setFlagsFromString('--heap-growing-percent=50')
