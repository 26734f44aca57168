import { createClient } from '@tain/sdk'
import type { Schema } from '../../schema.ts'

declare global {
  interface ImportMeta {
    readonly env: Readonly<Record<string, string | undefined>>
  }
}

/** Tokens stay in memory: a reload of the page ends the session. */
export const tain = createClient<Schema>({ url: import.meta.env['VITE_TAIN_URL'] ?? 'http://127.0.0.1:8055' })
