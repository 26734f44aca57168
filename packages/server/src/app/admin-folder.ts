import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The build puts the app next to the program. In a checkout it is in its own package. */
const FOLDER = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, '../../../app/dist')
  : join(import.meta.dirname, 'app')

/** The folder of the built admin app; null if it has not been built. */
export const adminFolder = (): string | null => (existsSync(join(FOLDER, 'index.html')) ? FOLDER : null)
