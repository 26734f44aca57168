// The sandbox of a systemd unit as options of podman and a filter of system calls, for machines where systemd does not run. Every
// directive of [Service] has a row: one without a row is an error, so the unit cannot get ahead of its test.

export interface Machine {
  /** The folder in place of /var/lib. */
  readonly stateFolder: string
  /** The file in place of EnvironmentFile. */
  readonly environmentFile: string
  /** The highest limit of open files that this machine permits. */
  readonly mostFiles: number
  /** The system calls of a group such as @system-service. */
  readonly systemCalls: (group: string) => readonly string[]
}

export interface Sandbox {
  /** Options of `podman run`. */
  readonly options: readonly string[]
  readonly command: readonly string[]
  readonly seccomp: object
  /** The user and group of a unit with DynamicUser. */
  readonly user: number
  readonly stateMode: number
}

const DYNAMIC_USER = 61_184

interface Rule {
  readonly names: readonly string[]
  readonly action: string
  readonly errnoRet?: number
  readonly args?: readonly object[]
}

interface Draft {
  readonly options: string[]
  command: readonly string[]
  allowed: readonly string[]
  /** System calls that have rules in place of a general permission. */
  readonly ruled: Rule[]
  stateMode: number
}

type Row = (value: string, draft: Draft, machine: Machine) => void

/** What a restart does, and when; the program restarts the unit itself. */
const lifecycle: Row = () => undefined
/** Every container is like this. */
const always: Row = () => undefined
const options =
  (...given: readonly string[]): Row =>
  (_, draft) =>
    void draft.options.push(...given)

const allow = (name: string, ...args: readonly object[]): Rule => ({ names: [name], action: 'SCMP_ACT_ALLOW', args })
const equal = (index: number, value: number) => ({ index, value, op: 'SCMP_CMP_EQ' })
const without = (index: number, bits: number) => ({ index, value: bits, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' })
const refuse = (name: string, errnoRet: number, ...args: readonly object[]): Rule => ({
  names: [name],
  action: 'SCMP_ACT_ERRNO',
  errnoRet,
  args,
})

const families: Readonly<Record<string, number>> = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10 }
const FAMILIES = 46
const EAFNOSUPPORT = 97
const ENOSYS = 38
const NEW_NAMESPACES = 0x7e02_0080
const SET_ID = 0o6000

const rows: Readonly<Record<string, Row>> = {
  Type: lifecycle,
  Restart: lifecycle,
  RestartSec: lifecycle,
  KillMode: lifecycle,
  TimeoutStopSec: (value, draft) => void draft.options.push('--stop-timeout', value),
  DynamicUser: options('--user', `${DYNAMIC_USER}:${DYNAMIC_USER}`),
  WorkingDirectory: (value, draft) => void draft.options.push('--workdir', value),
  StateDirectory: (value, draft, { stateFolder }) =>
    void draft.options.push('--volume', `${stateFolder}:/var/lib/${value}`),
  StateDirectoryMode: (value, draft) => void (draft.stateMode = Number.parseInt(value, 8)),
  Environment: (value, draft) => void draft.options.push(...value.split(' ').flatMap((each) => ['--env', each])),
  EnvironmentFile: (_, draft, { environmentFile }) => void draft.options.push('--env-file', environmentFile),
  ExecStart: (value, draft) => void (draft.command = value.split(' ')),
  LimitNOFILE(value, draft, { mostFiles }) {
    const limit = Math.min(Number(value), mostFiles)
    draft.options.push('--ulimit', `nofile=${limit}:${limit}`)
  },
  MemoryMax: (value, draft) => void draft.options.push('--memory', value.toLowerCase()),
  NoNewPrivileges: options('--security-opt', 'no-new-privileges'),
  ProtectSystem: options('--read-only', '--read-only-tmpfs=false'),
  ProtectHome: options('--tmpfs', '/home:ro,mode=0', '--tmpfs', '/root:ro,mode=0'),
  PrivateTmp: options('--tmpfs', '/tmp:mode=1777', '--tmpfs', '/var/tmp:mode=1777'),
  PrivateDevices: always,
  ProtectKernelTunables: always,
  ProtectKernelModules: always,
  ProtectControlGroups: always,
  RestrictAddressFamilies(value, draft) {
    const allowed = new Set(value.split(' ').map((name) => families[name] ?? unknown(`address family ${name}`)))
    for (let family = 0; family < FAMILIES; family += 1)
      draft.ruled.push(
        allowed.has(family) ? allow('socket', equal(0, family)) : refuse('socket', EAFNOSUPPORT, equal(0, family)),
      )
  },
  RestrictNamespaces: (_, draft) =>
    void draft.ruled.push(
      allow('clone', without(0, NEW_NAMESPACES)),
      refuse('clone3', ENOSYS),
      refuse('unshare', 1),
      refuse('setns', 1),
    ),
  LockPersonality: (_, draft) =>
    void draft.ruled.push(allow('personality', equal(0, 0)), allow('personality', equal(0, 0xffff_ffff))),
  RestrictSUIDSGID: (_, draft) =>
    void draft.ruled.push(
      allow('chmod', without(1, SET_ID)),
      allow('fchmod', without(1, SET_ID)),
      allow('fchmodat', without(2, SET_ID)),
    ),
  SystemCallArchitectures: always,
  SystemCallFilter: (value, draft, { systemCalls }) => void (draft.allowed = systemCalls(value)),
  CapabilityBoundingSet: options('--cap-drop', 'ALL'),
  UMask: (value, draft) => void draft.options.push('--umask', value),
}

const unknown = (what: string): never => {
  throw new Error(`The unit has ${what}, which the sandbox of its test does not know. Add a row to unit-sandbox.ts.`)
}

/** The lines of a section, in their order. */
const linesOf = (unit: string, section: string): readonly (readonly [string, string])[] =>
  (
    unit
      .split(/^\[(\w+)\]$/mu)
      .flatMap((text, at, all) => (all[at - 1] === section && at % 2 === 0 ? [text] : []))[0] ?? ''
  )
    .split('\n')
    .filter((line) => /^\w+=/u.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])

export function sandboxOf(unit: string, machine: Machine): Sandbox {
  const draft: Draft = { options: [], command: [], allowed: [], ruled: [], stateMode: 0o755 }
  for (const [name, value] of linesOf(unit, 'Service')) (rows[name] ?? unknown(name))(value, draft, machine)
  const ruled = new Set(draft.ruled.flatMap(({ names }) => names))
  const free = draft.allowed.filter((name) => !ruled.has(name))
  return {
    options: draft.options,
    command: draft.command,
    user: DYNAMIC_USER,
    stateMode: draft.stateMode,
    seccomp: {
      // As systemd: a system call outside the filter ends the process.
      defaultAction: 'SCMP_ACT_KILL_PROCESS',
      syscalls: [{ names: free, action: 'SCMP_ACT_ALLOW' }, ...draft.ruled],
    },
  }
}
