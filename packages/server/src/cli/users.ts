import { randomBytes } from 'node:crypto'
import { ServiceError } from '@tain/contract'
import type { Payload } from '../query/mutation.ts'
import type { Account } from '../store/accounts.ts'
import type { Operator } from '../system/operator.ts'
import { readPassword } from './ask.ts'
import { Usage, type Invocation, type Run } from './command.ts'
import { roleNamed } from './roles.ts'
import { printObject, printRows } from './table.ts'
import { changingUsers, lookingAtUsers } from './with-operator.ts'

const TOKEN_BYTES = 32

const createToken = () => randomBytes(TOKEN_BYTES).toString('base64url')

export const createUser: Run = async (invocation) => {
  const { email, role, token: wantsToken } = invocation.options
  if (typeof email !== 'string') throw new Usage('The option "--email" is missing.')
  const password =
    wantsToken === true && invocation.options['passwordStdin'] !== true ? null : await readPassword(invocation)
  if (password === null && wantsToken !== true)
    throw new Usage('A user needs a password or a token: give "--password-stdin" or "--token".')
  return changingUsers(async (operator) => {
    if ((await operator.userByEmail(email)) !== null) throw new Usage(`There is already a user "${email}".`)
    const found = typeof role === 'string' ? await roleNamed(role, operator) : null
    const token = wantsToken === true ? createToken() : null
    const { id } = await plainly(() =>
      operator.create('service_users', { email, password, token, role: found?.id ?? null }, ['id']),
    )
    const shown = { id: String(id), email, role: found?.name ?? null, ...(token === null ? {} : { token }) }
    printObject(invocation, shown, token === null ? [shown.id] : [shown.id, token])
    return 0
  })(invocation)
}

export const createUserToken: Run = changingUsers(async (operator, invocation) => {
  const { id, email } = await userNamed(invocation, operator)
  const token = createToken()
  await operator.update('service_users', id, { token })
  printObject(invocation, { id, email, token }, [token])
  invocation.terminal.tell('The token is not shown again. A former token of this user no longer works.')
  return 0
})

export const changePassword: Run = async (invocation) => {
  const password = await readPassword(invocation)
  if (password === null) throw new Usage('The option "--password-stdin" is missing.')
  return changingUsers(async (operator) => {
    const { id, email } = await userNamed(invocation, operator)
    await plainly(() => operator.update('service_users', id, { password }))
    invocation.terminal.tell(`The password of ${email} is changed, and the sessions of this user have ended.`)
    return 0
  })(invocation)
}

/** Only `suspended` is undone: the other states have a way of their own, such as an invitation. */
export const unlockUser: Run = changingUsers(async (operator, { operands, terminal }) => {
  const { id, email, status } = await userNamed({ operands }, operator)
  if (status !== 'active' && status !== 'suspended')
    throw new Usage(`The user "${email}" is ${status}. Only a suspended or delayed user can be unlocked.`)
  await operator.update('service_users', id, { status: 'active' })
  terminal.tell(
    status === 'suspended' ? `${email} is active again.` : `Failed logins of ${email} no longer delay a login.`,
  )
  return 0
})

export const listUsers: Run = lookingAtUsers(async (operator, invocation) => {
  const fields = ['id', 'email', 'status', 'role.name', 'last_access']
  const users = await operator.list('service_users', { fields, sort: 'email' })
  const rows = users.map((user) => ({
    id: textIn(user, 'id') ?? '',
    email: textIn(user, 'email'),
    status: textIn(user, 'status'),
    role: textIn((user['role'] ?? {}) as Payload, 'name'),
    last_access: textIn(user, 'last_access'),
  }))
  printRows(invocation, ['id', 'email', 'status', 'role', 'last_access'], rows)
  return 0
})

export const textIn = (row: Payload, name: string): string | null => {
  const value = row[name]
  return typeof value === 'string' ? value : null
}

async function userNamed({ operands }: Pick<Invocation, 'operands'>, operator: Operator): Promise<Account> {
  const email = operands[0] ?? ''
  const user = await operator.userByEmail(email)
  if (user === null) throw new Usage(`There is no user "${email}". "tain users list" lists all users.`)
  return user
}

/** The refusals of a password and of an address in the words of the command line. */
async function plainly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'FAILED_VALIDATION') throw error
    const { field } = error.details
    if (field === 'password') throw new Usage('The password does not meet the policy of this project.')
    if (field === 'email') throw new Usage('The option "--email" has to be an e-mail address.')
    throw error
  }
}
