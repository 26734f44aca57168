import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf, TOKEN } from '../lib/service.ts'
import { within } from '../lib/expect-duration.ts'
import { createUser, useWorld } from '../lib/world.ts'

const EXPONENTIAL = String.raw`^(\w+\s?)+$`
const TEXT = `${'a'.repeat(60)}!`

describe.each(testDialects)('patterns of rules on %s', (dialect) => {
  const { service } = useWorld({ dialect, tables: 'create table notes (id integer primary key, text varchar(200))' })

  const writer = async (validation: object) => {
    const token = `token-of-a-writer-${Math.random()}`
    const permissions = [{ collection: 'notes', action: 'create', fields: ['*'], validation }]
    await createUser(service, permissions, token)
    return token
  }

  test('one that would backtrack without end keeps nobody waiting', async () => {
    const token = await writer({ text: { _regex: EXPONENTIAL } })
    const refused = await service.send('POST', '/items/notes', { id: 1, text: TEXT }, { token })
    expect([refused.status, codeOf(refused)]).toEqual([400, 'FAILED_VALIDATION'])
    await within(1000, async () => {
      const began = performance.now()
      await service.send('POST', '/items/notes', { id: 1, text: TEXT }, { token })
      return performance.now() - began
    })
  })

  test('one of a field, and one that the caller’s own row holds, do not either', async () => {
    dataOf(
      await service.send('PATCH', '/fields/notes/text', { meta: { validation: { text: { _regex: EXPONENTIAL } } } }),
    )
    const answer = await service.send('POST', '/items/notes', { id: 1, text: TEXT })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'FAILED_VALIDATION'])
    dataOf(await service.send('PATCH', '/fields/notes/text', { meta: { validation: null } }))
    const token = await writer({ text: { _regex: '$CURRENT_USER.description' } })
    const own = await service.send('POST', '/items/notes', { id: 1, text: TEXT }, { token })
    expect(own.status).toBe(400)
  })

  test('one that cannot be matched in linear time is refused when it is saved', async () => {
    const { id: policy } = dataOf(await service.send('POST', '/policies', { name: 'p' })) as { id: string }
    for (const pattern of [String.raw`(a)\1`, 'x(?=y)', '(?<!a)b', '(', 'a{1,5000}']) {
      const validation = { _and: [{ text: { _regex: pattern } }] }
      const permission = { policy, collection: 'notes', action: 'create', fields: ['*'], validation }
      const answers = [
        await service.send('POST', '/permissions', permission),
        await service.send('PATCH', '/fields/notes/text', { meta: { validation } }),
        await service.send('PATCH', '/settings', { auth_password_policy: pattern }),
      ]
      expect([pattern, ...answers.map(({ status }) => status)]).toEqual([pattern, 400, 400, 400])
    }
    const { text } = await service.send('PATCH', '/settings', { auth_password_policy: String.raw`(a)\1` })
    expect(text).toContain('back-references')
  })

  test('the policy for passwords is held to the same', async () => {
    dataOf(await service.send('PATCH', '/settings', { auth_password_policy: EXPONENTIAL }))
    const save = (password: string) =>
      service.send('POST', '/users', { email: `${Math.random()}@example.com`, password }, { token: TOKEN })
    expect(codeOf(await save(TEXT))).toBe('FAILED_VALIDATION')
    dataOf(await save('one two three'))
    dataOf(await service.send('PATCH', '/settings', { auth_password_policy: String.raw`^(?=.*\d)(?!.*\s).{8,}$` }))
    expect(codeOf(await save('passwords'))).toBe('FAILED_VALIDATION')
    dataOf(await save('passw0rds'))
  })
})
