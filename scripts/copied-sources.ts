import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { top } from '../test/lib/throwaway.ts'

/** The compiler takes some seconds of processor time, and minutes on a machine that does much else. */
export const PATIENCE = 1_800_000

const CONTRACT = './packages/contract/src'

/** Copies the sources to a temporary directory in which `tsc -p` compiles them, so that a test can change them. */
export function copySources(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `tain-${purpose}-`))
  for (const name of ['packages/contract', 'packages/server'])
    cpSync(join(top, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/\/(node_modules|dist|\.cache)(\/|$)/u.test(path.slice(top.length)),
    })
  for (const name of ['tsconfig.base.json', 'package.json']) cpSync(join(top, name), join(folder, name))
  symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'))
  const config = {
    extends: './tsconfig.base.json',
    // The linked package would be the original.
    compilerOptions: {
      // A test that compiles again after one change compiles only what depends on it.
      incremental: true,
      tsBuildInfoFile: './last.tsbuildinfo',
      paths: { '@tain/contract': [`${CONTRACT}/index.ts`], '@tain/contract/*': [`${CONTRACT}/*/index.ts`] },
    },
    include: ['packages/*/src/**/*.ts'],
    exclude: ['**/*.test.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  return folder
}
