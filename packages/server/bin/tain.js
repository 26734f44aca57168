#!/usr/bin/env node
// Runs from the TypeScript source in a checkout and from the build in a published package.
import { existsSync } from 'node:fs'

const source = new URL('../src/main.ts', import.meta.url)
const { main } = await import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href)
await main(process.argv.slice(2))
