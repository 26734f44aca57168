import { invalidPayload } from '@tain/contract'
import { isAddressEntry } from '../../access/ip-match.ts'
import type { Guard } from '../../engine/write/guards.ts'
import { replace, sent } from './sent.ts'

export const policyGuard: Guard = {
  permissionFields: 'all',

  async before(nodes) {
    for (const node of nodes) {
      const value = sent(node, 'ip_access')
      if (value === undefined || value === null) continue
      const entries = typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : value
      if (!Array.isArray(entries) || !entries.every((entry) => typeof entry === 'string' && isAddressEntry(entry)))
        throw invalidPayload(
          '"ip_access" has to be a list of addresses, networks (10.0.0.0/8) or ranges (10.0.0.1-10.0.0.9)',
        )
      replace(node, 'ip_access', entries)
    }
  },
}
