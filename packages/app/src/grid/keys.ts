const END = Number.POSITIVE_INFINITY

/** What a key does in the grid. */
export type Command =
  | { readonly name: 'move'; readonly rows: number; readonly columns: number; readonly isExtending: boolean }
  | { readonly name: 'page'; readonly pages: number; readonly isExtending: boolean }
  | {
      readonly name:
        | 'edit'
        | 'clear'
        | 'restore'
        | 'peek'
        | 'open'
        | 'row'
        | 'column'
        | 'all'
        | 'fill'
        | 'undo'
        | 'redo'
        | 'menu'
        | 'sort'
    }
  | { readonly name: 'type'; readonly text: string }

type Name = Exclude<Command['name'], 'move' | 'page' | 'type'>

/** Moves, each also with Shift to extend. Left and right are those of a sheet that begins on the left. */
const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  Home: [0, -END],
  End: [0, END],
  'Ctrl+ArrowDown': [END, 0],
  'Ctrl+ArrowUp': [-END, 0],
  'Ctrl+ArrowRight': [0, END],
  'Ctrl+ArrowLeft': [0, -END],
  'Ctrl+Home': [-END, -END],
  'Ctrl+End': [END, END],
}

const pages: Readonly<Record<string, number>> = { PageDown: 1, PageUp: -1 }

const commands: Readonly<Record<string, Name>> = {
  Enter: 'edit',
  'Shift+Enter': 'sort',
  F2: 'edit',
  Delete: 'clear',
  Backspace: 'clear',
  Escape: 'restore',
  ' ': 'peek',
  'Ctrl+Enter': 'open',
  'Shift+ ': 'row',
  'Ctrl+ ': 'column',
  'Ctrl+a': 'all',
  'Ctrl+d': 'fill',
  'Ctrl+z': 'undo',
  'Ctrl+Shift+z': 'redo',
  ContextMenu: 'menu',
  'Shift+F10': 'menu',
}

interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** The command of a key; null: it does nothing here. A chord that is not in the tables never starts an edit. */
export function commandOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed, isRightToLeft = false): Command | null {
  if (altKey) return null
  const isChord = ctrlKey || metaKey
  const plain = isChord && key.length === 1 ? key.toLowerCase() : key
  const chord = `${isChord ? 'Ctrl+' : ''}${mirrored(plain, isRightToLeft)}`
  const move = moves[chord]
  if (move !== undefined) return { name: 'move', rows: move[0], columns: move[1], isExtending: shiftKey }
  const page = isChord ? undefined : pages[key]
  if (page !== undefined) return { name: 'page', pages: page, isExtending: shiftKey }
  const name = commands[`${isChord ? 'Ctrl+' : ''}${shiftKey ? 'Shift+' : ''}${plain}`]
  if (name !== undefined) return { name }
  return !isChord && Array.from(key).length === 1 ? { name: 'type', text: key } : null
}

function mirrored(key: string, isRightToLeft: boolean): string {
  if (!isRightToLeft) return key
  if (key === 'ArrowLeft') return 'ArrowRight'
  return key === 'ArrowRight' ? 'ArrowLeft' : key
}
