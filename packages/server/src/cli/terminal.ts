import type { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters, styleText } from 'node:util'

export type Colour = 'red' | 'yellow' | 'green' | 'cyan' | 'dim' | 'bold'

/** Colours a text, or returns it as it is where colours are off. */
export type Paint = (colour: Colour, text: string) => string

/** What a command says and shows. Standard output holds data alone, so that it can be piped; standard error narrates. */
export interface Terminal {
  readonly input: Readable
  readonly print: (text: string) => void
  /** Standard output as a stream, for data of any size. */
  readonly output: Writable
  readonly tell: (line: string) => void
  /** A person sits there: questions may be asked, and lines may be drawn over. */
  readonly isInteractive: boolean
  readonly columns: number
  /** Colours a part of a told line; plain text where colours are off (NO_COLOR, a pipe). */
  readonly paint: Paint
  /** Shows how far long work is: a bar on a terminal, a line every few seconds otherwise. */
  readonly progress: (title: string, total: number | null) => Progress
}

export interface Progress {
  readonly advance: (done: number) => void
  readonly end: () => void
}

const BAR = 24
const REDRAW = 100
const PLAIN_LINE = 5000

/** A reader of the pipe, such as `head`, may close it: the rest is written nowhere, and the command ends as it would have. */
function passClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
}

export function createTerminal({ isCi }: { readonly isCi: boolean }): Terminal {
  passClosedPipes()
  const isInteractive = process.stdin.isTTY && process.stderr.isTTY && !isCi
  const tell = (line: string) => void process.stderr.write(`${line}\n`)
  return {
    input: process.stdin,
    print: (text) => void process.stdout.write(text),
    output: process.stdout,
    tell,
    isInteractive,
    columns: process.stderr.columns ?? 80,
    paint: (colour, text) => styleText(colour, text, { stream: process.stderr }),
    progress: (title, total) =>
      isInteractive
        ? drawnProgress(title, total, (text) => void process.stderr.write(text))
        : toldProgress(title, total, tell),
  }
}

const shares = (title: string, done: number, total: number | null): string =>
  total === null || total === 0
    ? `${title}: ${done.toLocaleString('en')}`
    : `${title}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} (${Math.floor((done / total) * 100)} %)`

function drawnProgress(title: string, total: number | null, write: (text: string) => void): Progress {
  let last = 0
  let done = 0
  const draw = () => {
    const filled = total === null || total === 0 ? 0 : Math.min(BAR, Math.floor((done / total) * BAR))
    const bar = total === null ? '' : `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} `
    write(`\r\u001b[2K${bar}${shares(title, done, total)}`)
  }
  return {
    advance(now) {
      done = now
      if (Date.now() - last < REDRAW) return
      last = Date.now()
      draw()
    },
    end() {
      draw()
      write('\n')
    },
  }
}

function toldProgress(title: string, total: number | null, tell: (line: string) => void): Progress {
  let last = Date.now()
  let done = 0
  return {
    advance(now) {
      done = now
      if (Date.now() - last < PLAIN_LINE) return
      last = Date.now()
      tell(shares(title, done, total))
    },
    end: () => tell(shares(title, done, total)),
  }
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u
const withoutWidth = /[\p{Mn}\p{Me}\p{Cf}]/u

/** The columns that a text takes on a terminal, without its colours. */
export function widthOf(text: string): number {
  let columns = 0
  for (const character of stripVTControlCharacters(text))
    columns += withoutWidth.test(character) ? 0 : wide.test(character) ? 2 : 1
  return columns
}
