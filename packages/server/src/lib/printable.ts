/** Control and direction characters; on a terminal they could move the cursor or hide text. */
const unprintable = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Text from elsewhere (names in a database, paths in requests) as one line that a terminal shows as it is. */
export const printable = (text: string): string =>
  text.replace(unprintable, (character) => named[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
