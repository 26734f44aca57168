import { BlockList, isIP, isIPv4 } from 'node:net'
import { plainAddress } from '../lib/plain-address.ts'

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** Adds an address, a network (`10.0.0.0/8`) or a range (`10.0.0.1-10.0.0.9`); false if the entry is none of them. */
function add(entry: string, list: BlockList): boolean {
  const [first = '', last] = entry.split('-').map((part) => part.trim())
  const [network = '', bits] = first.split('/')
  if (isIP(network) === 0 || first.split('/').length > 2 || entry.split('-').length > 2) return false
  if (last !== undefined) {
    if (bits !== undefined || isIP(last) !== isIP(network)) return false
    try {
      list.addRange(network, last, familyOf(network))
      return true
    } catch {
      return false
    }
  }
  if (bits === undefined) {
    list.addAddress(network, familyOf(network))
    return true
  }
  const most = isIPv4(network) ? 32 : 128
  if (!/^\d{1,3}$/u.test(bits) || Number(bits) > most) return false
  list.addSubnet(network, Number(bits), familyOf(network))
  return true
}

export const isAddressEntry = (entry: string): boolean => add(entry, new BlockList())

/** An unknown address matches no entry; an invalid entry matches no address. */
export function isInside(address: string | null, entries: readonly string[]): boolean {
  const plain = address === null ? '' : plainAddress(address)
  if (isIP(plain) === 0) return false
  const list = new BlockList()
  for (const entry of entries) add(entry, list)
  return list.check(plain, familyOf(plain))
}
