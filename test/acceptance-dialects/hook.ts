// Loaded before the acceptance suite: replaces the suite's database module with ours.
import { registerHooks } from 'node:module'

const theirs = new URL('../acceptance/lib/db.js', import.meta.url).href
const ours = new URL('database.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return found.url === theirs ? { ...found, url: ours, format: 'module-typescript' } : found
  },
})
