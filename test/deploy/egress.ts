// The outbound side of a NetworkPolicy as iptables rules in the network namespace of a pod, because podman knows no policies.
import type { Engine } from './engine.ts'

export interface NetworkPolicy {
  readonly spec: { readonly egress: readonly { readonly ports: readonly Port[] }[] }
}

interface Port {
  readonly port: number
  readonly protocol: 'TCP' | 'UDP'
}

/** The rules in their order: what is open, what belongs to open connections, and nothing else. */
export function rulesOf(policy: NetworkPolicy): readonly (readonly string[])[] {
  const ports = policy.spec.egress.flatMap((each) => each.ports)
  return [
    ['--out-interface', 'lo', '--jump', 'ACCEPT'],
    ['--match', 'conntrack', '--ctstate', 'ESTABLISHED,RELATED', '--jump', 'ACCEPT'],
    ...ports.map(({ port, protocol }) => [
      '--protocol',
      protocol.toLowerCase(),
      '--dport',
      String(port),
      '--jump',
      'ACCEPT',
    ]),
    ['--jump', 'REJECT'],
  ]
}

/** Applies the policy to a pod by the container that holds its namespace. */
export async function restrictEgress(engine: Engine, container: string, policy: NetworkPolicy): Promise<void> {
  const process = (await engine.podman(['inspect', '--format', '{{.State.Pid}}', container])).trim()
  for (const rule of rulesOf(policy))
    await engine.run('nsenter', ['--target', process, '--net', 'iptables', '--append', 'OUTPUT', ...rule])
}
