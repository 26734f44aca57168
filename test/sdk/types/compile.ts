import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const top = join(import.meta.dirname, '../../..')

/** What the compiler prints about these files, with its figures. The files can import packages. */
export function compile(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tain-sdk-types-'))
  try {
    symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'))
    const config = {
      extends: join(top, 'tsconfig.base.json'),
      compilerOptions: { typeRoots: [join(top, 'node_modules/@types')] },
      files: Object.keys(files),
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const compiler = join(top, 'node_modules/typescript/bin/tsc')
    const args = [compiler, '-p', folder, '--extendedDiagnostics']
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (!stdout.includes('Total time')) throw new Error(`the compiler did not run: ${stdout}${stderr}`)
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const errorsIn = (printed: string): readonly string[] =>
  printed.split('\n').filter((line) => / error TS\d+: /u.test(line))

/** Types that the compiler made from generic ones: the measure of work that does not depend on the machine. */
export const instantiationsIn = (printed: string): number => Number(/^Instantiations:\s+(\d+)$/mu.exec(printed)?.[1])
