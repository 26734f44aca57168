import { describe, expect, test } from 'vitest'
import { firstServer, serversIn } from './servers-url.ts'

describe('the servers of a database URL', () => {
  test('one server stays as it is', () => {
    for (const url of [
      'postgres://u:p%40ss@db:5432/shop?sslmode=require',
      'sqlite:shop.db',
      'mysql://root@[::1]:3306/x',
    ])
      expect(serversIn(url)).toEqual({ urls: [url], wants: null })
  })

  test('a list of hosts gives a URL for each', () => {
    expect(serversIn('postgres://u:p@a:1,b:2,c/shop?sslmode=require')?.urls).toEqual([
      'postgres://u:p@a:1/shop?sslmode=require',
      'postgres://u:p@b:2/shop?sslmode=require',
      'postgres://u:p@c/shop?sslmode=require',
    ])
  })

  test('hosts and ports may be lists in the query', () => {
    expect(serversIn('postgres:///shop?host=a,b&port=1,2&user=u')?.urls).toEqual([
      'postgres://a:1/shop?user=u',
      'postgres://b:2/shop?user=u',
    ])
    expect(serversIn('postgres:///shop?host=a,b&port=6432')?.urls).toEqual([
      'postgres://a:6432/shop',
      'postgres://b:6432/shop',
    ])
  })

  test('a socket in the query stays one server', () => {
    const url = 'postgres:///shop?host=%2Fvar%2Frun%2Fpostgresql'
    expect(serversIn(url)?.urls).toEqual([url])
  })

  test('the wanted server is taken out of the query', () => {
    expect(serversIn('postgres://a,b/shop?target_session_attrs=read-write')).toEqual({
      urls: ['postgres://a/shop', 'postgres://b/shop'],
      wants: 'writable',
    })
    expect(serversIn('postgres://a/shop?target_session_attrs=any')?.wants).toBe('any')
  })

  test('standbys cannot be wanted, and a broken URL is none', () => {
    expect(serversIn('postgres://a,b/shop?target_session_attrs=standby')).toBeNull()
    expect(serversIn('postgres://u:p@ss w@a:x/shop')).toBeNull()
  })

  test('the first server names the database for messages', () => {
    expect(firstServer('mysql://u@a:3306,b:3306/shop').hostname).toBe('a')
  })
})
