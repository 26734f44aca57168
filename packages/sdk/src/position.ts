/** Where the caller last wrote. Sent with every request, so that standbys answer only if they have replayed the write. */
export const POSITION = 'x-service-position'

/** `16-B374D848.…`: two numbers in hexadecimal digits. */
const numbersIn = (position: string) => (position.split('.')[0] ?? '').split('-').map((digits) => parseInt(digits, 16))

/** Responses to writes that ran together may arrive in another order than they were made. */
function laterOf(kept: string, told: string): string {
  const [[a = 0, b = 0], [c = 0, d = 0]] = [numbersIn(kept), numbersIn(told)]
  return a > c || (a === c && b > d) ? kept : told
}

export interface Positions {
  /** The header to send; none before the first write, or if the service has no standbys. */
  readonly header: () => Readonly<Record<string, string>>
  readonly note: (headers: Headers) => void
}

export function createPositions(): Positions {
  let kept: string | null = null
  return {
    header: () => (kept === null ? {} : { [POSITION]: kept }),
    note: (headers) => {
      const told = headers.get(POSITION)
      if (told !== null) kept = kept === null ? told : laterOf(kept, told)
    },
  }
}
