import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createDatabase, testDialects } from '../lib/databases.ts'
import { codeOf, dataOf, openService, TOKEN, until, type Service } from '../lib/service.ts'
import { freePort } from '../lib/free-port.ts'
import { startSmtpSink } from '../lib/smtp.ts'
import { useWorld } from '../lib/world.ts'

describe.each(testDialects)('health of a service on %s', (dialect) => {
  const { service } = useWorld({ dialect })

  test('an administrator sees every dependency', async () => {
    const { status, body } = await service.get('/server/health')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'ok',
      checks: {
        'database:responseTime': [{ status: 'ok', observedValue: expect.any(Number) as number, observedUnit: 'ms' }],
        'database:writable': [{ status: 'ok', observedValue: true }],
        'pool:requests': [{ status: 'ok', threshold: expect.any(Number) as number, waiting: 0 }],
        'pool:schema': [{ status: 'ok' }],
      },
    })
  })

  test('other users see the status alone, and strangers nothing', async () => {
    const token = `user-${randomUUID()}`
    dataOf(await service.send('POST', '/users', { email: `${token}@example.com`, token }))
    expect((await service.get('/server/health', { token })).body).toEqual({ status: 'ok' })
    const answer = await service.get('/server/health', { token: null })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN'])
  })
})

describe('health of what the service can do without', () => {
  const checksOf = async (service: Service) => {
    const { status, body } = await service.get('/server/health')
    const { checks } = body as { checks: Readonly<Record<string, readonly { status: string }[]>> }
    return { status, mail: checks['mail:responseTime']?.[0]?.status, redis: checks['redis:responseTime']?.[0]?.status }
  }

  test('a mail server is asked, and gets no mail; a Redis that is away is a warning', async () => {
    const database = await createDatabase('sqlite')
    const sink = await startSmtpSink()
    const mail = { EMAIL_TRANSPORT: 'smtp', EMAIL_SMTP_HOST: '127.0.0.1' }
    const redis = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` }
    const service = await openService({
      DATABASE_URL: database.url,
      ...mail,
      EMAIL_SMTP_PORT: String(sink.port),
      ...redis,
    })
    const without = await openService({
      DATABASE_URL: database.url,
      ...mail,
      EMAIL_SMTP_PORT: String(await freePort()),
    })
    try {
      expect(await checksOf(service)).toEqual({ status: 200, mail: 'ok', redis: 'warn' })
      expect(await checksOf(without)).toEqual({ status: 200, mail: 'warn', redis: undefined })
      expect(sink.mails).toEqual([])
    } finally {
      await Promise.all([service.stop(), without.stop(), sink.close()])
      await database.drop()
    }
  })
})

describe('a storage that cannot be written', () => {
  const form = () => {
    const content = new FormData()
    content.append('file', new Blob(['text'], { type: 'text/plain' }), 'note.txt')
    return content
  }
  const headers = { authorization: `Bearer ${TOKEN}` }

  // Root may write everywhere else. Node's recursive mkdir never returns here.
  const { service } = useWorld({ dialect: 'sqlite', environment: { STORAGE_LOCAL_ROOT: '/proc/tain/files' } })

  test('is a warning, and the service is ready', async () => {
    const { status, body } = await service.get('/server/health')
    expect(status).toBe(200)
    const check = { status: 'warn', componentType: 'component', observedValue: false }
    expect(body).toMatchObject({ status: 'warn', checks: { 'storage:local:writable': [check] } })
    expect((await service.get('/server/ready')).status).toBe(200)
  })

  test('refuses uploads; the log alone has the folder and the reason', async () => {
    const tus = { 'tus-resumable': '1.0.0', ...headers }
    const metadata = `filename_download ${Buffer.from('note.txt').toString('base64')}`
    const begun = await fetch(`${service.url}/files/tus`, {
      method: 'POST',
      headers: { ...tus, 'upload-length': '4', 'upload-metadata': metadata },
    })
    expect(begun.status).toBe(201)
    const piece = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const address = new URL(begun.headers.get('location') ?? '', service.url)
    const answers = [
      await fetch(`${service.url}/files`, { method: 'POST', headers, body: form() }),
      await fetch(address, { method: 'PATCH', headers: { ...tus, ...piece }, body: 'text' }),
    ]
    const failures = () => service.lines().filter(({ msg }) => msg === 'a storage of files is not available')
    await until(() => failures().length === 3, 10, 'the start and both uploads are in the log')
    for (const line of failures())
      expect(line).toMatchObject({
        storage: 'local',
        place: '/proc/tain/files',
        reason: 'ENOENT: no such file or directory',
      })
    for (const answer of answers) {
      const text = await answer.text()
      expect([answer.status, text]).toEqual([503, expect.stringContaining('"service":"files"')])
      expect(text).not.toMatch(/proc|ENOENT/u)
    }
  })
})
