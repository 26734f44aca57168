// npm run icons -w packages/app: writes the sprite of the icons that the app uses.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { iconNames } from '../src/ui/icon-names.ts'

const icons = join(import.meta.dirname, '../../../node_modules/lucide-static/icons')

/** The drawing of an icon, without the element around it. */
const drawing = (name: string): string =>
  readFileSync(join(icons, `${name}.svg`), 'utf8')
    .replaceAll(/<!--[\s\S]*?-->/gu, '')
    .replace(/^[\s\S]*?<svg[\s\S]*?>/u, '')
    .replace('</svg>', '')
    .replaceAll(/\s+/gu, ' ')
    .trim()

export const sprite = (): string =>
  `<svg xmlns="http://www.w3.org/2000/svg">${iconNames
    .map((name) => `<symbol id="${name}" viewBox="0 0 24 24">${drawing(name)}</symbol>`)
    .join('')}</svg>\n`

if (import.meta.main) writeFileSync(join(import.meta.dirname, '../src/ui/icons.svg'), sprite())
