/**
 * Types that browsers show without running anything: pictures, sound, film, PDF and texts. All others are saved: pages,
 * drawings and scripts could act in the name of this service, and nobody knows what the rest is.
 */
const shown =
  /^(?:image\/(?!svg)[\w.+-]+|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf|application\/json|text\/plain|text\/csv)$/u
const active = /xml|html|script|flash|wasm|css/u

export const isShown = (type: string | null): boolean => {
  const bare = (type ?? '').split(';')[0]!.trim().toLowerCase()
  return shown.test(bare) && !active.test(bare)
}

/** `Content-Disposition` of a file. Without a name, the browser takes it from the address. */
export function dispositionOf(kind: 'inline' | 'attachment', name: string | null): string {
  if (name === null) return kind
  const plain = name.replaceAll(/[^ -~]/gu, '_').replaceAll(/["\\]/gu, (character) => `\\${character}`)
  const isPlain = /^[ -~]*$/u.test(name)
  return `${kind}; filename="${plain}"${isPlain ? '' : `; filename*=UTF-8''${extended(name)}`}`
}

/** RFC 8187 allows fewer characters than encodeURIComponent leaves; lone halves of characters have no encoding. */
const extended = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
