import { execFileSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { runCommand } from '../lib/command.ts'

/** Every command starts the program, and several may run together. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

/** What bash offers for the last word of a line. */
function offered(script: string, line: string): readonly string[] {
  const words = line.split(' ')
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const program = `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _tain; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).trim().split('\n')
}

test('bash completes commands, commands of a group, and options', async () => {
  const { code, out, error } = await runCommand(['completion', 'bash'])
  expect([code, error]).toEqual([0, ''])
  expect(offered(out, 'tain sch')).toEqual(['schema'])
  expect(offered(out, 'tain schema s')).toEqual(['snapshot'])
  expect(offered(out, 'tain schema names ')).toEqual(['prune'])
  expect(offered(out, 'tain users create --pass')).toContain('--password-stdin')
  expect(offered(out, 'tain start --database-u')).toEqual(['--database-url'])
  expect(offered(out, 'tain users token ann@example.com --js')).toEqual(['--json'])
  expect(offered(out, 'tain nothing x')).toEqual([''])
  const registered = execFileSync('bash', ['-c', `${out}\ncomplete -p tain`], { encoding: 'utf8' })
  expect(registered.trim()).toBe('complete -o default -F _tain tain')
})

test('an unknown shell is refused with one line', async () => {
  expect(await runCommand(['completion', 'tcsh'])).toEqual({
    code: 2,
    out: '',
    error: 'The shell has to be one of bash, zsh, fish.\n',
  })
})
