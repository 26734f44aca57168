import { invalidPayload } from '@tain/contract'

/** Maximum size of a row, in characters; an endless row must not fill the memory. */
export const MAX_ROW = 16 * 1024 ** 2

const noText = () => invalidPayload('The file has to be text in UTF-8')

/** Rejects text in other encodings, which would be stored incorrectly. */
export async function* readText(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Buffer) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch {
      throw noText()
    }
  }
  for await (const chunk of content) yield decode(chunk)
  yield decode()
}

/** Passes bytes on once they are known to be UTF-8 text. */
export async function* checkText(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const text of readText(content)) if (text !== '') yield Buffer.from(text)
}
