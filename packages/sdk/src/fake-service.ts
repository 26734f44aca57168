// A `fetch` for tests, which answers from a script and remembers what it was asked.

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly credentials: string | undefined
}

export interface FakeService {
  readonly fetch: typeof fetch
  readonly asked: Asked[]
}

export type Answer = (asked: Asked, init: RequestInit | undefined) => Response | Promise<Response>

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers })

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  json({ errors: [{ message: code, extensions: { code } }] }, status, headers)

/** Answers requests in turn; the last answer is given to all further ones. */
export function fakeService(...answers: readonly Answer[]): FakeService {
  const asked: Asked[] = []
  return {
    asked,
    fetch: async (url, init) => {
      const request: Asked = {
        method: init?.method ?? 'GET',
        url: url as string,
        headers: init?.headers as Record<string, string>,
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
        credentials: init?.credentials,
      }
      asked.push(request)
      const answer = answers[Math.min(asked.length, answers.length) - 1]
      if (answer === undefined) throw new TypeError('fetch failed')
      return answer(request, init)
    },
  }
}
