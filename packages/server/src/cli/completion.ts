import { optionName } from '../config/arguments.ts'
import { settings } from '../config.ts'
import { Usage, type Command, type Run } from './command.ts'

/** The words that can follow: commands after each group, and options after each command. */
type Following = ReadonlyMap<string, readonly string[]>

function followingIn(rows: Readonly<Record<string, Command>>): Following {
  const following = new Map<string, string[]>([['', []]])
  for (const [name, row] of Object.entries(rows)) {
    const words = name.split(' ')
    for (const [index, word] of words.entries()) {
      const group = words.slice(0, index).join(' ')
      const known = following.get(group) ?? []
      if (!known.includes(word)) following.set(group, [...known, word])
    }
    const own = (row.options ?? []).map(({ flags }) => flags.split(' ')[0] ?? '')
    const shared = row.settings === 'all' ? Object.values(settings).map((setting) => optionName(setting.name)) : []
    following.set(name, [...own, ...shared, '--help'])
  }
  return following
}

/** Operands may follow a command. Names and options consist of letters and dashes, so they need no quotes. */
const cases = (following: Following): string =>
  [...following]
    .map(([path, words]) => {
      const pattern = words.includes('--help') ? `"${path}"|"${path} "*` : `"${path}"`
      return `    ${pattern}) words="${words.join(' ')}" ;;`
    })
    .join('\n')

/** The path is made of the words before the cursor that are no options. */
const bash = (following: Following): string => `_tain() {
  local word path="" words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    path="\${path:+$path }$word"
  done
  case "$path" in
${cases(following)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tain tain
`

/** zsh calls its own list of words "words", so ours has another name there. */
const zsh = (following: Following): string => `#compdef tain
_tain() {
  local word at="" next=""
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && break
    at="\${at:+$at }$word"
  done
  case "$at" in
${cases(following).replaceAll(') words=', ') next=')}
  esac
  if [[ -n $next ]]; then compadd -- \${=next}; else _files; fi
}
compdef _tain tain
`

function fish(following: Following): string {
  const lines = [...following].map(([path, words]) => {
    const given = path === '' ? 'tain' : `tain ${path}`
    const condition = `test (string join " " -- (string match -v -- "-*" (commandline -opc))) = "${given}"`
    return `complete -c tain -f -n '${condition}' -a "${words.join(' ')}"`
  })
  return `${lines.join('\n')}\n`
}

const shells: Readonly<Record<string, (following: Following) => string>> = { bash, zsh, fish }

export const completion: Run = async ({ operands, terminal, commands }) => {
  const write = Object.hasOwn(shells, operands[0] ?? '') ? shells[operands[0] ?? ''] : undefined
  if (write === undefined) throw new Usage(`The shell has to be one of ${Object.keys(shells).join(', ')}.`)
  terminal.print(write(followingIn(commands)))
  return 0
}
