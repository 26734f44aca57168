/** Removes the prefix that dual-stack sockets put before IPv4 addresses. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/iu, '')
