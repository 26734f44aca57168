import { describe, expect, test } from 'vitest'
import { Misread } from './readers.ts'
import { asRedisServers } from './redis.ts'

const plain = {
  isEncrypted: false,
  username: null,
  password: null,
  database: 0,
  primaryName: null,
  sentinelPassword: null,
}
const host = (name: string, port: number) => ({ host: name, port })

describe('REDIS_URL', () => {
  test.each([
    ['redis://localhost', { ...plain, mode: 'single', hosts: [host('localhost', 6379)] }],
    ['redis://a:7000,b/2', { ...plain, mode: 'single', hosts: [host('a', 7000), host('b', 6379)], database: 2 }],
    ['redis://:pa%40ss@a/', { ...plain, mode: 'single', hosts: [host('a', 6379)], password: 'pa@ss' }],
    [
      'rediss://me:secret@[::1]:7001',
      { ...plain, mode: 'single', isEncrypted: true, hosts: [host('::1', 7001)], username: 'me', password: 'secret' },
    ],
    [
      'redis+sentinel://:p@a:1,b,10.0.0.3:3/main/4?sentinel_password=q',
      {
        ...plain,
        mode: 'sentinel',
        hosts: [host('a', 1), host('b', 26_379), host('10.0.0.3', 3)],
        password: 'p',
        database: 4,
        primaryName: 'main',
        sentinelPassword: 'q',
      },
    ],
    [
      'rediss+cluster://a,b:7000',
      { ...plain, mode: 'cluster', isEncrypted: true, hosts: [host('a', 6379), host('b', 7000)] },
    ],
  ])('%s', (url, servers) => {
    expect(asRedisServers(url)).toEqual(servers)
  })

  test.each([
    ['http://a', /has to begin with redis:\/\//u],
    ['constructor://a', /has to begin with/u],
    ['redis://', /has to begin with/u],
    ['redis://a,', /no valid address/u],
    ['redis://a:0', /no valid address/u],
    ['redis://a:70000', /no valid address/u],
    ['redis://us%er:%@a', /no valid address/u],
    ['redis://a/name', /number of a database/u],
    ['redis://a/1/2', /number of a database/u],
    ['redis://a?tls=true', /takes no parameters/u],
    ['redis+sentinel://a', /has to name the primary/u],
    ['redis+sentinel://a/main?x=1', /sentinel_password only/u],
    ['redis+cluster://a/3', /database 0 only/u],
  ])('%s is refused', (url, problem) => {
    expect(() => asRedisServers(url)).toThrow(problem)
    expect(() => asRedisServers(url)).toThrow(Misread)
  })
})
