import { registerHooks } from 'node:module'

const ENTRY = 'tain/extensions'
const own = new URL(import.meta.url.endsWith('.ts') ? './api.ts' : './extensions/api.js', import.meta.url).href

let home: string | null = null
let version = 0

/**
 * From now on modules below the address are loaded anew, with everything they import from there. They find the
 * interface of this service, whether or not the package is installed beside them.
 */
export function resolveModules(address: string): void {
  const isFirst = home === null
  home = address
  version += 1
  if (!isFirst) return
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === ENTRY)
        return { url: own, format: own.endsWith('.ts') ? 'module-typescript' : 'module', shortCircuit: true }
      const found = next(specifier, context)
      const isOfUser = home !== null && found.url.startsWith(home) && !found.url.includes('/node_modules/')
      return isOfUser ? { ...found, url: `${found.url.replace(/\?v=\d+$/u, '')}?v=${version}` } : found
    },
  })
}
