// Draws text as a terminal, for the README: node scripts/terminal-picture.ts < output.txt > docs/pictures/demo.svg
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const [CHARACTER, LINE, MARGIN, BAR] = [8.4, 20, 20, 34]

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The word at the head of a line of the banner is set apart, as on a terminal with colours. */
const coloured = (line: string) =>
  escaped(line)
    .replace(/^([A-Z][A-Za-z]+ {2,})/u, '<tspan class="head">$1</tspan>')
    .replace(/^(\$ .*)$/u, '<tspan class="typed">$1</tspan>')

function picture(text: string): string {
  const lines = stripVTControlCharacters(text).trimEnd().split('\n')
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * CHARACTER) + 2 * MARGIN
  const height = lines.length * LINE + 2 * MARGIN + BAR - 10
  const dots = ['#e06c60', '#e0b050', '#6cb070'].map(
    (colour, index) => `<circle cx="${MARGIN + 18 * index}" cy="18" r="5.5" fill="${colour}"/>`,
  )
  const rows = lines.map(
    (line, index) => `<text x="${MARGIN}" y="${BAR + MARGIN + index * LINE}">${coloured(line)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="tain demo on a terminal">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d8dee4;white-space:pre}.head{fill:#8fb8de}.typed{fill:#fff;font-weight:600}</style>
<rect width="${width}" height="${height}" rx="9" fill="#1c2127"/>
${[...dots, ...rows].join('\n')}
</svg>
`
}

process.stdout.write(picture(readFileSync(0, 'utf8')))
