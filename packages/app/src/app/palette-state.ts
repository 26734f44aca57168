/** Whether the command palette is open. Kept outside components, because keys and buttons anywhere open it. */
let isOpen = false
const listeners = new Set<() => void>()

function change(next: boolean): void {
  isOpen = next
  for (const listen of listeners) listen()
}

export const openPalette = (): void => change(true)
export const closePalette = (): void => change(false)

export const paletteState = {
  subscribe: (listen: () => void): (() => void) => {
    listeners.add(listen)
    return () => listeners.delete(listen)
  },
  isOpen: (): boolean => isOpen,
}
