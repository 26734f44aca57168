#!/usr/bin/env node
// Only what every Node with ES modules understands: an old one has to get as far as saying that it is too old.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = engines.node.replace('>=', '')
const isOlder = ([major, minor], [neededMajor, neededMinor]) =>
  major < neededMajor || (major === neededMajor && minor < neededMinor)

if (isOlder(process.versions.node.split('.').map(Number), needed.split('.').map(Number))) {
  console.error(
    `tain needs Node.js ${needed} or newer, and this is ${process.version}. Install it from https://nodejs.org, or with your version manager.`,
  )
  process.exitCode = 1
} else {
  const { launch } = await import('./launch.js')
  await launch('main')
}
