import type { ProcedureRow, RootField } from './row.ts'

/** Each field may appear once per operation: one request is one attempt. */
const once = (name: string): RootField => ({ operation: 'mutation', name, isOnce: true })

const secret = { isSecret: true, dryRun: 'refused' } as const
/** Callers need no token. */
const open = { ...secret, callers: 'anybody', token: 'ignored' } as const

/** Procedures that exist only if the service stores users. */
export const authProcedures = {
  listProviders: {
    callers: 'anybody',
    token: 'unread',
    dryRun: 'harmless',
    response: 'body',
    input: {},
    rest: [['GET', '/auth']],
    graphql: null,
  },
  login: {
    ...open,
    isOpen: true,
    minimumDuration: 'login',
    cookies: 'set',
    response: 'tokens',
    input: { email: 'body', password: 'body', mode: 'body', otp: 'body' },
    rest: [['POST', '/auth/login']],
    graphql: once('auth_login'),
  },
  refresh: {
    ...open,
    isOpen: true,
    cookies: 'read',
    response: 'tokens',
    input: { refresh_token: 'body', mode: 'body' },
    rest: [['POST', '/auth/refresh']],
    graphql: once('auth_refresh'),
  },
  logout: {
    ...open,
    isOpen: true,
    cookies: 'read',
    response: 'signed out',
    input: { refresh_token: 'body', mode: 'body' },
    rest: [['POST', '/auth/logout']],
    graphql: once('auth_logout'),
  },
  requestPassword: {
    ...open,
    minimumDuration: 'login',
    response: 'nothing',
    input: { email: 'body', reset_url: 'body' },
    rest: [['POST', '/auth/password/request']],
    graphql: once('auth_password_request'),
  },
  resetPassword: {
    ...open,
    response: 'nothing',
    input: { token: 'body', password: 'body' },
    rest: [['POST', '/auth/password/reset']],
    graphql: once('auth_password_reset'),
  },
  invite: {
    ...secret,
    callers: 'users',
    response: 'nothing',
    input: { email: 'body', role: 'body', invite_url: 'body' },
    rest: [['POST', '/users/invite']],
    graphql: once('users_invite'),
  },
  acceptInvite: {
    ...open,
    response: 'nothing',
    input: { token: 'body', password: 'body' },
    rest: [['POST', '/users/invite/accept']],
    graphql: once('users_invite_accept'),
  },
  register: {
    ...open,
    minimumDuration: 'registration',
    response: 'nothing',
    input: { email: 'body', password: 'body', verification_url: 'body', first_name: 'body', last_name: 'body' },
    rest: [['POST', '/users/register']],
    graphql: once('users_register'),
  },
  verifyEmail: {
    ...open,
    response: 'redirect',
    input: { token: 'query' },
    rest: [['GET', '/users/register/verify-email']],
    graphql: once('users_register_verify'),
  },
  generateTfa: {
    ...secret,
    callers: 'users',
    isOpen: true,
    response: 'data',
    input: { password: 'body' },
    rest: [['POST', '/users/me/tfa/generate']],
    graphql: once('users_me_tfa_generate'),
  },
  enableTfa: {
    ...secret,
    callers: 'users',
    isOpen: true,
    response: 'nothing',
    input: { otp: 'body', secret: 'body' },
    rest: [['POST', '/users/me/tfa/enable']],
    graphql: once('users_me_tfa_enable'),
  },
  disableTfa: {
    ...secret,
    callers: 'users',
    response: 'nothing',
    input: { otp: 'body' },
    rest: [['POST', '/users/me/tfa/disable']],
    graphql: once('users_me_tfa_disable'),
  },
  disableTfaOf: {
    ...secret,
    callers: 'administrators',
    response: 'nothing',
    input: { id: 'path' },
    rest: [['POST', '/users/:id/tfa/disable']],
    graphql: { ...once('users_tfa_disable'), keys: ['id'] },
  },
  revokeLinks: {
    ...secret,
    callers: 'users',
    response: 'nothing',
    input: {},
    rest: [['POST', '/users/me/links/revoke']],
    graphql: once('users_me_links_revoke'),
  },
  revokeLinksOf: {
    ...secret,
    callers: 'administrators',
    response: 'nothing',
    input: { id: 'path' },
    rest: [['POST', '/users/:id/links/revoke']],
    graphql: { ...once('users_links_revoke'), keys: ['id'] },
  },
  setup: {
    ...open,
    minimumDuration: 'login',
    response: 'nothing',
    input: { token: 'body', admin: 'body' },
    rest: [['POST', '/server/setup']],
    graphql: { ...once('server_setup'), argument: 'data' },
  },
} as const satisfies Readonly<Record<string, ProcedureRow>>

export type AuthProcedureName = keyof typeof authProcedures
