import { describe, expect, test } from 'vitest'
import { answer, checkMembers, readMessage } from './message.ts'

const read = (text: string) => readMessage(Buffer.from(text))
const codeOf = (text: string) => {
  const message = read(text)
  return 'error' in message ? message.error.code : null
}

describe('a message', () => {
  test('is an object with a type', () => {
    expect(read('{"type":"ping","uid":7,"x":1}')).toEqual({ type: 'ping', uid: 7, body: { x: 1 } })
    for (const text of ['{bad', '[1]', '"text"', 'null', '12345678901234567890', '{"uid":1}'])
      expect(codeOf(text)).toBe('INVALID_PAYLOAD')
    expect(readMessage(Buffer.from([0x22, 0xff, 0x22]))).toHaveProperty('error.code', 'INVALID_PAYLOAD')
    expect(codeOf(`{"type":"x","a":${'['.repeat(600)}${']'.repeat(600)}}`)).toBe('INVALID_PAYLOAD')
  })

  test('has a uid that is a text or a number, and comes back as it was', () => {
    expect(read('{"uid":"a"}')).toMatchObject({ uid: 'a' })
    expect(read('{"type":"ping","uid":null}')).toMatchObject({ uid: undefined })
    for (const uid of ['{}', '[]', 'true', `"${'x'.repeat(300)}"`])
      expect(codeOf(`{"type":"x","uid":${uid}}`)).toBe('INVALID_PAYLOAD')
    const long = '{"type":"pong","uid":12345678901234567890}'
    const message = read(long)
    expect('error' in message ? null : answer('pong', message.uid)).toBe(long)
    expect(answer('pong', undefined)).toBe('{"type":"pong"}')
  })

  test('has no other members than those it can have', () => {
    expect(() => checkMembers({ a: 1 }, ['a'])).not.toThrow()
    expect(() => checkMembers(JSON.parse('{"__proto__":1}') as Record<string, unknown>, ['a'])).toThrow(
      'is not allowed; there are a',
    )
    expect(() => checkMembers({ b: 1 }, [])).toThrow('"b" is not allowed.')
  })
})
